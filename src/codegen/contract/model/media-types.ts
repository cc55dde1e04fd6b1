/** Classifies media types, and recognises the schemas of bytes. */

import type { SchemaNode } from '../schemas/contract-schemas.js';
import type { SchemaObject } from '../schemas/document.js';

/** A media type in lower case, without its parameters. */
export function essenceOf(written: string): string {
  return (written.split(';')[0] ?? written).trim().toLowerCase();
}

/** Whether a media type is JSON: `application/json`, or any type with the `+json` suffix (RFC 6839 §3.1). */
export function isJson(mediaType: string): boolean {
  return /^[^/]+\/(?:json|[^/]+\+json)$/.test(mediaType);
}

/** Whether a media type is XML: `application/xml`, `text/xml`, or any type with the `+xml` suffix (RFC 7303). */
export function isXml(mediaType: string): boolean {
  return /^[^/]+\/(?:xml|[^/]+\+xml)$/.test(mediaType);
}

/** Whether a body is raw bytes: it has no schema, or only one for "binary", which OpenAPI 3.0 and 3.1 spell differently. */
export function carriesBytes(node: SchemaNode | undefined): boolean {
  if (node === undefined) return true;
  const { object } = node.target;
  if (object.format === 'binary' || object.contentMediaType !== undefined) return true;
  return Object.keys(object).every((keyword) =>
    ['description', 'title', '$comment', 'example', 'examples'].includes(keyword),
  );
}

/**
 * The media type of bytes if their encoding names none. `application/octet-stream` means files of any type (RFC 2046 §4.5.1), so
 * it restricts nothing.
 */
export function contentMediaTypeOf({ contentMediaType: type }: SchemaObject): string | undefined {
  return type === undefined || essenceOf(type) === 'application/octet-stream' ? undefined : type;
}
