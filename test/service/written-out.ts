/** Writes schemas out, so that those of a document and those of tools can be compared. */

import { type Node, child, follow, isNode } from '../contract/contract-document.js';

/** Keywords that tools do not tell: they say nothing about a value. */
const SILENT = new Set(['xml', '$defs']);

/**
 * A schema with the target of every reference in its place, and `allOf` for what is beside it. Only for schemas that are not
 * recursive, and data without `$ref`.
 *
 * @param document - what the references lead into: a document, or the schema itself
 */
export function writtenOut(
  document: Node,
  schema: unknown,
  omitted: (keyword: string, value: unknown) => boolean = () => false,
): unknown {
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write);
    if (!isNode(value)) return value;
    const kept = Object.entries(value).filter(
      ([keyword, each]) => !SILENT.has(keyword) && !omitted(keyword, each),
    );
    const { $ref, ...others } = Object.fromEntries(kept);
    const beside = Object.fromEntries(
      Object.entries(others).map(([keyword, each]) => [keyword, write(each)]),
    );
    if (typeof $ref !== 'string') return beside;
    const target = write(follow(document, { value: { $ref }, pointer: '#' }).value);
    return Object.keys(beside).length === 0 ? target : { target, beside };
  };
  return write(schema);
}

/** The schema of the JSON that an operation of a document answers with its first success. */
export function answerSchema(document: Node, operation: Node): unknown {
  const responses = child({ value: operation, pointer: '#' }, 'responses');
  const status = Object.keys(responses.value as Node).find((each) => each.startsWith('2')) ?? '';
  const content = child(follow(document, child(responses, status)), 'content');
  return child(child(content, 'application/json'), 'schema').value;
}
