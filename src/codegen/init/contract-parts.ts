/** The parts of a project that its contracts need: handlers of operations and security schemes, and resolvers. */

import { loadContract, type LoadOptions } from '../contract/load/load.js';
import { basePathOf } from '../contract/load/openapi.js';
import type { ContractModel, OperationModel } from '../contract/model/model.js';
import { readContract } from '../contract/model/operations.js';
import { Reader } from '../contract/model/reader.js';
import { named, type PartFolder } from './part.js';
import type { Template } from './template.js';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { type GraphQLSchema, isScalarType } from 'graphql';
import ts from 'typescript';

/** The model of a contract without faults, whose code has already been generated, and the path of its first server. */
export async function readModel(
  openapi: string,
  options: LoadOptions,
): Promise<{ readonly contract: ContractModel; readonly prefix: string }> {
  const { document } = await loadContract(openapi, options);
  return { contract: readContract(new Reader(document)), prefix: basePathOf(document.servers?.[0]) ?? '' };
}

export function operationParts(contract: ContractModel): PartFolder {
  const unnamed = contract.operations.map((operation) => ({
    path: [operation.id],
    words: operation.typeName,
    operation,
  }));
  return {
    path: 'src/rest/operations',
    what: 'operation',
    parts: named(unnamed).map((part) => ({ ...part, template: handlerTemplate(part.name, part.operation) })),
  };
}

function handlerTemplate(NAME: string, { id, method, path, summary }: OperationModel): Template {
  const ABOUT = `\`${method} ${path}\`${summary === '' ? '' : `: ${summary}`}`;
  return { file: 'src/rest/operations/operation.ts', values: { NAME, ABOUT, ID: id } };
}

export function securityParts({ securitySchemes }: ContractModel): PartFolder {
  const schemes = Object.keys(securitySchemes);
  return {
    path: 'src/rest/security',
    what: 'security scheme',
    parts: named(schemes.map((scheme) => ({ path: [scheme], words: scheme, scheme }))).map((part) => ({
      ...part,
      template: { file: 'src/rest/security/scheme.ts', values: { NAME: part.name, ID: part.scheme } },
    })),
  };
}

const XML = /[/+]xml$/;

/** The media types of responses that the engine does not write itself. */
export function encodedTypes(contract: ContractModel): readonly string[] {
  const media = contract.operations.flatMap(({ responses }) => responses).flatMap(({ content }) => content);
  return [...new Set(media.filter(({ kind }) => kind === 'other').map(({ mediaType }) => mediaType))];
}

export function engineTemplate(contract: ContractModel): Template {
  const types = encodedTypes(contract);
  const values = {
    ENCODED: types.length > 0,
    XML: types.filter((type) => XML.test(type)),
    OTHER: types.filter((type) => !XML.test(type)),
  };
  return { file: 'src/rest/engine.ts', values };
}

/** @param types - the path and the text of `graphql.ts` */
export function resolverParts(schema: GraphQLSchema, types: GeneratedTypes): PartFolder {
  const unnamed = requiredResolvers(types).map((path) => ({ path, words: path.join(' ') }));
  return {
    path: 'src/graphql/resolvers',
    what: 'resolver',
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
