/** The parts of a GraphQL schema: a resolver per field that requires one, and an implementation per custom scalar. */

import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { type GraphQLSchema, isScalarType } from 'graphql';
import ts from 'typescript';
import { readSchema } from '../../graphql/read-schema.js';
import { type PartFolder, named } from './part.js';
import type { Template } from './template.js';

/** @param types - the path and the text of `graphql.ts` */
export async function resolverParts(schemaFile: string, types: GeneratedTypes): Promise<PartFolder> {
  const schema = await readSchema(schemaFile);
  const unnamed = requiredResolvers(types).map((path) => ({ path, words: path.join(' ') }));
  return {
    path: 'src/graphql/resolvers',
    variable: 'resolvers',
    what: 'resolver',
    template: { file: 'src/graphql/resolvers.ts' },
    parts: named(unnamed).map((part) => ({ ...part, template: templateOf(schema, part.name, part.path) })),
  };
}

function templateOf(schema: GraphQLSchema, NAME: string, [TYPE = '', field]: readonly string[]): Template {
  const folder = 'src/graphql/resolvers';
  if (field === undefined) {
    const isScalar = isScalarType(schema.getType(TYPE));
    return { file: `${folder}/${isScalar ? 'scalar' : 'type'}.ts`, values: { NAME, TYPE } };
  }
  const isSubscription = schema.getSubscriptionType()?.name === TYPE;
  return {
    file: `${folder}/${isSubscription ? 'subscription' : 'field'}.ts`,
    values: { NAME, TYPE, FIELD: field },
  };
}

interface GeneratedTypes {
  readonly path: string;
  readonly text: string;
}

/** Asks the compiler which members the generated type `Resolvers` requires, so that exactly these get stubs. */
function requiredResolvers({ path, text }: GeneratedTypes): readonly (readonly string[])[] {
  const file = resolve(path);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
    // The project may not have installed `graphql` yet.
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
