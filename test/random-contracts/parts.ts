/** Reads parts of a document as it is written, which may be anything. */

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
