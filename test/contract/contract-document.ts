/** A parsed OpenAPI document, read without assuming its shape, because the checks verify that. */

/** A JSON object. */
export type Node = Readonly<Record<string, unknown>>;

/** A value and its place in the document. */
export interface Place {
  readonly value: unknown;
  readonly pointer: string;
}

export interface OperationPlace {
  readonly path: string;
  readonly method: string;
  readonly operation: Node;
  readonly pointer: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of an object with their places; none for any other value. */
export function entries({ value, pointer }: Place): (readonly [key: string, place: Place])[] {
  if (!isNode(value)) return [];
  return Object.keys(value).map((key) => [key, child({ value, pointer }, key)] as const);
}

/** The items of an array with their places; none for any other value. */
export function items({ value, pointer }: Place): Place[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown, index) => ({ value: item, pointer: `${pointer}/${index}` }));
}

/** The value of a key; `undefined` when there is none. */
export function child({ value, pointer }: Place, key: string): Place {
  return { value: isNode(value) ? value[key] : undefined, pointer: `${pointer}/${escape(key)}` };
}

export function rootOf(document: Node): Place {
  return { value: document, pointer: '#' };
}

/** Resolves a place: the target of a reference within the document, any other place itself. */
export function follow(document: Node, place: Place): Place {
  if (!isNode(place.value) || typeof place.value['$ref'] !== 'string') return place;
  const segments = place.value['$ref'].split('/').slice(1).map(unescape);
  const target = segments.reduce(child, rootOf(document));
  return target.value === place.value ? place : follow(document, target);
}

/** The operations of `paths`, in the document's order. */
export function operationsOf(document: Node): OperationPlace[] {
  return entries(child(rootOf(document), 'paths')).flatMap(([path, pathItem]) =>
    METHODS.flatMap((method) => {
      const { value, pointer } = child(pathItem, method);
      return isNode(value) ? [{ path, method, operation: value, pointer }] : [];
    }),
  );
}

/** All objects in the document, the document itself first. */
export function objectsOf(place: Place): { readonly node: Node; readonly pointer: string }[] {
  const { value, pointer } = place;
  const own = isNode(value) ? [{ node: value, pointer }] : [];
  const below = isNode(value) ? entries(place).map(([, entry]) => entry) : items(place);
  return [...own, ...below.flatMap(objectsOf)];
}

/** RFC 6901, section 3. */
function escape(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescape(segment: string): string {
  return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}
