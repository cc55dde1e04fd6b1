/** The tree of the paths that were seen, and how values among their segments are recognised. */

import { percentDecoded } from 'concordat/contract';
import { BoundedMap } from './observed/bounded-map.js';
import type { RecordedOperation } from './observed/recorded-operation.js';
import { ObservedText } from './observed/observed-text.js';
import { Callers } from './observed/callers.js';

/** One segment of the paths. */
export interface PathNode {
  readonly children: BoundedMap<string, PathNode>;
  /** The segments that are values. */
  parameter: PathNode | undefined;
  readonly values: ObservedText;
  /** The callers whose requests to the path or below it were accepted. */
  readonly callers: Callers;
  readonly operations: BoundedMap<string, RecordedOperation>;
  /** Whether further words are values, because there were too many. */
  isCollapsed: boolean;
}

/** A path and its operations. */
export interface RecordedPath {
  /** Undefined is a parameter. */
  readonly segments: readonly (string | undefined)[];
  /** The values of the parameters. */
  readonly values: readonly ObservedText[];
  readonly operations: ReadonlyMap<string, RecordedOperation>;
}

export const newNode = (): PathNode => ({
  children: new BoundedMap(),
  parameter: undefined,
  values: new ObservedText(),
  callers: new Callers(),
  operations: new BoundedMap(),
  isCollapsed: false,
});

export const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => part.includes('{') || part === segments[index]);

/** Whether a request to the path or below it was accepted. */
export const isAccepted = ({ operations, children, parameter }: PathNode): boolean =>
  [...operations.values()].some((operation) => operation.isAccepted) ||
  [...children.values()].some(isAccepted) ||
  (parameter !== undefined && isAccepted(parameter));

/** Removes the paths whose requests were all refused. */
export function prune({ children, parameter }: PathNode): void {
  for (const [word, child] of children) {
    if (isAccepted(child)) prune(child);
    else children.delete(word);
  }
  if (parameter !== undefined) prune(parameter);
}

/** How many paths there are, with the node itself. */
export function sizeOf({ children, parameter }: PathNode): number {
  const below = [...children.values(), ...(parameter === undefined ? [] : [parameter])];
  return below.reduce((sum, child) => sum + sizeOf(child), 1);
}

/** Makes a word a value of the parameter in its place. No example of it is written, because it may be a secret. */
export function takeAsValue(node: PathNode, word: string, child: PathNode): void {
  node.parameter ??= newNode();
  if (isAccepted(child)) node.parameter.values.add(percentDecoded(word), { caller: '', isSensitive: true });
  mergeNodes(node.parameter, child);
}

function mergeNodes(into: PathNode, from: PathNode): void {
  into.values.merge(from.values);
  into.callers.merge(from.callers);
  into.operations.merge(from.operations, (own, theirs) => own.merge(theirs));
  into.children.merge(from.children, mergeNodes);
  if (from.parameter === undefined) return;
  if (into.parameter === undefined) into.parameter = from.parameter;
  else mergeNodes(into.parameter, from.parameter);
}

/** So many words with the same methods and results are values. */
const ALIKE = 4;

/**
 * @param known - the templates that fit the place, whose words stay
 * @param isSecret - whether a word is a credential, also by the word before it, or one of too few callers
 */
export function mergeSiblings(
  node: PathNode,
  known: readonly { template: readonly string[]; depth: number }[],
  isSecret: (word: string, before: string | undefined, node: PathNode) => boolean,
  before?: string,
): void {
  const named = new Set(known.map(({ template, depth }) => template[depth] ?? ''));
  for (const [word, child] of node.children) {
    if (named.has(word) || !isSecret(percentDecoded(word), before, child)) continue;
    node.children.delete(word);
    takeAsValue(node, word, child);
  }
  const groups = new Map<string, (readonly [string, PathNode])[]>();
  for (const [word, child] of node.children) {
    if (named.has(word) || !isAccepted(child)) continue;
    const keys = [/\d/.test(word) ? `digits ${word.replaceAll(/\d+/g, '#')}` : undefined, shapeOf(child)];
    for (const key of keys)
      if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), [word, child]]);
  }
  for (const [key, alike] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const left = alike.filter(([word]) => node.children.has(word));
    if (left.length < (key.startsWith('digits') ? 2 : ALIKE)) continue;
    for (const [word, child] of left) {
      node.children.delete(word);
      takeAsValue(node, word, child);
    }
  }
  const below = (fitsPart: (part: string) => boolean): typeof known => {
    const fitting = known.filter(({ template, depth }) => fitsPart(template[depth] ?? ''));
    return fitting.map(({ template, depth }) => ({ template, depth: depth + 1 }));
  };
  for (const [word, child] of node.children) {
    const fitting = below((part) => part === word);
    mergeSiblings(child, fitting, isSecret, word);
  }
  const variable = below((part) => part.includes('{'));
  if (node.parameter !== undefined) mergeSiblings(node.parameter, variable, isSecret);
}

/** The methods of a path, and the properties that its GET answers; undefined if it has no GET that answers an object. */
function shapeOf({ operations }: PathNode): string | undefined {
  const names = operations.get('GET')?.success?.value.common ?? [];
  return names.length < 2 ? undefined : JSON.stringify([[...operations.keys()].sort(), [...names].sort()]);
}

/** A path whose requests were all refused, such as `/users/abc`, belongs to the parameter in its place. */
export function foldRefused(node: PathNode): void {
  for (const [word, child] of node.children) {
    if (node.parameter !== undefined && !isAccepted(child)) {
      node.children.delete(word);
      keepKnown(child, node.parameter);
      mergeNodes(node.parameter, child);
    } else foldRefused(child);
  }
  if (node.parameter !== undefined) foldRefused(node.parameter);
}

/** Leaves the operations that the parameter's paths have too. */
function keepKnown(node: PathNode, parameter: PathNode): void {
  for (const method of [...node.operations.keys()])
    if (!parameter.operations.has(method)) node.operations.delete(method);
  for (const [word, child] of node.children) {
    const known = parameter.children.get(word);
    if (known === undefined) node.children.delete(word);
    else keepKnown(child, known);
  }
  if (node.parameter !== undefined && parameter.parameter !== undefined)
    keepKnown(node.parameter, parameter.parameter);
  else node.parameter = undefined;
}

export function* pathsOf(
  node: PathNode,
  segments: readonly (string | undefined)[],
  values: readonly ObservedText[],
): Generator<RecordedPath> {
  const operations = new Map([...node.operations].filter(([, operation]) => operation.isAccepted));
  // The engine answers HEAD as it answers GET.
  if (operations.has('GET')) operations.delete('HEAD');
  if (operations.size > 0 && segments.length > 0) yield { segments, values, operations };
  for (const [word, child] of node.children.sorted) yield* pathsOf(child, [...segments, word], values);
  const { parameter } = node;
  if (parameter !== undefined)
    yield* pathsOf(parameter, [...segments, undefined], [...values, parameter.values]);
}
