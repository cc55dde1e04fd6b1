/** The parts of a project that its GraphQL schema needs: resolvers, and the models of types with fields that have their own resolvers. */

import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';
import ts from 'typescript';
import {
  type Code,
  NOTHING,
  WIDTH,
  accessor,
  code,
  identifier,
  joined,
  propertyName,
  singleQuoted,
} from '../text/code.js';
import { freeName, pascalCase } from '../text/identifiers.js';
import { Verbatim } from '../text/literal.js';
import { type PartFolder, named, stubTemplate } from './parts.js';
import type { Template } from './project.js';

/** @param file - the path of `graphql.ts` */
export function resolverParts(schema: GraphQLSchema, file: string): PartFolder {
  const unnamed = requiredResolvers(resolve(file)).map((path) => ({ path, words: path.join(' ') }));
  return {
    path: 'src/graphql/resolvers',
    what: 'resolver',
    parts: named(unnamed).map((part) => ({ ...part, template: templateOf(schema, part.name, part.path) })),
  };
}

function templateOf(schema: GraphQLSchema, name: string, path: readonly string[]): Template {
  const [TYPE = '', FIELD = ''] = path;
  const values = { NAME: name, TYPE, FIELD };
  if (path.length === 1 && isScalarType(schema.getType(TYPE)))
    return { file: 'src/graphql/resolvers/scalar.ts', values };
  if (schema.getSubscriptionType()?.name === TYPE)
    return { file: 'src/graphql/resolvers/subscription.ts', values };
  const about = `The resolver of \`${path.join('.')}\`.`;
  return stubTemplate({ name, about, types: ['SchemaResolvers', '../context.js'], path });
}

const PROBE = 'export type Probed = Resolvers<unknown>;';

/** Asks the compiler which members the type `Resolvers` of a file requires, so that exactly these get stubs. */
function requiredResolvers(file: string): readonly (readonly string[])[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    // By default the compiler would also read the types of browsers, which takes twice as long as all else.
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.NodeNext,
    types: [],
    // The project may not have installed `graphql` yet. Its package.json is no export of graphql 17, and the main file lies beside it.
    paths: { graphql: [dirname(createRequire(import.meta.url).resolve('graphql'))] },
  };
  const host = ts.createCompilerHost(options, true);
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => {
    const text = readFile(name);
    return text === undefined || resolve(name) !== file ? text : `${text}\n${PROBE}\n`;
  };
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const declaration = program.getSourceFile(file)?.statements.findLast(ts.isTypeAliasDeclaration);
  if (declaration === undefined) throw new Error(`${file} has no types`);
  return requiredMembers(checker, checker.getTypeAtLocation(declaration)).flatMap((type) => {
    const fields = requiredMembers(checker, checker.getTypeOfSymbol(type));
    // Resolvers of fields are an object type of the generated file; a scalar is a class of graphql-js.
    const isScalar = checker.getTypeOfSymbol(type).getSymbol()?.name === 'GraphQLScalarType';
    return isScalar ? [[type.name]] : fields.map((field) => [type.name, field.name]);
  });
}

function requiredMembers(checker: ts.TypeChecker, type: ts.Type): readonly ts.Symbol[] {
  return checker.getPropertiesOfType(type).filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0);
}

/** The types that get a model, with the name of the model. A field with arguments has a resolver, so a value need not have it. */
export function modelsOf(schema: GraphQLSchema): ReadonlyMap<GraphQLObjectType, string> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const taken = new Set<string>();
  const types = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('__') && !roots.includes(type) && resolved(type).length > 0);
  return new Map(types.map((type) => [type, freeName(`${pascalCase(type.name)}Model`, taken)]));
}

/** @param types - the text of `graphql.ts` */
export function modelsTemplate(schema: GraphQLSchema, types: string): Template {
  const models = modelsOf(schema);
  const changed = typesWith(models, schema);
  const declarations = [...models].map(([type, model]) => {
    const changedFields = unresolved(type).filter((field) => changed.has(getNamedType(field.type)));
    const members = changedFields.map((field) => {
      const key = code`${propertyName(field.name)}${isNonNullType(field.type) ? NOTHING : code`?`}`;
      return code`  ${key}: ${valueType(field.type)};\n`;
    });
    const omitted = [...resolved(type), ...changedFields].map(({ name }) => singleQuoted(name));
    return declaration(identifier(model), typeScriptName(type, types), omitted, members);
  });
  const values = { MODELS: new Verbatim(joined(declarations, code`\n\n`)) };
  return { file: 'src/graphql/models.ts', values };
}

/** The type of a model, with its lines broken as Prettier breaks them. */
function declaration(model: Code, type: Code, omitted: readonly Code[], members: readonly Code[]): Code {
  const union = joined(omitted, code` | `);
  const end = members.length === 0 ? code`;` : code` & {\n${joined(members)}};`;
  const flat = code`export type ${model} = Omit<${type}, ${union}>${end}`;
  if (flat.indexOf('\n') <= WIDTH && (members.length > 0 || flat.length <= WIDTH)) return flat;
  const separate = omitted.map((key) => code`  | ${key}`);
  const keys = union.length + 2 <= WIDTH ? code`  ${union}` : joined(separate, code`\n`);
  return code`export type ${model} = Omit<\n  ${type},\n${keys}\n>${end}`;
}

/** The types that have a model, and those whose values have parts with a model. */
function typesWith(models: Iterable<readonly [GraphQLNamedType, string]>, schema: GraphQLSchema) {
  const changed = new Set<GraphQLNamedType>([...models].map(([type]) => type));
  const partsOf = (type: GraphQLNamedType): readonly GraphQLNamedType[] => {
    if (isAbstractType(type)) return schema.getPossibleTypes(type);
    return isObjectType(type) ? unresolved(type).map((field) => getNamedType(field.type)) : [];
  };
  for (let size = 0; size < changed.size;) {
    size = changed.size;
    for (const type of Object.values(schema.getTypeMap()))
      if (partsOf(type).some((part) => changed.has(part))) changed.add(type);
  }
  return changed;
}

type Field = GraphQLField<unknown, unknown>;

function resolved(type: GraphQLObjectType): readonly Field[] {
  return Object.values(type.getFields()).filter(({ args }) => args.length > 0);
}

function unresolved(type: GraphQLObjectType): readonly Field[] {
  return Object.values(type.getFields()).filter(({ args }) => args.length === 0);
}

/** The type of a field's value in `graphql.ts`. */
function valueType(type: GraphQLOutputType): Code {
  if (!isNonNullType(type)) return code`schema.Maybe<${presentType(type)}>`;
  return presentType(type.ofType);
}

function presentType(type: GraphQLOutputType): Code {
  if (isListType(type)) return code`${valueType(type.ofType)}[]`;
  return code`schema.ResolversTypes[${singleQuoted(getNamedType(type).name)}]`;
}

/** The type of `graphql.ts`, whose name may have another spelling there. */
function typeScriptName({ name }: GraphQLObjectType, types: string): Code {
  const declared = new RegExp(`^export type (\\w+) = [^;{]*\\{\\s+__typename\\?: '${name}';`, 'm');
  return code`schema${accessor(declared.exec(types)?.[1] ?? name)}`;
}
