/** The text of a helper function for generated modules. */

/** A function of the generated module, and the others that it calls. */
export interface HelperSource {
  readonly needs: readonly string[];
  readonly code: string;
}
