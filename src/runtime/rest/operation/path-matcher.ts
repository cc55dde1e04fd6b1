/** Finds the operations of a path by walking the generated tree, one segment at a time. */

import type { Method, PathNode } from '../../contract/contract.js';
import { valuesWithin } from '../../http/segment-values.js';

/** A path of the contract. */
export interface PathMatch<Target> {
  /** The operations of the path, by method. */
  readonly targets: ReadonlyMap<string, Target>;
  /** The text of the path's parameters, in the order of the template, still percent-encoded. */
  readonly values: readonly string[];
}

interface Node<Target> {
  readonly targets: ReadonlyMap<string, Target> | undefined;
  readonly literals: ReadonlyMap<string, Node<Target>>;
  readonly patterns: readonly { readonly pattern: RegExp; readonly node: Node<Target> }[];
  readonly parameter: Node<Target> | undefined;
}

/**
 * Makes the function that finds paths. It tries concrete segments first (OpenAPI, "Path Templating Matching"), and the next
 * branch when one has no match. The time of a search does not depend on the number of paths.
 *
 * @param root - the tree of the contract
 * @param target - maps an operationId to the value that a match returns; undefined leaves the operation out, but not its path
 */
export function compilePaths<Target>(
  root: PathNode,
  target: (operationId: string) => Target | undefined,
): (path: string) => PathMatch<Target> | undefined {
  const tree = compileNode(root, target);
  return (path) => {
    if (path.charCodeAt(0) !== SLASH) return undefined;
    const values: string[] = [];
    const targets = search(tree, path, 1, values);
    return targets && { targets, values };
  };
}

/** The ids of the operations of each path. */
export function idsByPath({ operations, literals, patterns, parameter }: PathNode): readonly string[][] {
  const children = [
    ...Object.values(literals ?? {}),
    ...(patterns ?? []).map(({ node }) => node),
    ...(parameter === undefined ? [] : [parameter]),
  ];
  return [Object.values(operations ?? {}) as string[], ...children.flatMap(idsByPath)];
}

const SLASH = 0x2f;

function compileNode<Target>(
  node: PathNode,
  target: (operationId: string) => Target | undefined,
): Node<Target> {
  const operations = Object.entries(node.operations ?? {}) as [Method, string][];
  return {
    targets:
      node.operations &&
      new Map(
        operations.flatMap(([method, id]): readonly [string, Target][] => {
          const found = target(id);
          return found === undefined ? [] : [[method, found]];
        }),
      ),
    literals: new Map(
      Object.entries(node.literals ?? {}).map(([text, child]) => [text, compileNode(child, target)]),
    ),
    patterns: (node.patterns ?? []).map(({ pattern, node: child }) => ({
      pattern,
      node: compileNode(child, target),
    })),
    parameter: node.parameter && compileNode(node.parameter, target),
  };
}

/**
 * @param start - the index of the next segment; -1 after the last one
 *
 * @param values - holds the parameters of the branch being tried
 */
function search<Target>(
  node: Node<Target>,
  path: string,
  start: number,
  values: string[],
): ReadonlyMap<string, Target> | undefined {
  if (start === -1) return node.targets;
  const slash = path.indexOf('/', start);
  const segment = slash === -1 ? path.slice(start) : path.slice(start, slash);
  const next = slash === -1 ? -1 : slash + 1;

  const literal = node.literals.get(segment.includes('%') ? decoded(segment) : segment);
  const found = literal && search(literal, path, next, values);
  if (found) return found;

  const count = values.length;
  for (const { pattern, node: child } of node.patterns) {
    const given = valuesWithin(pattern, segment);
    if (given === undefined) continue;
    values.push(...given);
    const match = search(child, path, next, values);
    if (match) return match;
    values.length = count;
  }

  if (node.parameter === undefined || segment === '') return undefined;
  values.push(segment);
  const match = search(node.parameter, path, next, values);
  if (match === undefined) values.length = count;
  return match;
}

/** A literal may be percent-encoded in a path (RFC 3986 §6.2.2.2); a segment that does not decode matches no literal. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
