/** Reads the operations of a parsed OpenAPI document, whose references by `$id` and by anchor become JSON Pointers (JSON Schema, Core §8.2). */

/** A JSON object. */
export type Node = Readonly<Record<string, unknown>>;

/** An operation, with the references to its path item and parameters resolved. */
export interface DocumentOperation {
  readonly id: string | undefined;
  /** In upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  readonly node: Node;
  /** Includes the parameters of the path. */
  readonly parameters: readonly Node[];
}

/** The methods of OpenAPI 3.1, and QUERY of 3.2. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of an object, without its `x-` fields; none for any other value. */
export function entriesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return isNode(value) ? Object.entries(value).filter(([name]) => !name.startsWith('x-')) : [];
}

/** The operations of `paths`, in the order of the document. */
export function operationsOf(document: Node): readonly DocumentOperation[] {
  return entriesOf(document['paths']).flatMap(([path, item]) => {
    const shared = resolve(document, item);
    return METHODS.flatMap((method) => {
      const node = shared[method];
      if (!isNode(node)) return [];
      const id = typeof node['operationId'] === 'string' ? node['operationId'] : undefined;
      const parameters = parametersOf(document, node['parameters'], shared['parameters']);
      return [{ id, method: method.toUpperCase(), path, node, parameters }];
    });
  });
}

/** A parameter of the operation replaces the path's parameter of the same name and location (Operation Object). */
function parametersOf(document: Node, own: unknown, shared: unknown): readonly Node[] {
  const byKey = new Map<string, Node>();
  for (const parameter of [shared, own].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))) {
    const node = resolve(document, parameter);
    byKey.set(`${String(node['in'])} ${String(node['name'])}`, node);
  }
  return [...byKey.values()];
}

/** The target of a reference, or the value itself; an empty object if that is not an object. */
export function resolve(document: Node, value: unknown): Node {
  const seen = new Set<unknown>();
  let node = value;
  while (isNode(node) && typeof node['$ref'] === 'string' && !seen.has(node)) {
    seen.add(node);
    node = targetOf(document, node['$ref']);
  }
  return isNode(node) ? node : {};
}

/** @throws when the reference leads out of the document, or its target does not exist */
export function targetOf(document: Node, reference: string): unknown {
  const target = segmentsOf(reference).reduce<unknown>(
    (value, segment) => (typeof value === 'object' && value !== null ? (value as Node)[segment] : undefined),
    document,
  );
  if (target === undefined) throw new Error(`the document has no ${reference}`);
  return target;
}

/** The steps of a JSON Pointer in a URI fragment (RFC 6901 §6). */
export function segmentsOf(reference: string): readonly string[] {
  if (!reference.startsWith('#/')) {
    throw new Error(`${reference} leads to another file: tools need the whole document in one`);
  }
  const segments = reference.slice(2).split('/');
  return segments.map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Keywords and fields that hold data, not schemas; and those whose members have free names, which may equal a keyword. */
const DATA = /^(?:examples?|default|enum|const|x-.*)$/;
const NAMED = /^(?:(?:pattern)?[pP]roperties|dependentSchemas|\$defs|definitions|schemas|responses)$/;

const IDENTIFIERS = new Set(['$id', '$anchor', '$dynamicAnchor']);

/** The base URI used for the document, which need not have one. */
const DOCUMENT = 'document:///';

/** A copy of the document without `$id` and anchors; the document itself if it has none, as before OpenAPI 3.1. */
export function linkedDocument(document: Node): Node {
  const places = new Map([[DOCUMENT, '#']]);
  if (!String(document['openapi']).startsWith('3.0')) findPlaces(document, '#', DOCUMENT, places);
  return places.size === 1 ? document : (linked(document, DOCUMENT, places) as Node);
}

/** Collects the places that have a URI. @param places - JSON Pointers by URI, and by URI with the name of an anchor */
function findPlaces(
  value: unknown,
  at: string,
  outer: string,
  places: Map<string, string>,
  isNamed = false,
): void {
  if (typeof value !== 'object' || value === null) return;
  const base = baseOf(value, outer);
  if (base !== outer) places.set(base, at);
  for (const [key, member] of Object.entries(value) as Iterable<[string, unknown]>) {
    if (typeof member === 'string' && /^\$(?:anchor|dynamicAnchor)$/.test(key))
      places.set(`${base}#${member}`, at);
    const step = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
    if (isNamed || !DATA.test(key)) findPlaces(member, `${at}/${step}`, base, places, NAMED.test(key));
  }
}

function linked(
  value: unknown,
  outer: string,
  places: ReadonlyMap<string, string>,
  isNamed = false,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const base = baseOf(value, outer);
  if (Array.isArray(value)) return value.map((each) => linked(each, base, places));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
      if (typeof member === 'string' && IDENTIFIERS.has(key)) return [];
      if (key === '$ref' && typeof member === 'string') return [[key, pointerOf(member, base, places)]];
      return [[key, DATA.test(key) && !isNamed ? member : linked(member, base, places, NAMED.test(key))]];
    }),
  );
}

/** The base URI of the references in a value. */
function baseOf(value: object, outer: string): string {
  return isNode(value) && typeof value['$id'] === 'string' ? absolute(value['$id'], outer) : outer;
}

function pointerOf(reference: string, base: string, places: ReadonlyMap<string, string>): string {
  const uri = absolute(reference, base);
  const [resource = '', fragment = ''] = uri.split(/#(.*)/s);
  const isName = fragment !== '' && !fragment.startsWith('/');
  const place = places.get(isName ? uri : resource);
  return place === undefined ? reference : isName ? place : place + fragment;
}

function absolute(reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}
