/** Reads the operations of a parsed OpenAPI document. */

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
