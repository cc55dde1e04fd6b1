/** Rewrites what openapi-backend does not know of OpenAPI 3.2 in terms of 3.1. */

import type { OpenApiDocument, PathItem } from '../load/openapi.js';
import { resolvePointer } from '../text/pointer.js';

/** The methods that openapi-backend finds operations of. */
const KNOWN = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Where the operation of a request is found: those of other methods are the `post` of a path of their own. */
export function olderRequest(
  method: string,
  path: string,
): { readonly method: string; readonly path: string } {
  return KNOWN.includes(method.toLowerCase())
    ? { method, path }
    : { method: 'POST', path: `/~${method}${path}` };
}

/** Stands for a parameter that is the whole query, which nothing checks. */
export const WHOLE_QUERY = 'x-whole-query';

/** A copy of the document. */
export function olderDocument(document: OpenApiDocument): OpenApiDocument {
  const items = Object.entries((document.paths ?? {}) as Readonly<Record<string, PathItem>>);
  // There may be extensions among the paths.
  const paths = items
    .filter(([path]) => path.startsWith('/'))
    .flatMap(([path, given]) => {
      const { $ref } = given as PathItem & { readonly $ref?: string };
      const named = $ref === undefined ? given : (resolvePointer(document, $ref) as PathItem);
      const { query, additionalOperations, ...item } = named;
      const others = { ...(query && { QUERY: query }), ...additionalOperations };
      return [
        [path, item],
        ...Object.entries(others).map(([method, post]) => {
          const further = { ...(item.parameters && { parameters: item.parameters }), post };
          return [olderRequest(method, path).path, further] as const;
        }),
      ] as const;
    });
  return withValues({ ...document, paths: Object.fromEntries<unknown>(paths) }, '') as OpenApiDocument;
}

/** Copies a part of the document, in which every example has a `value`. */
function withValues(part: unknown, key: string): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return (part as readonly unknown[]).map((each) => withValues(each, ''));
  if ('in' in part && part.in === 'querystring') return { in: 'header', name: WHOLE_QUERY, schema: {} };
  const members = Object.entries(part);
  if (key === 'examples') return Object.fromEntries(members.map(([name, each]) => [name, withValue(each)]));
  return Object.fromEntries(members.map(([name, member]) => [name, withValues(member, name)]));
}

function withValue(example: unknown): unknown {
  if (typeof example !== 'object' || example === null || 'value' in example) return example;
  if ('dataValue' in example) return { ...example, value: example.dataValue };
  return 'serializedValue' in example ? { ...example, value: example.serializedValue } : example;
}
