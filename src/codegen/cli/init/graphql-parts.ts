/** The parts of a GraphQL schema: a resolver per field that cannot do without one, and a scalar per scalar of its own. */

import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { type GraphQLSchema, isScalarType } from 'graphql';
import ts from 'typescript';
import { readSchema } from '../../graphql/read-schema.js';
import { type PartFolder, named } from './part.js';

/** @param types - the text of `graphql.ts`, and its path */
export async function resolverParts(schemaFile: string, types: GeneratedTypes): Promise<PartFolder> {
  const schema = await readSchema(schemaFile);
  const unnamed = requiredResolvers(types).map((path) => ({ path, words: path.join(' ') }));
  return {
    path: 'src/graphql/resolvers',
    variable: 'resolvers',
    what: 'resolver',
    emptyList: `/** Every resolver that the schema needs. \`concordat init\` adds those of new fields. */

import type { SchemaResolvers } from './context.js';

export const resolvers: SchemaResolvers = {};
`,
    parts: named(unnamed).map((part) => ({ ...part, text: stubOf(schema, part.name, part.path) })),
  };
}

function stubOf(schema: GraphQLSchema, name: string, [type = '', field]: readonly string[]): string {
  if (field === undefined && isScalarType(schema.getType(type))) {
    return `/** The scalar \`${type}\`: its values go in and out as they are until these functions check them. */

import { GraphQLScalarType } from 'graphql';

export const ${name} = new GraphQLScalarType({
  name: '${type}',
  serialize: (value) => value,
  parseValue: (value) => value,
});
`;
  }
  const path = field === undefined ? type : `${type}.${field}`;
  const place = field === undefined ? `['${type}']` : `['${type}']['${field}']`;
  const failure = `throw new Problem(501, '${path} is not implemented');`;
  const isSubscription = schema.getSubscriptionType()?.name === type;
  const value = isSubscription ? `{\n  subscribe() {\n    ${failure}\n  },\n}` : `() => {\n  ${failure}\n}`;
  return `/** The resolver of \`${path}\`. */

import { Problem } from 'concordat';
import type { SchemaResolvers } from '../context.js';

export const ${name}: SchemaResolvers${place} = ${value};
`;
}

export interface GeneratedTypes {
  readonly path: string;
  readonly text: string;
}

/** Asks the compiler what the generated type `Resolvers` requires, so that the stubs are exactly what has to be there. */
function requiredResolvers({ path, text }: GeneratedTypes): readonly (readonly string[])[] {
  const file = resolve(path);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
    // The project may not have installed it yet.
    paths: { graphql: [dirname(createRequire(import.meta.url).resolve('graphql/package.json'))] },
  };
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  const probed = `${text}\nexport type Probed = Resolvers<unknown>;\n`;
  host.fileExists = (name) => resolve(name) === file || fileExists(name);
  host.getSourceFile = (name, languageVersion, ...rest) =>
    resolve(name) === file
      ? ts.createSourceFile(name, probed, languageVersion, true)
      : getSourceFile(name, languageVersion, ...rest);
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const declaration = program.getSourceFile(file)?.statements.findLast(ts.isTypeAliasDeclaration);
  if (declaration === undefined) throw new Error(`${path} has no types`);
  return requiredMembers(checker, checker.getTypeAtLocation(declaration)).flatMap((type) => {
    const fields = requiredMembers(checker, checker.getTypeOfSymbol(type)).map((field) => [
      type.name,
      field.name,
    ]);
    // Resolvers of fields are an object type of the generated file; a scalar is a class of graphql-js.
    const isScalar = checker.getTypeOfSymbol(type).getSymbol()?.name === 'GraphQLScalarType';
    return isScalar ? [[type.name]] : fields;
  });
}

function requiredMembers(checker: ts.TypeChecker, type: ts.Type): readonly ts.Symbol[] {
  return checker.getPropertiesOfType(type).filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0);
}

export function resolverTypes(schema: string): string {
  return `/** The types of the resolvers of ${basename(schema)}. */

import type { Resolvers } from 'GENERATED/graphql.js';

/** What every resolver gets as its third argument. */
export type Context = undefined;

export type SchemaResolvers = Resolvers<Context>;
`;
}

export const endpointFile = `/** The schema with its resolvers at \`/graphql\`: JSON, and server-sent events for subscriptions. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import { Problem } from 'concordat';
import { graphqlEngine, graphqlHttp } from 'concordat/graphql';
import { typeDefs } from 'GENERATED/schema.js';
import type { Context } from './context.js';
import { resolvers } from './resolvers.js';

const engine = graphqlEngine<Context>({
  schema: makeExecutableSchema({ typeDefs, resolvers }),
  // Other errors are masked, and reported.
  explain: (error) =>
    error instanceof Problem && error.status === 501
      ? { code: 'NOT_IMPLEMENTED', message: error.message }
      : undefined,
  report: console.error,
});

export const endpoint = graphqlHttp(engine, { openSession: () => ({ context: undefined }) });
`;

export const graphqlTest = `/** Sends operations to the endpoint. */

import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { memoryRequest } from 'concordat';
import { endpoint } from '../src/graphql/endpoint.js';

test('the schema answers', async () => {
  const query = new URLSearchParams({ query: '{ __typename }' }).toString();
  const { status } = await endpoint(memoryRequest({ path: '/graphql', query }));
  equal(status, 200);
});
`;
