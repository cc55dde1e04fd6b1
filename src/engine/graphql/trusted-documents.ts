/** Reads manifests of trusted documents: the only operations that a deployment then serves. */

/** Sources by the id that clients may send instead. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/**
 * Reads a manifest as the tools of clients write it: an object of sources by id (GraphQL Code Generator's client preset,
 * Relay), or Apollo's, which has a list of `{ id, body }` as `operations`.
 *
 * @param manifest - the parsed JSON
 * @throws an error that says what of the manifest is wrong
 */
export function readTrustedDocuments(manifest: unknown): TrustedDocuments {
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
    throw new Error('a manifest of trusted documents must be a JSON object');
  }
  const { operations } = manifest as { readonly operations?: unknown };
  const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(operations)
    ? operations.map(({ id, body }: { id?: unknown; body?: unknown }) => [id, body] as const)
    : Object.entries(manifest);
  return new Map(
    entries.map(([id, source]) => {
      if (typeof id === 'string' && typeof source === 'string') return [id, source];
      throw new Error(
        `the trusted document ${JSON.stringify(id)} must have an id and a source, both strings`,
      );
    }),
  );
}
