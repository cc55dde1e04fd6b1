/** A place in the files of a contract. */

export interface Position {
  /** Path of the file relative to the working directory, or its URL. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}
