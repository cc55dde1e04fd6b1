/** The service's schema with its resolvers as an engine, ready for any transport. */
import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  buildASTSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  parse,
} from 'graphql';
import {
  type ConstraintChecks,
  type GraphqlEngine,
  type GraphqlEngineOptions,
  graphqlEngine,
  isConstrained,
} from '@concordat/runtime/graphql';
import { typeDefs } from '../../../generated/schema.js';
import type { Resolvers } from '../../../generated/graphql.js';
import { type ErrorCode, isOutage, ServiceError } from '../model/error.js';
import { rememberHandlers, requireRead } from '../model/fields.js';
import type { Post } from '../model/post.js';
import type { FieldReading, KeptFields, StoredField } from '../model/stored.js';
import { identityOf } from '../services/rights/rights.js';
import type { GraphqlContext, GraphqlServices } from './graphql-context.js';
import { postFields, postMutations, postQueries, postSubscriptions } from './posts.js';
import { reads, type WithStored, withoutAbsent } from './stored.js';
import { type GuardedUserFields, guardedUserFields, userMutations, userQueries } from './users.js';

/** An application's own schema, which extends the core's. */
export interface ExtendedSchema {
  /** The `typeDefs` of the generated `schema.ts`. */
  readonly typeDefs: string;
  /** Those of {@link createResolvers}, and the application's own. */
  readonly resolvers: ServiceResolvers;
  /** The exports of the generated `constraints.ts`, if the application's own fields have constraints. */
  readonly constraints?: ConstraintChecks;
}

export type ServiceGraphqlOptions = Omit<
  GraphqlEngineOptions,
  'schema' | 'constraints' | 'explain' | 'sharingKey' | 'eventId' | 'begin'
> & { readonly services: GraphqlServices } & (
    | ExtendedSchema
    | { readonly typeDefs?: undefined; readonly resolvers?: undefined; readonly constraints?: undefined }
  );

/**
 * Makes the engine of the core's schema and resolvers, or of an application's own schema that extends it.
 *
 * @throws an error that names a field without a resolver, a resolver without a field, or an argument that a resolver of the core would
 * ignore
 *
 * @example
 * ```ts
 * const engine = serviceGraphqlEngine({ services, report: console.error, compile: compileQuery });
 * const operation = engine.prepare({ query: '{ users { name } }' });
 * ```
 */
export function serviceGraphqlEngine({
  services,
  typeDefs: definitions = typeDefs,
  resolvers,
  constraints,
  ...options
}: ServiceGraphqlOptions): GraphqlEngine<GraphqlContext> {
  const declared = (each: ServiceResolvers) =>
    services.ownFields === undefined ? each : withoutAbsent(each, services.ownFields, definitions);
  const own = declared(createResolvers(services));
  const given = resolvers && declared(resolvers);
  const schema = executableSchema(given ?? own, definitions);
  const core = resolvers === undefined ? schema : buildASTSchema(parse(typeDefs));
  if (given !== undefined) requireExtension(given, own, core, schema, services.ownFields);
  // The services check what they get, after the rights of the caller. They do not know an argument that the application has added.
  const unchecked = Object.keys(byField(own))
    .filter((name) => {
      const known = argumentsOf(core, name);
      return !inputsOf(schema, name).some((each) => !known.has(each.name) && isConstrained(each));
    })
    .map((name) => [name.replace('.', '$'), undefined] as const);
  return graphqlEngine<GraphqlContext>({
    ...options,
    constraints: { ...constraints, ...Object.fromEntries(unchecked) },
    schema,
    explain: (error, place) => {
      if (!(error instanceof ServiceError)) return undefined;
      if (isOutage(error)) options.report(error, place);
      const { code, message, retryAfterSeconds } = error;
      return { code: GRAPHQL_CODES[code], message, retryAfterSeconds };
    },
    // The application's own resolvers may look at more than rights.
    sharingKey: ({ caller }) =>
      resolvers === undefined ? services.posts.readingRights(caller) : identityOf(caller),
    // A stored record has an id, and `subscribeTo` delivers ids.
    eventId(event: unknown) {
      const id: unknown = typeof event === 'object' && event !== null && 'id' in event ? event.id : event;
      return typeof id === 'string' ? id : undefined;
    },
    begin: ({ budget }, running) => budget.begin(running),
  });
}

/**
 * Without its resolver, a field such as `User.email` would be read from the record, without a check of the caller's rights. And a
 * resolver of the core would ignore an argument that the application's schema adds to its field.
 */
function requireExtension(
  given: ServiceResolvers,
  own: ServiceResolvers,
  core: GraphQLSchema,
  schema: GraphQLSchema,
  kept: KeptFields = {},
): void {
  const resolvers = byField(given);
  const missing = Object.keys(byField(own)).find((name) => !(name in resolvers));
  if (missing !== undefined) throw new Error(`the resolvers lack ${missing}, which createResolvers makes`);
  requireRead(resolvers, {
    core: (name) => argumentsOf(core, name),
    extended: (name) => argumentsOf(schema, name),
    own: (name) => {
      const reading = (reads as Readonly<Record<string, FieldReading>>)[name];
      const fields = Object.entries((reading && kept[reading[0]]) ?? {});
      const isRead = ({ filter, readOnly }: StoredField) => (reading?.[1] === 'filter' ? filter : !readOnly);
      return fields.flatMap(([field, facts]) => (isRead(facts) ? [field] : []));
    },
  });
}

/** The resolvers by `Type.field`. That of a subscription is its function `subscribe`, which reads the arguments. */
function byField(resolvers: ServiceResolvers): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(resolvers).flatMap(([type, fields]) =>
      Object.entries(fields as Readonly<Record<string, object>>).map(([name, resolver]) => [
        `${type}.${name}`,
        'subscribe' in resolver ? (resolver.subscribe as object) : resolver,
      ]),
    ),
  );
}

/** The arguments of a field, and the fields of their input types at any depth, as `filter/name`: each type once for each argument. */
function argumentsOf(schema: GraphQLSchema, typeAndField: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const argument of inputsOf(schema, typeAndField)) {
    found.add(argument.name);
    const places = new Map<GraphQLNamedType, string>([[getNamedType(argument.type), argument.name]]);
    for (const [type, place] of places) {
      for (const field of isInputObjectType(type) ? Object.values(type.getFields()) : []) {
        const [named, inner] = [getNamedType(field.type), `${place}/${field.name}`];
        found.add(inner);
        if (!places.has(named)) places.set(named, inner);
      }
    }
  }
  return found;
}

function inputsOf(schema: GraphQLSchema, typeAndField: string): readonly GraphQLArgument[] {
  const [typeName = '', fieldName = ''] = typeAndField.split('.');
  const type = schema.getType(typeName);
  return isObjectType(type) ? (type.getFields()[fieldName]?.args ?? []) : [];
}

/** @throws an error that names a field without a resolver, or a resolver without a field */
export function executableSchema(resolvers: ServiceResolvers, definitions = typeDefs): GraphQLSchema {
  return makeExecutableSchema({
    typeDefs: definitions,
    resolvers,
    resolverValidationOptions: {
      requireResolversToMatchSchema: 'error',
      requireResolversForArgs: 'error',
      requireResolversForNonScalar: 'error',
    },
  });
}

/** Maps every error code of the core to a GraphQL code, in one total table; any other error is masked. */
export const GRAPHQL_CODES = {
  'invalid-input': 'BAD_USER_INPUT',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  'precondition-failed': 'CONFLICT',
  'key-reused': 'CONFLICT',
  'limit-exceeded': 'LIMIT_EXCEEDED',
  'too-many-requests': 'LIMIT_EXCEEDED',
  unavailable: 'SERVICE_UNAVAILABLE',
  'storage-full': 'SERVICE_UNAVAILABLE',
  'outcome-unknown': 'INTERNAL_SERVER_ERROR',
  'not-implemented': 'NOT_IMPLEMENTED',
} as const satisfies Record<ErrorCode, string>;

/** Most fields of a user have a resolver although the record has them, because the policy decides who may see them. */
export type ServiceResolvers = WithStored<
  Resolvers<GraphqlContext> & { readonly User: GuardedUserFields },
  'Post',
  Post
>;

/**
 * Makes the resolvers of the contract, for a schema of the application that extends it, and for a GraphQL server other than
 * `serviceGraphqlEngine`. There, each operation needs its own context from `makeContext`.
 *
 * @example
 * ```ts
 * const schema = makeExecutableSchema({ typeDefs, resolvers: createResolvers(services) });
 * const context = makeContext(services, caller);
 * ```
 */
export function createResolvers(services: GraphqlServices): ServiceResolvers {
  const resolvers = {
    Query: { ...userQueries(services), ...postQueries(services) },
    Mutation: { ...userMutations(services), ...postMutations(services) },
    Subscription: postSubscriptions(services),
    User: guardedUserFields(services),
    Post: postFields(services),
  };
  rememberHandlers(byField(resolvers));
  return resolvers;
}
