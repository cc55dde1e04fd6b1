/** Notices: remarks about a contract that do not stop generation. */

export interface Position {
  /** Path of the file relative to the working directory, or its URL. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** A notice at a place of one document. */
export interface Notice {
  /** JSON Pointer. */
  readonly at: string;
  /** One sentence. */
  readonly message: string;
}

/** A notice with its place in the files. */
export interface ContractNotice extends Position {
  /** JSON Pointer into the contract as one document. */
  readonly pointer: string;
  readonly message: string;
}

/** `openapi.yaml:12:7 note at #/components/responses/BadRequest: …` */
export function describeNotice({ file, line, column, pointer, message }: ContractNotice): string {
  return `${file}:${String(line)}:${String(column)} note at ${pointer}: ${message}`;
}
