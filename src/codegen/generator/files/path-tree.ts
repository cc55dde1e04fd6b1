/** Builds the tree of paths that the engine walks to find an operation. */

import type { Method } from '@concordat/runtime';
import { FaultError } from '../../contract/problems/contract-problem.js';
import type { PlacedOperation } from '../../contract/model/model.js';
import { regExp } from '../../text/code.js';
import { Verbatim } from '../../text/literal.js';

/** A `PathNode` of the engine while it grows. */
interface TreeNode {
  operations?: Partial<Record<Method, string>>;
  literals?: Record<string, TreeNode>;
  patterns?: { readonly pattern: SegmentPattern; readonly node: TreeNode }[];
  parameter?: TreeNode;
}

/**
 * The tree of all paths, with one level per segment. Keys keep the contract's order.
 *
 * @throws FaultError when two operations share a method and a path that differ only in parameter names
 */
export function pathTree(operations: readonly PlacedOperation[]): TreeNode {
  const root: TreeNode = {};
  for (const operation of operations) {
    const node = operation.path.split('/').slice(1).reduce(child, root);
    node.operations ??= {};
    const other = node.operations[operation.method];
    if (other !== undefined) {
      const message = `${operation.method} ${operation.path} is also the path of ${other}`;
      throw new FaultError('duplicate', operation.pointer, message);
    }
    node.operations[operation.method] = operation.id;
  }
  return root;
}

function child(parent: TreeNode, segment: string): TreeNode {
  if (/^\{[^}]+\}$/.test(segment)) return (parent.parameter ??= {});
  if (!segment.includes('{')) {
    // Without a prototype, a segment named `constructor` needs no special handling.
    const literals = (parent.literals ??= Object.create(null) as Record<string, TreeNode>);
    return (literals[decodeURIComponent(segment)] ??= {});
  }
  const pattern = new SegmentPattern(segment);
  const patterns = (parent.patterns ??= []);
  const known = patterns.find((each) => each.pattern.code === pattern.code);
  if (known) return known.node;
  const node: TreeNode = {};
  patterns.push({ pattern, node });
  // A segment with more literal text is more concrete.
  patterns.sort((a, b) => b.pattern.literalLength - a.pattern.literalLength);
  return node;
}

/** The expression of a segment with parameters. */
class SegmentPattern extends Verbatim {
  /** How much literal text the segment has. */
  readonly literalLength: number;

  constructor(segment: string) {
    // A request may encode any character of the text, so the engine compares texts without encoding.
    const texts = segment.split(/\{[^}]+\}/).map(decodeURIComponent);
    super(regExp(segmentExpression(texts)));
    this.literalLength = texts.join('').length;
  }
}

/**
 * Each parameter but the last ends at the first occurrence of the text that follows it in the template, because this leaves the
 * most for the others to match. A look-ahead does not backtrack, so the time is linear in the length of the segment.
 */
function segmentExpression(texts: readonly string[]): RegExp {
  const [first = '', ...others] = texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const parts = others.map((text, index) =>
    index === others.length - 1 ? `([^/]+?)${text}` : `(?=([^/]+?)${text})\\${index + 1}(?:${text})`,
  );
  return new RegExp(`^${first}${parts.join('')}$`);
}
