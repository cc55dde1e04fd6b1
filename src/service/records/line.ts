/** A record as it stands in a file, or why it is none. */

export type Line = {
  /** From 1; of a record that has several lines, the last. */
  readonly number: number;
} & ({ readonly value: Readonly<Record<string, unknown>> } | { readonly fault: string });
