/** Replaces references to anchors by JSON Pointers: only the schema compiler knows anchors. */

import { Documents } from '../compiler/documents.js';
import { joinPointer } from '../text/pointer.js';

/** An anchor in the same document (JSON Schema, Core §8.2.2). */
const ANCHOR = /^#[A-Za-z_]/;

/** Rewrites, in place, every `$ref` of a document to one of its own anchors. One without a target stays as it is. */
export function withPointers(document: unknown): void {
  const references = anchorReferences(document);
  if (references.length === 0) return;
  const documents = new Documents(document);
  for (const reference of references) {
    const at = placeOf(documents, reference) ?? looseAnchor(document, reference.$ref.slice(1));
    // The linter reports a reference without a target, with its place.
    if (at?.startsWith('#/') === true) reference.$ref = at;
  }
}

function placeOf(documents: Documents, reference: AnchorReference): string | undefined {
  try {
    return documents.resolve(reference.$ref, documents.ownerOf(reference)).at;
  } catch {
    return undefined;
  }
}

/** The only place of an anchor in a file of parts, which is neither OpenAPI nor a schema, so that schemas may be anywhere. */
function looseAnchor(document: unknown, name: string): string | undefined {
  if (typeof document !== 'object' || document === null || 'openapi' in document) return undefined;
  const [place, ...others] = placesOfAnchor(document, name, '#');
  return others.length === 0 ? place : undefined;
}

function placesOfAnchor(value: unknown, name: string, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    placesOfAnchor(member, name, joinPointer(at, key)),
  );
  return '$anchor' in value && value.$anchor === name ? [at, ...inner] : inner;
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
