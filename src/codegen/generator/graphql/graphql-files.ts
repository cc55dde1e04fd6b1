/** The generated files of a GraphQL schema: types and resolver signatures by graphql-codegen's plugins, and the SDL as a string. */

import { codegen } from '@graphql-codegen/core';
import { getCachedDocumentNodeFromSchema } from '@graphql-codegen/plugin-helpers';
import * as typescript from '@graphql-codegen/typescript';
import * as resolversPlugin from '@graphql-codegen/typescript-resolvers';
import { type DocumentNode, Kind, print } from 'graphql';
import ts from 'typescript';
import { ContractError } from '../../contract/problems/contract-problem.js';
import { type ValueTypes, typeText } from '../../contract/schemas/value-types.js';
import { code, openingLine, singleQuoted, templateLiteral, type Code } from '../../text/code.js';
import { words } from '../../text/identifiers.js';
import { type Edit, edited, printedTypes } from '../../text/parsed-code.js';
import { compileConstraints } from './constraints.js';
import { readSchema } from './read-schema.js';
import type { ResolverOptions, SchemaFiles } from './resolver-options.js';
import { plainSignatures } from './resolver-signatures.js';
import { type WriteTypes, typesWithOwnNames } from './type-names.js';

export interface GraphqlFilesOptions {
  readonly resolvers?: ResolverOptions | undefined;
  /** Unsupported features that the team has read and accepts. */
  readonly accept?: readonly string[];
  readonly values?: ValueTypes | undefined;
}

/** @throws ContractError with every problem of the schema */
export async function graphqlFiles(
  files: SchemaFiles,
  { resolvers = {}, accept = [], values = {} }: GraphqlFilesOptions = {},
): Promise<Readonly<Record<string, Code>>> {
  const read = await readSchema(files, accept);
  const document = getCachedDocumentNodeFromSchema(read);
  const options = pluginOptions(document, resolvers, values);
  const types = await typesWithOwnNames(document, options, writeTypes).catch((error: unknown) => {
    // A plugin throws when an option of the resolvers does not fit the schema.
    const message = error instanceof Error ? error.message.trim() : String(error);
    throw new ContractError([{ fault: 'generator-failure', file: [files].flat()[0] ?? '', message }]);
  });
  const opening = openingLine('the GraphQL schema');
  const constraints = compileConstraints(read, opening)?.requests.ts;
  return {
    'graphql.ts': code`${opening}${printedTypes(options['enumsAsConst'] === false ? types : withoutEnums(types))}`,
    // A string, so that no file is read at run time.
    'schema.ts': code`${opening}
/** The schema, in the schema definition language. */
export const typeDefs = /* GraphQL */ ${templateLiteral(`\n${print(document)}\n`)};
`,
    ...(constraints !== undefined && { 'constraints.ts': constraints }),
  };
}

const writeTypes: WriteTypes = async (schema, config) => {
  const text = await codegen({
    filename: 'graphql.ts',
    schema,
    documents: [],
    config,
    plugins: [{ typescript: {} }, { 'typescript-resolvers': {} }],
    pluginMap: { typescript, 'typescript-resolvers': resolversPlugin },
  });
  return plainSignatures(text, schema, new Set(Object.keys(config['mappers'] ?? {})));
};

/**
 * The options for the plugins. Scalars have the types of their formats, and no type of another module collides with one of the schema.
 *
 * @param values - types by `format`, or by the name of a scalar
 */
function pluginOptions(schema: DocumentNode, options: ResolverOptions, values: ValueTypes): ResolverOptions {
  const { scalars = {} } = options;
  const changed = {
    // The order of the schema's author is kept.
    sort: false,
    useTypeImports: true,
    defaultScalarType: 'unknown',
    // The errors for a union of a function and an object name neither the field nor its type.
    makeResolverTypeCallable: true,
    ...options,
    // The option may also be the name of a module.
    ...(typeof scalars === 'object' && { scalars: { ...scalarTypes(schema, values), ...scalars } }),
  };
  return Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [name, OF_TYPES.has(name) ? inPlace(value) : value]),
  );
}

/** The options that name types of other modules. */
const OF_TYPES = new Set(words('mappers defaultMapper contextType rootValueType scalars'));

function inPlace(value: unknown): unknown {
  if (typeof value === 'string') return importedInPlace(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inPlace(each)]));
}

/**
 * `./models.js#User` as `import('./models.js').User`: an import of its own would collide with the type `User` of the schema. A text
 * with `as`, which gives the import a name, is kept.
 */
function importedInPlace(text: string): string {
  return text.replace(
    /^(\\?#)?([^#\\]+)#([\w$]+(?:\.[\w$]+|\[(?:'[^']*'|"[^"]*")\])*(?:<.*>)?)$/s,
    (_, internal: string | undefined, from: string, type: string) =>
      `import(${singleQuoted((internal === undefined ? '' : '#') + from)}).${type}`,
  );
}

/** The types of scalars: that of the scalar's own name, or of a format that differs in spelling only, as `date-time` from `DateTime`. */
function scalarTypes(schema: DocumentNode, values: ValueTypes): Readonly<Record<string, string>> {
  const bare = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();
  const formats = new Map(Object.entries(values).map(([format, type]) => [bare(format), type]));
  const exact = new Map(Object.entries(values));
  const types = schema.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.SCALAR_TYPE_DEFINITION) return [];
    const name = definition.name.value;
    const type = exact.get(name) ?? formats.get(bare(name));
    return type === undefined ? [] : [[name, typeText(type)] as const];
  });
  return Object.fromEntries(types);
}

/**
 * Writes each enum of strings as a constant and the union of its values, which Node can run after it has removed the types. The
 * plugin's own option for this, `enumsAsConst`, gives the members other names than an enum has.
 */
function withoutEnums(text: string): string {
  const file = ts.createSourceFile('graphql.ts', text, ts.ScriptTarget.ESNext, true);
  const edits = file.statements.filter(ts.isEnumDeclaration).flatMap((declaration): readonly Edit[] => {
    const { text: name, pos, end } = declaration.name;
    const values = declaration.members.flatMap(({ name: { end: start }, initializer }) => {
      const isText = initializer && ts.isStringLiteral(initializer);
      return isText ? [{ start, end: initializer.getStart(), text: ': ' }] : [];
    });
    if (values.length < declaration.members.length) return [];
    const type = `export type ${name} = (typeof ${name})[keyof typeof ${name}];`;
    return [
      { start: pos - 'enum'.length, end, text: `const ${name} =` },
      ...values,
      { start: declaration.end, end: declaration.end, text: ` as const;\n${type}` },
    ];
  });
  return edited(text, edits);
}
