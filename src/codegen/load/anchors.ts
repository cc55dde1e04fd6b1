/** Replaces references to anchors by JSON Pointers: only the schema compiler knows anchors. */

import { Documents } from '../compiler/documents.js';

/** An anchor in the same document (JSON Schema, Core §8.2.2). */
const ANCHOR = /^#[A-Za-z_]/;

/** Rewrites, in place, every `$ref` of a document to one of its own anchors. One without a target stays as it is. */
export function withPointers(document: unknown): void {
  const references = anchorReferences(document);
  if (references.length === 0) return;
  const documents = new Documents(document);
  for (const reference of references) {
    try {
      const { at } = documents.resolve(reference.$ref, documents.ownerOf(reference));
      if (at.startsWith('#/')) reference.$ref = at;
    } catch {
      // The linter reports a reference without a target, with its place.
    }
  }
}

interface AnchorReference {
  $ref: string;
}

function anchorReferences(value: unknown): readonly AnchorReference[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(anchorReferences);
  return isAnchorReference(value) ? [value, ...inner] : inner;
}

function isAnchorReference(value: object): value is AnchorReference {
  return '$ref' in value && typeof value.$ref === 'string' && ANCHOR.test(value.$ref);
}
