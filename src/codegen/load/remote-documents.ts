/** The type of the documents that a caller has for `$ref`s to a URI. */

/** Documents by the URI that `$ref`s name, without a fragment. */
export type Remotes = Readonly<Record<string, unknown>>;
