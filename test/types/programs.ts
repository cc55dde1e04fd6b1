/** Programs against generated signatures: each compiles, and its variants must not. */

/** A variant of a program that must not compile. */
export interface Refusal {
  readonly what: string;
  /** From a piece of the program to its replacement. */
  readonly change: readonly [piece: string, replacement: string];
  /** What the compiler says, in part. */
  readonly says: RegExp;
}

export interface Programs {
  readonly title: string;
  readonly program: string;
  readonly refusals: readonly Refusal[];
  /** The contract whose code the program imports from the folder of the same name; that of the service where there is none. */
  readonly fixture?: string;
}

/** The program, and its variants. @throws when the program does not have what a variant changes */
export function variantsOf({ program, refusals }: Programs): readonly string[] {
  const variants = refusals.map(({ change: [piece, replacement] }) => {
    if (!program.includes(piece)) throw new Error(`the program has no ${piece}`);
    return program.replace(piece, () => replacement);
  });
  return [program, ...variants];
}
