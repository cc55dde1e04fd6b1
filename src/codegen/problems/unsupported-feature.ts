/** Valid parts of a contract that the generator does not support. */

/** One such part; it stops generation unless the team accepts it. */
export interface UnsupportedFeature {
  /** The name of the feature, as `accept` spells it: `unknown-format`. */
  readonly feature: string;
  /** JSON Pointer to the place in the contract: `#/components/schemas/Pet/format`. */
  readonly at: string;
  /** One sentence that says what is not supported. */
  readonly message: string;
}
