/** Finds the path of a contract for which a lax router would take another spelling, such as `/Users/` for `/users`. */

import { valuesWithin } from './segment-values.js';

/** What the generated tree of paths has at one position. */
interface PathNode {
  readonly operations?: Readonly<Partial<Record<string, string>>>;
  readonly literals?: Readonly<Record<string, PathNode>>;
  readonly patterns?: readonly { readonly pattern: RegExp; readonly node: PathNode }[];
  readonly parameter?: PathNode;
}

/** Separators that a router, or a server behind it, takes for a slash: Koa and Express turn `\` into one if the target has a `#`. */
const SLASHES = /%2f|%5c|\\/gi;

/**
 * Makes the function that finds the contract's spelling of a path. It ignores case, empty and dot segments, percent-encoding, `;parameters` of
 * a segment, and all from a `#` on.
 *
 * @param templateOf - the template of an operation, such as `/users/{id}`; undefined for those that the engine does not serve
 * @returns a function from a path without an exact match to the path in the contract's spelling, with the parameters as sent
 */
export function compileSpellings(
  root: PathNode,
  templateOf: (operationId: string) => string | undefined,
): (path: string) => string | undefined {
  return (path) => {
    if (!path.startsWith('/')) return undefined;
    const plain = path.replace(/#.*/s, '');
    for (const text of new Set([plain, plain.replaceAll(SLASHES, '/')])) {
      const values: string[] = [];
      const node = search(root, segmentsOf(text), values);
      const templates = (Object.values(node?.operations ?? {}) as string[]).map(templateOf);
      const template = templates.find((each) => each !== undefined);
      if (template !== undefined) return filledPath(template, (_, index) => values[index] ?? '');
    }
    return undefined;
  };
}

/** The rest of a path below a prefix in any spelling; undefined for a path that is not below it. */
export function belowSpelling(prefix: string, path: string): string | undefined {
  const segments = segmentsOf(path.replace(/#.*/s, '').replaceAll(SLASHES, '/'));
  const wanted = segmentsOf(prefix);
  const isBelow = wanted.every((name, index) => {
    const given = segments[index];
    return given !== undefined && (/^[:{]/.test(name) || namesOf(given).includes(name.toLowerCase()));
  });
  return isBelow ? `/${segments.slice(wanted.length).join('/')}` : undefined;
}

/** The segments that name something: without empty ones, and with `.` and `..` resolved, as a server with a `URL` does (RFC 3986 §5.2.4). */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const dots = segment.replaceAll(/%2e/gi, '.');
    if (dots === '..') segments.pop();
    else if (dots !== '' && dots !== '.') segments.push(segment);
  }
  return segments;
}

/** The literals that a segment may mean, in lower case. */
function namesOf(segment: string): readonly string[] {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // A segment that does not decode is compared as it is.
  }
  return [text, text.replace(/;.*/s, '')].map((each) => each.toLowerCase());
}

/** The literals of a node in lower case. They are made for the first path that has no exact match. */
const folded = new WeakMap<PathNode, ReadonlyMap<string, readonly PathNode[]>>();

function literalsOf(node: PathNode): ReadonlyMap<string, readonly PathNode[]> {
  let literals = folded.get(node);
  if (literals === undefined) {
    const found = new Map<string, PathNode[]>();
    for (const [text, child] of Object.entries(node.literals ?? {}))
      found.set(text.toLowerCase(), [...(found.get(text.toLowerCase()) ?? []), child]);
    folded.set(node, (literals = found));
  }
  return literals;
}

/** Tries concrete segments first, as the exact search does. @param values - holds the parameters of the branch being tried */
function search(node: PathNode, segments: readonly string[], values: string[]): PathNode | undefined {
  const [segment, ...others] = segments;
  // The contract's own path may end with a slash.
  if (segment === undefined) return node.operations ? node : node.literals?.[''];
  const count = values.length;
  const into = (child: PathNode, given: readonly string[]): PathNode | undefined => {
    values.length = count;
    values.push(...given);
    return search(child, others, values);
  };
  for (const name of new Set(namesOf(segment))) {
    for (const child of literalsOf(node).get(name) ?? []) {
      const found = into(child, []);
      if (found) return found;
    }
  }
  for (const { pattern, node: child } of node.patterns ?? []) {
    const given = valuesWithin(new RegExp(pattern.source, `${pattern.flags.replace('i', '')}i`), segment);
    const found = given && into(child, given);
    if (found) return found;
  }
  return node.parameter && into(node.parameter, [segment]);
}

/**
 * A path template with its parameters filled in. Its text is encoded where an address cannot hold it.
 *
 * @param textOf - the text of a parameter, percent-encoded
 */
export function filledPath(template: string, textOf: (name: string, index: number) => string): string {
  return template
    .split(/\{([^}]+)\}/)
    .map((part, index) =>
      index % 2 === 1
        ? textOf(part, (index - 1) / 2)
        : part.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text)),
    )
    .join('');
}
