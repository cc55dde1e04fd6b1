/** A place in the files of a contract. */

/** Where a part of a contract is written. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** JSON Pointer into the contract as one document, or the schema coordinate of GraphQL (`Query.user`). */
  readonly pointer: string;
}
