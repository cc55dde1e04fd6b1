/** Says what is wrong with a GraphQL schema and where, which graphql-codegen tells without the place and with its own stack. */

import { readFile } from 'node:fs/promises';
import {
  type DocumentNode,
  GraphQLError,
  Source,
  isTypeDefinitionNode,
  parse,
  specifiedScalarTypes,
  visit,
} from 'graphql';

/**
 * @param file - path of a schema in SDL
 * @returns a heading and a line for each fault; empty where none is found, or the file is not to be read
 */
export async function schemaProblems(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const faults = faultsOf(new Source(text, file));
  if (faults.length === 0) return [];
  return [`${file} is not a valid schema:`, ...faults.map((fault) => `  ${described(fault)}`)];
}

function faultsOf(source: Source): readonly GraphQLError[] {
  if (source.body.trim() === '') return [new GraphQLError('it is empty', { source, positions: [0] })];
  try {
    return unknownTypes(parse(source));
  } catch (error) {
    return error instanceof GraphQLError ? [error] : [];
  }
}

/** The references to types that the document does not define. */
function unknownTypes(document: DocumentNode): readonly GraphQLError[] {
  const known = new Set(specifiedScalarTypes.map(({ name }) => name));
  for (const definition of document.definitions) {
    if (isTypeDefinitionNode(definition)) known.add(definition.name.value);
  }
  const faults: GraphQLError[] = [];
  visit(document, {
    NamedType: (node) => {
      const { value } = node.name;
      if (!known.has(value)) faults.push(new GraphQLError(`there is no type ${value}`, { nodes: node }));
    },
  });
  return faults;
}

function described({ message, source, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  const at = place === undefined ? '' : `:${String(place.line)}:${String(place.column)}`;
  return `${source?.name ?? ''}${at}: ${message}`;
}
