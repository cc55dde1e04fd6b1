/** A record that was read from a file, or why it could not be read. */

export type Line = {
  /** Counts from 1; for a record of several lines, the last of them. */
  readonly number: number;
} & ({ readonly value: Readonly<Record<string, unknown>> } | { readonly fault: string });
