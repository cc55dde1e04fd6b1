/** Reads a GraphQL schema in SDL, and reports all its faults. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  Lexer,
  type ObjectTypeDefinitionNode,
  Source,
  TokenKind,
  buildASTSchema,
  concatAST,
  parse,
  print,
  validateSchema,
} from 'graphql';
// `graphql` itself does not export this function, which keeps the positions of errors; building a schema loses them.
import { validateSDL } from 'graphql/validation/validate.js';
import { ContractError, type FaultKind } from '../../contract/problems/contract-problem.js';
import type { SchemaFiles } from './resolver-options.js';
import { compileConstraints, refusedDefaults, withConstraintDefinition } from './constraints.js';
import { supportedDocument } from './unsupported-directives.js';

/**
 * @param accept - unsupported features that the team has read and accepts
 * @param tolerated - called with the faults of the schema, which then do not end its reading; an unknown type is a scalar
 * @throws ContractError with every fault of parsing, or else of the rules for type system documents, or else of the rules
 *   for schemas (GraphQL October 2021, sections 2 and 3)
 */
export async function readSchema(
  files: SchemaFiles,
  accept: readonly string[] = [],
  tolerated?: (error: ContractError) => void,
): Promise<GraphQLSchema> {
  const names = [files].flat();
  const [main = ''] = names;
  const parts = await Promise.all(names.map(readPart));
  refuse(main, 'invalid-schema', [...parts.flatMap(invalidLinks), ...parts.flatMap(unwritableDirectives)]);
  const whole = withAddedArguments(concatAST(parts));
  const document = withConstraintDefinition(supportedDocument(whole, main, accept));
  const faults = validateSDL(document);
  if (tolerated !== undefined && faults.length > 0) {
    tolerated(errorOf(main, 'invalid-schema', faults));
    const unknown = faults.flatMap(({ message }) => /^Unknown type "(\w+)"/.exec(message)?.[1] ?? []);
    const scalars = [...new Set(unknown)].map((name) => `scalar ${name}`).join('\n');
    return buildASTSchema(scalars === '' ? document : concatAST([document, parse(scalars)]), {
      assumeValid: true,
    });
  }
  refuse(main, 'invalid-schema', faults);
  const schema = buildASTSchema(document, { assumeValidSDL: true });
  const broken = validateSchema(schema);
  if (tolerated !== undefined && broken.length > 0) {
    tolerated(errorOf(main, 'invalid-schema', broken));
    return buildASTSchema(document, { assumeValid: true });
  }
  refuse(main, 'invalid-schema', broken);
  refuse(main, 'invalid-schema', compileConstraints(schema)?.faults ?? []);
  refuse(main, 'invalid-schema', await refusedDefaults(schema));
  return schema;
}

/**
 * Adds the arguments that a field has in `extend type` to the field of the same name and type that the type has already: by GraphQL's
 * own rules, no argument could be added to a schema in another file.
 */
function withAddedArguments(document: DocumentNode): DocumentNode {
  const merged = new Set<FieldDefinitionNode>();
  const ofExtensions = document.definitions.filter((each) => each.kind === Kind.OBJECT_TYPE_EXTENSION);
  const withMore =
    (type: ObjectTypeDefinitionNode) =>
    (field: FieldDefinitionNode): FieldDefinitionNode => {
      const others = ofExtensions
        .filter(({ name }) => name.value === type.name.value)
        .flatMap(({ fields = [] }) => fields)
        .filter(({ name, arguments: given = [] }) => given.length > 0 && name.value === field.name.value)
        .filter((other) => print(other.type) === print(field.type));
      for (const other of others) merged.add(other);
      return { ...field, arguments: [field, ...others].flatMap((each) => each.arguments ?? []) };
    };
  const extended = document.definitions.map((each) =>
    each.kind === Kind.OBJECT_TYPE_DEFINITION && each.fields
      ? { ...each, fields: each.fields.map(withMore(each)) }
      : each,
  );
  const isLeft = (field: FieldDefinitionNode) => !merged.has(field);
  const definitions = extended.map((each) =>
    each.kind === Kind.OBJECT_TYPE_EXTENSION ? { ...each, fields: (each.fields ?? []).filter(isLeft) } : each,
  );
  return { ...document, definitions };
}

/** The links whose address is none (Apollo's specification `link`, 1.0). */
function invalidLinks(document: DocumentNode): readonly GraphQLError[] {
  const schemas = document.definitions.filter(
    ({ kind }) => kind === Kind.SCHEMA_DEFINITION || kind === Kind.SCHEMA_EXTENSION,
  );
  const links = schemas
    .flatMap(({ directives = [] }) => directives)
    .filter(({ name }) => name.value === 'link');
  return links.flatMap(({ arguments: given = [] }) =>
    given.flatMap(({ name, value }) => {
      if (name.value !== 'url' || (value.kind === Kind.STRING && URL.canParse(value.value))) return [];
      return [new GraphQLError('the `url` of a `@link` must be an address', { nodes: [value] })];
    }),
  );
}

/** Names of directives that graphql-tools confuses with the inherited members of every JavaScript object, such as `constructor`. */
function unwritableDirectives({ definitions }: DocumentNode): readonly GraphQLError[] {
  return definitions.flatMap((each) => {
    if (each.kind !== Kind.DIRECTIVE_DEFINITION || !(each.name.value in Object.prototype)) return [];
    const message = `a directive cannot be named ${each.name.value}, because every object of JavaScript has a member of that name`;
    return [new GraphQLError(message, { nodes: [each.name] })];
  });
}

async function readPart(file: string): Promise<DocumentNode> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const message = existsSync(file) ? String(error) : 'the file does not exist';
    throw new ContractError([{ fault: 'missing-file', file, message }]);
  });
  const source = new Source(text, file);
  try {
    if (text.trim() === '') throw new GraphQLError('it is empty', { source, positions: [0] });
    requireShallow(source);
    return parse(source);
  } catch (error) {
    if (error instanceof GraphQLError) refuse(file, 'invalid-syntax', [error]);
    throw error;
  }
}

const OPENING: readonly string[] = [TokenKind.BRACE_L, TokenKind.PAREN_L, TokenKind.BRACKET_L];
const CLOSING: readonly string[] = [TokenKind.BRACE_R, TokenKind.PAREN_R, TokenKind.BRACKET_R];

/** The compiler of TypeScript reads no type of fifty lists inside each other, and the parser no value of ten thousand. */
const MOST_LEVELS = 30;

/** @throws GraphQLError where brackets are too deep inside each other */
function requireShallow(source: Source): void {
  const lexer = new Lexer(source);
  let level = 0;
  for (let { kind, start } = lexer.advance(); kind !== TokenKind.EOF; { kind, start } = lexer.advance()) {
    if (OPENING.includes(kind)) level += 1;
    else if (CLOSING.includes(kind)) level -= 1;
    if (level > MOST_LEVELS)
      throw new GraphQLError(`it is nested over ${MOST_LEVELS} levels deep`, { source, positions: [start] });
  }
}

/** @param main - the file of the schema; a fault that other files take part in has its place there */
function refuse(main: string, fault: FaultKind, errors: readonly GraphQLError[]): void {
  if (errors.length > 0) throw errorOf(main, fault, errors);
}

function errorOf(main: string, fault: FaultKind, errors: readonly GraphQLError[]): ContractError {
  return new ContractError(
    errors.map(({ message, locations = [], nodes = [] }) => {
      const added = nodes.findIndex(({ loc }) => loc !== undefined && loc.source.name !== main);
      const place = locations[Math.max(added, 0)];
      const file = nodes[added]?.loc?.source.name ?? main;
      return { fault, file, ...(place && { line: place.line, column: place.column }), message };
    }),
  );
}
