/** The state that all reading steps share: the document, its references, and the problems found. */

import type { Coercion } from '@concordat/runtime';
import {
  type OpenApiDocument,
  type Referenced,
  type Schema,
  type SchemaObject,
  isReference,
  isObject,
} from '../schemas/document.js';
import {
  type Fault,
  FaultError,
  type FaultKind,
  type UnsupportedFeature,
} from '../problems/contract-problem.js';
import type { FeatureName } from '../problems/features.js';
import { ContractSchemas, type InvalidDefaults } from '../schemas/contract-schemas.js';
import { resolvePointer } from '../../text/pointer.js';
import type { ValueTypes } from './value-types.js';

export interface Located<T> {
  readonly value: T;
  /** JSON Pointer fragment, such as `#/paths/~1users/get`. */
  readonly at: string;
}

/** Reads one document. Unsupported features and faults are collected, so that one run reports them all. */
export class Reader {
  readonly unsupportedFeatures: UnsupportedFeature[] = [];
  readonly faults: Fault[] = [];
  /** The coercions that are known, by schema: several fields, media types and operations may share one. */
  readonly coercions = new WeakMap<object, Coercion>();
  readonly schemas: ContractSchemas;

  /** @param values - the types that handlers get for the values of a format */
  constructor(
    readonly document: OpenApiDocument,
    readonly invalidDefaults: InvalidDefaults = new Map(),
    readonly values: ValueTypes = {},
  ) {
    this.schemas = new ContractSchemas(document, { invalidDefaults });
  }

  /** Whether the document is OpenAPI 3.0, whose schemas are a separate dialect. */
  get isVersion30(): boolean {
    return this.document.openapi.startsWith('3.0');
  }

  /** Whether the document is OpenAPI 3.2, which has more methods and parameters. */
  get isVersion32(): boolean {
    return this.document.openapi.startsWith('3.2');
  }

  /**
   * Follows references until it reaches a value.
   *
   * @throws FaultError when a reference has no target or is circular, or leads to a value that is not an object
   */
  follow<T extends object>(value: Referenced<T>, at: string): Located<T> {
    const found = this.#follow(value, at);
    if (typeof found.value === 'object' && found.value !== null) return found as Located<T>;
    throw new FaultError('invalid-structure', at, 'this must be an object');
  }

  /** Follows a schema's own `$ref`; `true` becomes a schema without restrictions, `false` one that refuses every value. */
  followSchema(schema: Schema, at: string): Located<SchemaObject> {
    const found = this.#follow(schema, at);
    if (typeof found.value === 'boolean') return { value: found.value ? {} : { not: {} }, at: found.at };
    // A value that is not a schema is reported when the checks are compiled.
    return isObject(found.value) ? (found as Located<SchemaObject>) : { value: {}, at: found.at };
  }

  #follow(value: unknown, at: string): Located<unknown> {
    const seen = new Set<string>();
    let current = value;
    let place = at;
    while (isReference(current)) {
      place = current.$ref;
      if (seen.has(place)) {
        throw new FaultError('unresolved-reference', at, `the reference ${place} leads back to itself`);
      }
      seen.add(place);
      current = this.#target(place, at);
    }
    return { value: current, at: place };
  }

  /** Reports a valid part of the contract that the generator does not support. */
  unsupported(feature: FeatureName, at: string, message: string, isNotice = false): void {
    this.unsupportedFeatures.push({ feature, at, message, isNotice });
  }

  fault(fault: FaultKind, at: string, message: string): void {
    this.faults.push({ fault, at, message });
  }

  /** Calls `read` for a part of the document; if it throws a fault, the fault is collected and the result is undefined. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      this.faults.push(error.fault);
      return undefined;
    }
  }

  #target(pointer: string, at: string): unknown {
    try {
      return resolvePointer(this.document, pointer);
    } catch {
      throw new FaultError('unresolved-reference', at, `the reference ${pointer} has no target`);
    }
  }
}
