/** Entity tags made from record versions, and the conditional requests that use them (RFC 9110 §8.8.3 and §13). */

import { createHash } from 'node:crypto';
import { type WriteCondition, unconditional } from '../services/version.js';

/**
 * The tag of one representation of a record. Representations differ in bytes, so a strong tag must distinguish them.
 *
 * @param mediaType - of the representation
 * @param content - a digest of the parts of the body that are not in the record
 */
export function entityTag(version: number, mediaType: string | undefined, content?: string): string {
  const media =
    mediaType === undefined || mediaType === 'application/json' ? '' : `-${mediaType.replace(/\W/g, '.')}`;
  return content === undefined ? `"${String(version)}${media}"` : `"${String(version)}${media}-${content}"`;
}

/** A variant for a body with more than its record: embedded parts change without the record's version. */
export function digest(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16);
}

/** The tag of a representation whose record has no version, made from its content. */
export function contentTag(body: unknown, mediaType: string | undefined): string {
  return entityTag(1, mediaType, digest(body));
}

/** Whether `If-None-Match` names the tag, by weak comparison (RFC 9110 §13.1.2). */
export function isNotModified(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((each) => each.replace(/^W\//, '') === tag);
}

/**
 * The condition that `If-Match` puts on a write. A write changes the record, so the tag of any representation matches;
 * weak tags never match (RFC 9110 §13.1.1).
 */
export function writeCondition(ifMatch: string | undefined): WriteCondition {
  if (ifMatch === undefined || ifMatch.trim() === '*') return unconditional;
  const versions = tagsOf(ifMatch).flatMap((tag) => /^"(\d+)(?:-[\w.-]+)?"$/.exec(tag)?.[1] ?? []);
  return { ifVersion: versions.map(Number) };
}

function tagsOf(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
