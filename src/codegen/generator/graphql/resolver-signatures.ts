/**
 * Rewrites what typescript-resolvers writes so that an error of the compiler names the field and the type: `FieldResolver<'Query.user', …>`
 * and `UserModel` in place of nested utility types.
 */

import { type DocumentNode, Kind } from 'graphql';
import ts from 'typescript';
import { freeName } from '../../text/identifiers.js';
import { type Edit, edited, scopeNames } from '../../text/parsed-code.js';
import { ReceivedInputs } from './received-inputs.js';
import {
  type Aliases,
  type Member,
  type Model,
  type Models,
  membersOf,
  propertiesOf,
  requiredResolvers,
} from './required-resolvers.js';

/**
 * @param schema - the types that were written
 * @param mapped - the names of the types that have a mapper
 * @throws when the plugin's options rename its types
 */
export function plainSignatures(
  written: string,
  schema: DocumentNode,
  mapped: ReadonlySet<string> = new Set(),
): string {
  const text = written
    .replace(/(type RequireFields<.*)NonNullable<T\[P\]>/, '$1Exclude<T[P], undefined>')
    .replaceAll(/\bResolverTypeWrapper(?=<)/g, 'MaybePromise')
    .replace(/^export type MaybePromise<T> = .*;$/m, `$&${FORMER_WRAPPER}`);
  const file = ts.createSourceFile('graphql.ts', text, ts.ScriptTarget.ESNext, true);
  const aliases: Aliases = new Map(
    file.statements.filter(ts.isTypeAliasDeclaration).map((each) => [each.name.text, each]),
  );
  const all = aliases.get('Resolvers');
  if (all === undefined || !ts.isTypeLiteralNode(all.type))
    throw new Error('the resolver signatures have no type Resolvers: leave its name to the generator');
  const parameters = parametersOfResolver(aliases);
  const models = modelsOf(file, aliases);
  const enums = schema.definitions.flatMap((each) =>
    each.kind === Kind.ENUM_TYPE_DEFINITION ? [each.name.value] : [],
  );
  const mappedEnums = new Set(enums.filter((each) => mapped.has(each)));
  const received = new ReceivedInputs(schema, mappedEnums, file, aliases);
  const fields =
    parameters === undefined ? [] : membersOf(all).flatMap((type) => fieldEdits(type, aliases, received));
  const helpers = parameters === undefined ? '' : fieldHelpers(parameters);
  const resolvers = helpers + requiredResolvers(all, aliases, models) + received.text;
  const others = [...modelEdits(models, aliases), ...fields, ...innerValues(enums, all, aliases)];
  return edited(text, [...others, { start: all.getStart(), end: all.end, text: resolvers }]);
}

/** Modules may import the plugin's name of the wrapper of results. */
const FORMER_WRAPPER = `
/** The former name of {@link MaybePromise}. */
export type ResolverTypeWrapper<T> = MaybePromise<T>;`;

/** The parameters of all resolvers; undefined if an option gives resolvers another form, which is kept. */
function parametersOfResolver(aliases: Aliases): string | undefined {
  const [resolver, called] = ['Resolver', 'ResolverFn'].map((name) => aliases.get(name)?.type);
  const isPlain =
    resolver !== undefined &&
    ts.isTypeReferenceNode(resolver) &&
    called !== undefined &&
    ts.isFunctionTypeNode(called) &&
    called.type.getText() === 'Promise<TResult> | TResult';
  return isPlain ? called.parameters.map((parameter) => parameter.getText()).join(', ') : undefined;
}

/** The types in which the plugin replaces fields, with the name of their references to other types. */
const MODELS = ['ResolversUnionTypes', 'ResolversInterfaceTypes', 'ResolversTypes', 'ResolversParentTypes'];

const REFERENCE = /\b(?:_RefType|ResolversTypes|ResolversParentTypes)(?=\[')/g;

/** Finds each `Omit<User, 'posts'> & { posts: … }`, which gets a name that errors can show. */
function modelsOf(file: ts.SourceFile, aliases: Aliases): Models {
  const taken = new Set(scopeNames(file));
  const names = new Map<string, string>();
  const models = new Map<ts.Node, Model>();
  const visit = (node: ts.Node): void => {
    const [omitted, replaced] = ts.isIntersectionTypeNode(node) ? node.types : [];
    const type =
      omitted && ts.isTypeReferenceNode(omitted) ? omitted.typeArguments?.[0]?.getText() : undefined;
    const reference = replaced?.getText().match(REFERENCE)?.[0];
    if (type === undefined || omitted === undefined || replaced === undefined || reference === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    const body = `extends ${omitted.getText()} ${replaced.getText().replaceAll(REFERENCE, 'Types')}`;
    const name = names.get(body) ?? freeName(`${type}Model`, taken);
    names.set(body, name);
    models.set(node, { type, name, body, reference, start: omitted.getStart(), end: replaced.end });
  };
  for (const name of MODELS) {
    const alias = aliases.get(name);
    if (alias !== undefined) visit(alias);
  }
  return models;
}

/** Writes an interface for each model, and refers to it. */
function modelEdits(models: Models, aliases: Aliases): readonly Edit[] {
  const start = Math.min(...MODELS.flatMap((name) => aliases.get(name)?.pos ?? []));
  const bodies = new Map([...models.values()].map(({ name, body }) => [name, body]));
  const interfaces = [...bodies].map(
    ([name, body]) => `\n\nexport interface ${name}<Types extends Record<string, unknown>> ${body}`,
  );
  return [
    ...[...models.values()].map((model) => ({ ...model, text: `${model.name}<${model.reference}>` })),
    { start, end: start, text: interfaces.join('') },
  ];
}

/** Gives each enum whose values the options map the type of these values: the plugin writes `null`, which no resolver returns. */
function innerValues(
  enums: readonly string[],
  all: ts.TypeAliasDeclaration,
  aliases: Aliases,
): readonly Edit[] {
  const resolvers = new Map(membersOf(all).map(({ name, type }) => [name.getText(), type.getText()]));
  return propertiesOf(aliases.get('ResolversTypes')).flatMap(({ name, type }) => {
    const written = resolvers.get(name.getText())?.replace(/Resolvers(?:<.*)?$/s, '');
    if (!enums.includes(name.getText()) || type?.getText() !== 'null' || written === undefined) return [];
    return [{ start: type.getStart(), end: type.end, text: written }];
  });
}

/** Gives the signatures of the fields of a type their names. */
function fieldEdits({ name, type }: Member, aliases: Aliases, received: ReceivedInputs): readonly Edit[] {
  return membersOf(aliases.get(type.typeName.getText())).flatMap(({ name: field, type: signature }) => {
    const { typeName, typeArguments: [result, ...others] = [] } = signature;
    const named = { Resolver: 'FieldResolver', SubscriptionResolver: 'FieldSubscriber' }[typeName.getText()];
    if (named === undefined || result === undefined) return [];
    const text = result.getText();
    const isAwaited = named === 'FieldResolver' && !text.includes('Array<');
    const all = [
      `'${name.getText()}.${field.getText()}'`,
      isAwaited ? `Awaited<${text}>` : text,
      ...others.map((other) => {
        const sent = /^(?:RequireFields<|Partial<)?(\w+)/.exec(other.getText())?.[1] ?? '';
        const own = received.ofArguments(name.getText(), field.getText(), sent);
        return own ?? plainArguments(other, aliases);
      }),
    ];
    return [{ start: signature.getStart(), end: signature.end, text: `${named}<${all.join(', ')}>` }];
  });
}

/** The type of a field's arguments, without `RequireFields<…>` or `Partial<…>` if these change nothing. */
function plainArguments(type: ts.TypeNode, aliases: Aliases): string {
  const text = type.getText();
  if (!ts.isTypeReferenceNode(type)) return text;
  const [inner, keys] = type.typeArguments ?? [];
  const members = aliases.get(inner?.getText() ?? '')?.type;
  if (inner === undefined || members === undefined || !ts.isTypeLiteralNode(members)) return text;
  const properties = members.members.filter(ts.isPropertySignature);
  const required = new Set(keys?.getText().match(/\w+/g));
  const isUnchanged = properties.every(({ name, questionToken, type: value }) =>
    required.has(name.getText())
      ? questionToken === undefined && !/^(?:Input)?Maybe</.test(value?.getText() ?? '')
      : keys !== undefined || questionToken !== undefined,
  );
  return isUnchanged ? inner.getText() : text;
}

// No type depends on `_Name`; the compiler shows it in errors. For a wrong event, TypeScript explains why the events are not the last of the
// two types: TypeScript 5.9 by their order in the union, 7 by their names. That explanation has one line; for `NamedEvents` it has fourteen.
const fieldHelpers = (parameters: string): string => `
/** Resolves the field \`_Name\`. */
export type FieldResolver<_Name extends string, TResult, TParent, TContext, TArgs = Record<PropertyKey, never>> = (
  ${parameters}
) => FieldResult<_Name, TResult>;

/** The value of the field \`_Name\`. */
export type FieldResult<_Name extends string, TResult> = TResult | Promise<TResult>;

/**
 * Resolves the field \`_Name\` of a subscription: \`subscribe\` gives its events, and \`resolve\` the value of an event of another form.
 * Without \`resolve\`, the compiler reports wrong events as a missing \`resolve\`; with {@link EventsOf}, each at its place.
 */
export type FieldSubscriber<_Name extends string, TResult, TKey extends string, TParent, TContext, TArgs = Record<PropertyKey, never>> =
  NamedEvents<_Name, TResult, TKey, TParent, TContext, TArgs> | OtherEvents<_Name, TResult, TParent, TContext, TArgs>;

/** Events that hold the value of the field \`_Name\` under its name. */
export interface NamedEvents<_Name extends string, TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: (${parameters}) => FieldEvents<_Name, { [Key in TKey]: TResult }>;
  resolve?: never;
}

/** Events that do not hold the value of the field \`_Name\` under its name: \`resolve\` gives the value of one. */
export interface OtherEvents<_Name extends string, TResult, TParent, TContext, TArgs> {
  subscribe: (${parameters}) => FieldEvents<_Name, any>;
  resolve: (${parameters.replace('TParent', 'any')}) => FieldResult<_Name, TResult>;
}

/** The events of the field \`_Name\`. */
export type FieldEvents<_Name extends string, TEvent> = AsyncIterable<TEvent> | Promise<AsyncIterable<TEvent>>;

/** The events of a generator: \`async *subscribe(): EventsOf<Field>\`. A wrong one is then reported at its place, and not for the whole resolver. */
export type EventsOf<Subscriber> = Subscriber extends {
  subscribe: (...parameters: never) => FieldEvents<string, infer Event>;
  resolve?: never;
}
  ? AsyncIterable<{ [Key in keyof Event]: Awaited<Event[Key]> }>
  : never;
`;
