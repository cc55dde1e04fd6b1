/** Adds the recorded parts that a document lacks. Whatever is written in it stays as it is. */

import { readFile } from 'node:fs/promises';
import { type Document, parse, parseDocument, stringify } from 'yaml';
import { isReference } from '../load/openapi.js';
import { valueAt } from '../text/pointer.js';
import type { RecordedDocument } from './recorded-document.js';

/** One part that is missing, with its place. A place in a list is after its last item. */
interface Addition {
  readonly place: readonly string[];
  readonly value: unknown;
  readonly isItem?: true;
}

/** The parts of a document that a recording needs to know before. */
export interface ExistingDocument {
  readonly text: string;
  readonly templates: readonly string[];
  readonly operationIds: readonly string[];
  readonly basePath: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** @throws an error that says why the file cannot be extended */
export async function readExisting(file: string): Promise<ExistingDocument> {
  const text = await readFile(file, 'utf8');
  const document = fieldsOf(read(text, file));
  if (!/^3\.[12]\./.test(String(document['openapi']))) {
    throw new Error(`${file} is not a document of OpenAPI 3.1 or 3.2, so that nothing can be added to it.`);
  }
  const paths = fieldsOf(document['paths']);
  const operations = Object.values(paths).flatMap((item) => Object.values(fieldsOf(item)).map(fieldsOf));
  const url = fieldsOf(itemsOf(document['servers'])[0])['url'];
  return {
    text,
    templates: Object.keys(paths).filter((path) => path.startsWith('/')),
    operationIds: operations.flatMap(({ operationId }) =>
      typeof operationId === 'string' ? [operationId] : [],
    ),
    basePath: typeof url === 'string' ? basePathOf(url) : undefined,
  };
}

/** The path of a server's URL, which may be relative. */
export function basePathOf(url: string): string | undefined {
  if (url.includes('{') || !URL.canParse(url, 'http://localhost')) return undefined;
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '');
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
    const document = JSON.parse(text) as Fields;
    const additions = missingParts(document, recorded);
    for (const addition of additions) addToObject(document, addition);
    const [, indent = '  '] = /^\{\r?\n([ \t]+)/.exec(text.trimStart()) ?? [];
    const written = `${JSON.stringify(document, null, indent)}\n`;
    return { text: additions.length > 0 ? written : text, added: additions.map(nameOf) };
  }
  const document = parseDocument(text);
  const additions = missingParts(document.toJS() as Fields, recorded);
  for (const addition of additions) addToYaml(document, addition);
  const written = additions.length > 0 ? document.toString({ lineWidth: 0 }) : text;
  return { text: written, added: additions.map(nameOf) };
}

const nameOf = ({ place, value, isItem }: Addition): string =>
  isItem ? `${place.join(' ')} ${String(fieldsOf(value)['name'])}` : place.join(' ');

function addToObject(document: Fields, { place, value, isItem }: Addition): void {
  let holder = document as Record<string, unknown>;
  const last = place.at(-1) ?? '';
  for (const step of place.slice(0, -1)) holder = (holder[step] ??= {}) as Record<string, unknown>;
  if (isItem) holder[last] = [...itemsOf(holder[last]), value];
  else holder[last] = value;
}

function addToYaml(document: Document, { place, value, isItem }: Addition): void {
  const node = document.createNode(value, { aliasDuplicateObjects: false });
  if (!isItem) document.setIn(place, node);
  else if (document.hasIn(place)) document.addIn(place, node);
  else document.setIn(place, document.createNode([value]));
}

function missingParts(document: Fields, recorded: RecordedDocument): readonly Addition[] {
  const names = renamed(document, recorded);
  const paths = fieldsOf(document['paths']);
  const additions: Addition[] = [];
  for (const [path, operations] of Object.entries(recorded.paths)) {
    const known = Object.keys(paths).find((each) => shapeOf(each) === shapeOf(path));
    const item = known === undefined ? undefined : paths[known];
    // The operations of a path item in another place are written there.
    if (isReference(item)) continue;
    for (const [method, operation] of Object.entries(operations)) {
      const place = ['paths', known ?? path, method];
      const value = names(known === undefined ? operation : withNamesOf(known, path, operation));
      const own = fieldsOf(item)[method];
      if (own === undefined) additions.push({ place, value });
      else
        additions.push(
          ...missingOfOperation(document, fieldsOf(item), fieldsOf(own), fieldsOf(value), place),
        );
    }
  }
  return [...additions, ...missingComponents(document, recorded, additions)];
}

/** Two templates that differ in the names of their parameters are the same path. */
const shapeOf = (template: string): string => template.replaceAll(/\{[^}]*\}/g, '{}');

/** The operation with the path parameters of the document: they have the names that it gives them. */
function withNamesOf(known: string, path: string, operation: unknown): unknown {
  const namesIn = (template: string): readonly string[] =>
    [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
  const given = new Map(namesIn(path).map((name, index) => [name, namesIn(known)[index]]));
  const fields = fieldsOf(operation);
  const { parameters, ...rest } = fields;
  if (parameters === undefined) return operation;
  return {
    ...rest,
    parameters: itemsOf(parameters).map((each) => {
      const parameter = fieldsOf(each);
      return parameter['in'] === 'path'
        ? { ...parameter, name: given.get(String(parameter['name'])) }
        : parameter;
    }),
  };
}

/** Replaces the names of the recording's components that the document uses for others. */
function renamed(document: Fields, { components }: RecordedDocument): (value: unknown) => unknown {
  const own = fieldsOf(document['components']);
  const schemes = fieldsOf(own['securitySchemes']);
  const nameOfScheme = (name: string): string => {
    const scheme = components.securitySchemes[name];
    const same = Object.entries(schemes).find(([, each]) => isSameScheme(fieldsOf(each), fieldsOf(scheme)));
    return same?.[0] ?? (Object.hasOwn(schemes, name) ? `recorded-${name}` : name);
  };
  const hasOtherError = Object.hasOwn(fieldsOf(own['schemas']), 'Error');
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (key === 'security') {
          const requirements = itemsOf(member).map((each) =>
            Object.fromEntries(
              Object.entries(fieldsOf(each)).map(([name, scopes]) => [nameOfScheme(name), scopes]),
            ),
          );
          return [key, requirements];
        }
        if (key === '$ref' && hasOtherError) return [key, '#/components/schemas/RecordedError'];
        return [key, walk(member)];
      }),
    );
  };
  return walk;
}

function isSameScheme(one: Fields, other: Fields): boolean {
  const text = (value: unknown): string => String(value).toLowerCase();
  return (['type', 'scheme', 'in', 'name'] as const).every(
    (member) => text(one[member]) === text(other[member]),
  );
}

/** The components that the additions refer to, and that the document does not have. */
function missingComponents(
  document: Fields,
  recorded: RecordedDocument,
  additions: readonly Addition[],
): readonly Addition[] {
  const own = fieldsOf(document['components']);
  const text = JSON.stringify(additions.map(({ value }) => value));
  const { Error: error } = recorded.components.schemas;
  const errorName = ['Error', 'RecordedError'].find((name) =>
    text.includes(`"#/components/schemas/${name}"`),
  );
  const schemes = Object.entries(recorded.components.securitySchemes).flatMap(([name, value]) =>
    [name, `recorded-${name}`]
      .filter((each) => text.includes(`${JSON.stringify(each)}:[]`))
      .filter((each) => !Object.hasOwn(fieldsOf(own['securitySchemes']), each))
      .map((each): Addition => ({ place: ['components', 'securitySchemes', each], value })),
  );
  const hasError = errorName !== undefined && Object.hasOwn(fieldsOf(own['schemas']), errorName);
  if (error === undefined || errorName === undefined || hasError) return schemes;
  return [{ place: ['components', 'schemas', errorName], value: error }, ...schemes];
}

/** The responses, media types, query parameters and the body that an operation lacks. */
function missingOfOperation(
  document: Fields,
  item: Fields,
  own: Fields,
  recorded: Fields,
  place: readonly string[],
): readonly Addition[] {
  const follow = (value: unknown): Fields =>
    fieldsOf(isReference(value) ? localTarget(document, value.$ref) : value);
  const responses = fieldsOf(own['responses']);
  const declared = [...itemsOf(item['parameters']), ...itemsOf(own['parameters'])].map(follow);
  return [
    ...itemsOf(recorded['parameters'])
      .map(fieldsOf)
      .filter((each) => each['in'] === 'query')
      .filter((each) => !declared.some((known) => known['in'] === 'query' && known['name'] === each['name']))
      .filter(() => !declared.some((known) => known['in'] === 'querystring'))
      .map((value): Addition => ({ place: [...place, 'parameters'], value, isItem: true })),
    ...missingContent(own, recorded, 'requestBody', place),
    ...Object.entries(fieldsOf(recorded['responses'])).flatMap(([status, value]): readonly Addition[] => {
      if (Object.hasOwn(responses, status)) {
        return missingContent(responses, fieldsOf(recorded['responses']), status, [...place, 'responses']);
      }
      const isCovered = ['default', `${status.slice(0, 1)}XX`].some((each) => Object.hasOwn(responses, each));
      // A recorded `default` is a guess.
      return isCovered || status === 'default' ? [] : [{ place: [...place, 'responses', status], value }];
    }),
  ];
}

/** A body that is missing as a whole, or some of its media types. A part by reference stays as it is. */
function missingContent(
  own: Fields,
  recorded: Fields,
  member: string,
  place: readonly string[],
): readonly Addition[] {
  const { [member]: known } = own;
  const { [member]: value } = recorded;
  if (value === undefined || isReference(known)) return [];
  if (known === undefined) return [{ place: [...place, member], value }];
  const types = fieldsOf(fieldsOf(known)['content']);
  return Object.entries(fieldsOf(fieldsOf(value)['content']))
    .filter(([type]) => !covers(Object.keys(types), type))
    .map(([type, media]) => ({ place: [...place, member, 'content', type], value: media }));
}

/** Whether one of the media types, which may be ranges or have parameters, includes the type. */
function covers(known: readonly string[], type: string): boolean {
  return known.some((each) => {
    const essence = each.replace(/;.*/s, '').trim().toLowerCase();
    return (
      essence === type ||
      essence === '*/*' ||
      (essence.endsWith('/*') && type.startsWith(essence.slice(0, -1)))
    );
  });
}

function localTarget(document: Fields, reference: string): unknown {
  return reference.startsWith('#') ? valueAt(document, reference) : undefined;
}
