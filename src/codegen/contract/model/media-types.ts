/** Classifies media types, and recognises the schemas of bytes. */

import type { SchemaNode } from '../schemas/contract-schemas.js';
import { words } from '../../text/identifiers.js';
import { descriptionsOf } from './schema-shape.js';

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

/** Whether values are raw bytes: they have no schema, or only one for "binary", which OpenAPI 3.0 and 3.1 spell differently. */
export function carriesBytes(node: SchemaNode | undefined): boolean {
  return node === undefined || descriptionsOf(node).every((each) => saysBytes(each) || saysNothing(each));
}

/** Whether a description of values says that they are raw bytes. */
export function saysBytes(description: readonly SchemaNode[]): boolean {
  return description.some(
    ({ object }) => object.format === 'binary' || object.contentMediaType !== undefined,
  );
}

/** The keywords that do not restrict a value themselves. */
const SILENT = new Set(words('$ref allOf oneOf anyOf description title $comment example examples'));

export function saysNothing(description: readonly SchemaNode[]): boolean {
  return description.every(({ object }) => Object.keys(object).every((keyword) => SILENT.has(keyword)));
}

/**
 * The media type of bytes if their encoding names none. `application/octet-stream` means files of any type (RFC 2046 §4.5.1), so
 * it restricts nothing.
 */
export function contentMediaTypeOf(description: readonly SchemaNode[]): string | undefined {
  const type = description.map(({ object }) => object.contentMediaType).find((each) => each !== undefined);
  return type === undefined || essenceOf(type) === 'application/octet-stream' ? undefined : type;
}
