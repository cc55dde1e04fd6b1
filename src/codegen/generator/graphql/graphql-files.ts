/** The generated files of a GraphQL schema: types and resolver signatures by graphql-codegen's plugins, and the SDL as a string. */

import { codegen } from '@graphql-codegen/core';
import { type CodegenPlugin, getCachedDocumentNodeFromSchema } from '@graphql-codegen/plugin-helpers';
import * as typescript from '@graphql-codegen/typescript';
import * as resolversPlugin from '@graphql-codegen/typescript-resolvers';
import { type DocumentNode, print, validateSchema } from 'graphql';
import ts from 'typescript';
import { ContractError } from '../../contract/problems/contract-problem.js';
import { type Code, code, openingLine, templateLiteral } from '../../text/code.js';
import { type Edit, edited, printedTypes } from '../../text/parsed-code.js';
import { readSchema } from './read-schema.js';
import {
  RESOLVER_DEFAULTS,
  type ResolverOptions,
  SCHEMA_CONFIG,
  type SchemaFiles,
} from './resolver-options.js';
import { plainSignatures } from './resolver-signatures.js';
import { type OtherTypes, pluginOptions } from './plugin-options.js';
import { type WriteTypes, typesWithOwnNames } from './type-names.js';
import { supportedDocument } from './unsupported-directives.js';

export interface GraphqlFilesOptions extends OtherTypes {
  readonly resolvers?: ResolverOptions | undefined;
  /** Unsupported features that the team has read and accepts. */
  readonly accept?: readonly string[];
}

/** @throws ContractError with every problem of the schema */
export async function graphqlFiles(
  files: SchemaFiles,
  { resolvers = {}, accept = [], ...others }: GraphqlFilesOptions = {},
): Promise<Readonly<Record<string, Code>>> {
  const document = getCachedDocumentNodeFromSchema(await readSchema(files, accept));
  const types = await typesText(document, resolvers, others).catch((error: unknown) => {
    // A plugin throws when an option of the resolvers does not fit the schema.
    const message = error instanceof Error ? error.message.trim() : String(error);
    throw new ContractError([{ fault: 'generator-failure', file: [files].flat()[0] ?? '', message }]);
  });
  return { 'graphql.ts': types, 'schema.ts': sdlText(document) };
}

const OPENING = openingLine('the GraphQL schema');

/** The text of `graphql.ts`. */
async function typesText(
  document: DocumentNode,
  resolvers: ResolverOptions,
  others: OtherTypes,
): Promise<Code> {
  const options = pluginOptions(document, resolvers, others);
  const write: WriteTypes = async (schema, given) => {
    const text = await codegen({
      filename: 'graphql.ts',
      schema,
      documents: [],
      config: { ...SCHEMA_CONFIG, ...RESOLVER_DEFAULTS, ...given },
      plugins: [{ typescript: {} }, { 'typescript-resolvers': {} }],
      pluginMap: { typescript, 'typescript-resolvers': resolversPlugin },
    });
    return plainSignatures(text);
  };
  const text = await typesWithOwnNames(document, options, write);
  return code`${OPENING}${printedTypes(options['enumsAsConst'] === false ? text : withoutEnums(text))}`;
}

/**
 * Writes each enum of strings as a constant and the union of its values, which Node can run after it has removed the types. The
 * plugin's own option for this, `enumsAsConst`, gives the members other names than an enum has.
 */
function withoutEnums(text: string): string {
  const file = ts.createSourceFile('graphql.ts', text, ts.ScriptTarget.ESNext, true);
  const edits = file.statements.filter(ts.isEnumDeclaration).flatMap((declaration): readonly Edit[] => {
    const { text: name, pos, end } = declaration.name;
    const values = declaration.members.flatMap(({ name: { end: start }, initializer }) =>
      initializer && ts.isStringLiteral(initializer)
        ? [{ start, end: initializer.getStart(), text: ': ' }]
        : [],
    );
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

/** The text of `graphql.ts`, as a plugin of graphql-codegen. */
export const typesPlugin: CodegenPlugin<ResolverOptions & { readonly others?: OtherTypes }> = {
  plugin: (schema, _documents, { others = {}, ...resolvers }) =>
    typesText(getCachedDocumentNodeFromSchema(schema), resolvers, others),
};

/** The text of `schema.ts`: the schema as a string, so that no file is read at run time. */
function sdlText(document: DocumentNode): Code {
  return code`${OPENING}
/** The schema, in the schema definition language. */
export const typeDefs = /* GraphQL */ ${templateLiteral(`\n${print(document)}\n`)};
`;
}

/** The text of `schema.ts`, as a plugin of graphql-codegen. */
export const sdlPlugin: CodegenPlugin<{ readonly accept?: readonly string[] }> = {
  plugin(schema, _documents, { accept = [] }) {
    // graphql-codegen accepts a schema without a Query, or whose types break their interfaces, but such a schema would not run.
    const faults = validateSchema(schema).map(({ message }) => `  ${message}`);
    if (faults.length > 0) throw new Error(['The schema is not valid:', ...faults].join('\n'));
    return sdlText(supportedDocument(getCachedDocumentNodeFromSchema(schema), 'the schema', accept));
  },
};
