/** The type of a gap: what a contract says and the generator cannot honour. */

/** Something the contract says that the generator does not support; stops generation unless the config accepts its code. */
export interface Gap {
  /** Names the kind of gap, as a config's `accept` list spells it: `unknown-format`. */
  readonly code: string;
  /** JSON Pointer to the place in the document: `#/components/schemas/Pet/discriminator`. */
  readonly at: string;
  /** One sentence that says what is not supported. */
  readonly message: string;
}
