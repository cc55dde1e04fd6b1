/** Reads parts of a document as it is written, which may be anything. */

import { pointerToken } from './names.js';

export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of a part, if it has it itself. */
export const memberOf = (part: unknown, name: string): unknown =>
  isNode(part) && Object.hasOwn(part, name) ? part[name] : undefined;

/** The operation as the document writes it. */
export const partOf = (document: Node, path: string, method: string): unknown =>
  memberOf(memberOf(document['paths'], path), method.toLowerCase());

/** The schema of the JSON of a response of an operation, or of its request. */
export function jsonSchemaOf(operation: unknown, status?: string): unknown {
  const part =
    status === undefined
      ? memberOf(operation, 'requestBody')
      : memberOf(memberOf(operation, 'responses'), status);
  return memberOf(memberOf(memberOf(part, 'content'), 'application/json'), 'schema');
}

/** The keywords whose members have names of the author. */
const MAPS = new Set(['properties', 'mapping', 'patternProperties', 'schemas']);
/** The keywords whose members are no schemas. */
const OTHERS = new Set(['enum', 'const', 'example', 'examples', 'default', 'securitySchemes', 'security']);

/** All schemas of a document, as far as they have a `type` or `properties`, with their places. */
export function schemasOf(document: unknown): readonly { readonly schema: Node; readonly pointer: string }[] {
  const found: { schema: Node; pointer: string }[] = [];
  const visit = (value: unknown, key: string, pointer: string): void => {
    if (Array.isArray(value))
      for (const [at, each] of value.entries()) visit(each, key, `${pointer}/${String(at)}`);
    if (!isNode(value)) return;
    const isMap = MAPS.has(key);
    const isTyped = typeof value['type'] === 'string' || 'properties' in value;
    if (!isMap && isTyped && !('in' in value) && !('scheme' in value)) found.push({ schema: value, pointer });
    for (const [name, inner] of Object.entries(value))
      if (isMap || !(OTHERS.has(name) || name.startsWith('x-')))
        visit(inner, isMap ? '' : name, `${pointer}/${pointerToken(name)}`);
  };
  visit(document, '', '#');
  return found;
}

/** The media types of JSON that have a schema, with their places. */
export function bodiesOf(document: unknown): readonly { readonly media: Node; readonly pointer: string }[] {
  const found: { media: Node; pointer: string }[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (!isNode(value)) return;
    const media = memberOf(value['content'], 'application/json');
    if (isNode(media) && isNode(media['schema']))
      found.push({ media, pointer: `${pointer}/content/application~1json` });
    for (const [name, inner] of Object.entries(value))
      if (name !== 'schema' && name !== 'content') visit(inner, `${pointer}/${pointerToken(name)}`);
  };
  visit(memberOf(document, 'paths'), '#/paths');
  return found;
}
