/** Finds the recorded parts that a document lacks. Whatever is written in it stays as it is. */

import { isReference, valueAt } from 'concordat/contract';
import { type RecordedDocument, shapeOf } from './recorded-document.js';

/** One part that is missing, with its place. A place in a list is after its last item. */
export interface Addition {
  readonly place: readonly string[];
  readonly value: unknown;
  readonly isItem?: true;
}

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The parts of the recording that the document lacks. */
export function missingParts(document: Fields, recorded: RecordedDocument): readonly Addition[] {
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
      const value = names(operation);
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
      // A recorded `default` is a guess.
      if (status === 'default') return [];
      if (Object.hasOwn(responses, status)) {
        return missingContent(responses, fieldsOf(recorded['responses']), status, [...place, 'responses']);
      }
      const isCovered = ['default', `${status.slice(0, 1)}XX`].some((each) => Object.hasOwn(responses, each));
      return isCovered ? [] : [{ place: [...place, 'responses', status], value }];
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
