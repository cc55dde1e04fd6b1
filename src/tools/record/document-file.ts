/** Reads and writes the file of a document: a new one, or one that gets the parts that it lacks, in its own style. */

import { readFile } from 'node:fs/promises';
import { isAlias, parse, parseDocument, stringify } from 'yaml';
import {
  type Addition,
  type Fields,
  fieldsOf,
  itemsOf,
  missingParts,
  nodesOf,
  setIn,
  withAdditions,
} from './added-parts.js';
import { basePathOf } from 'concordat/contract';
import type { RecordedDocument } from './recorded-document.js';

/** The parts of a document that a recording needs to know before. */
interface ExistingDocument {
  readonly text: string;
  readonly templates: readonly string[];
  readonly operationIds: readonly string[];
  readonly basePath: string | undefined;
  /** The texts of all its enums, which are no secrets. */
  readonly enums: ReadonlySet<string>;
}

/** @throws an error that says why the file cannot be extended */
export async function readExisting(file: string): Promise<ExistingDocument> {
  const text = await readFile(file, 'utf8');
  const document = fieldsOf(read(text, file));
  if (!/^3\.[12]\./.test(String(document['openapi'])))
    throw new Error(`${file} is not a document of OpenAPI 3.1 or 3.2, so that nothing can be added to it.`);
  const paths = fieldsOf(document['paths']);
  const operations = Object.values(paths).flatMap((item) => Object.values(fieldsOf(item)).map(fieldsOf));
  return {
    text,
    templates: Object.keys(paths).filter((path) => path.startsWith('/')),
    operationIds: operations.flatMap(({ operationId }) =>
      typeof operationId === 'string' ? [operationId] : [],
    ),
    basePath: basePathOf(itemsOf(document['servers'])[0]),
    enums: new Set(enumsIn(document)),
  };
}

function* enumsIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, member] of Object.entries(part)) {
    if (name === 'enum') for (const value of itemsOf(member)) if (typeof value === 'string') yield value;
    yield* enumsIn(member);
  }
}

const isJson = (text: string): boolean => text.trimStart().startsWith('{');

function read(text: string, file: string): unknown {
  try {
    return isJson(text) ? JSON.parse(text) : parse(text);
  } catch {
    throw new Error(`${file} is neither YAML nor JSON.`);
  }
}

/** The text of a new document. */
export function documentText(document: RecordedDocument, file: string): string {
  const plain = withoutEmpty(document);
  if (file.endsWith('.json')) return `${JSON.stringify(plain, null, 2)}\n`;
  return stringify(plain, { lineWidth: 0, aliasDuplicateObjects: false });
}

function withoutEmpty({ components, ...document }: RecordedDocument): unknown {
  const filled = Object.entries(components).filter(([, members]) => Object.keys(members).length > 0);
  return { ...document, ...(filled.length > 0 && { components: Object.fromEntries(filled) }) };
}

/** The text of the document with the parts that it lacked. @returns the places that were added too */
export function extendedText(
  existing: ExistingDocument,
  recorded: RecordedDocument,
): { readonly text: string; readonly added: readonly string[] } {
  const { text } = existing;
  if (isJson(text)) {
    const document = JSON.parse(text) as Record<string, unknown>;
    const additions = missingParts(document, recorded);
    for (const { place, value, isItem } of additions) setIn(document, place, value, isItem);
    const [, indent = '  '] = /^\{\r?\n([ \t]+)/.exec(text.trimStart()) ?? [];
    const written = `${JSON.stringify(document, null, indent)}\n`;
    return { text: additions.length > 0 ? written : text, added: additions.map(nameOf) };
  }
  const document = parseDocument(text);
  const additions = missingParts(document.toJS() as Fields, recorded).filter(({ place }) => {
    // The parts of an alias are written elsewhere.
    return !nodesOf(document, place).some((node) => isAlias(node));
  });
  return { text: withAdditions(text, document, additions), added: additions.map(nameOf) };
}

const nameOf = ({ place, value, isItem }: Addition): string =>
  isItem ? `${place.join(' ')} ${String(fieldsOf(value)['name'])}` : place.join(' ');
