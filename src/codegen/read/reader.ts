/** What every reading step shares: the document, how its references are followed, and where gaps are noted. */

import type { Gap } from '../gap.js';
import type { OpenApiDocument, Reference, Referenced, Schema, SchemaObject } from '../openapi.js';
import { resolvePointer } from '../schemas/pointer.js';

/** A value with the place it stands at. */
export interface Located<T> {
  readonly value: T;
  /** JSON Pointer fragment, such as `#/paths/~1users/get`. */
  readonly at: string;
}

/** Reads one document. Gaps and faults are collected, so that one run names them all. */
export class Reader {
  readonly gaps: Gap[] = [];
  /** One sentence each, with its place. */
  readonly faults: string[] = [];

  constructor(readonly document: OpenApiDocument) {}

  /** Whether the document is OpenAPI 3.0, whose schemas are a dialect of their own. */
  get isVersion30(): boolean {
    return this.document.openapi.startsWith('3.0');
  }

  /**
   * Follows references until a value stands there.
   *
   * @throws when a reference points nowhere or in a circle
   */
  follow<T extends object>(value: Referenced<T>, at: string): Located<T> {
    const seen = new Set<string>();
    let current: Referenced<T> = value;
    let place = at;
    while (isReference(current)) {
      place = current.$ref;
      if (seen.has(place)) throw new Error(`${at}: the reference ${place} leads back to itself`);
      seen.add(place);
      current = resolvePointer(this.document, place) as Referenced<T>;
    }
    return { value: current, at: place };
  }

  /** Follows a schema's own `$ref`; a boolean schema is one without or with every restriction. */
  followSchema(schema: Schema, at: string): Located<SchemaObject> {
    if (typeof schema === 'boolean') return { value: schema ? {} : { not: {} }, at };
    return this.follow<SchemaObject>(schema, at);
  }

  /** Notes something that the contract says and the generator does not support. */
  gap(code: string, at: string, message: string): void {
    this.gaps.push({ code, at, message });
  }

  /** Notes something that no contract may say. */
  fault(at: string, message: string): void {
    this.faults.push(`${at}: ${message}`);
  }
}

function isReference<T extends object>(value: Referenced<T>): value is Reference {
  return '$ref' in value && typeof value.$ref === 'string';
}
