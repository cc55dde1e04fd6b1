/** Reads manifests of trusted documents, which are then the only documents that a deployment serves. */

import { isMap } from './parameters.js';

/** The source of each trusted document, by the id that clients may send instead. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/**
 * Reads a manifest that a client's tool wrote: an object of sources by id (GraphQL Code Generator's client preset, Relay), or
 * one whose `operations` is a list of `{ id, body }` (Apollo).
 *
 * @param manifest - the parsed JSON
 * @throws an error that names the fault and its place in the manifest
 */
export function readTrustedDocuments(manifest: unknown): TrustedDocuments {
  if (!isMap(manifest)) throw new Error('a manifest of trusted documents must be a JSON object');
  const { operations } = manifest;
  if (Array.isArray(operations)) return new Map(operations.map(readOperation));
  return new Map(
    Object.entries(manifest).map(([id, source]) => {
      if (typeof source === 'string') return [id, source];
      throw new Error(`the trusted document ${JSON.stringify(id)} must be a string`);
    }),
  );
}

function readOperation(operation: unknown, index: number): readonly [id: string, source: string] {
  const { id, body } = isMap(operation) ? operation : {};
  if (typeof id === 'string' && typeof body === 'string') return [id, body];
  throw new Error(`operations/${String(index)} must have an id and a body, both strings`);
}
