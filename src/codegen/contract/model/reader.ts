/** The state that all reading steps share: the document, its references, and the problems found. */

import { type OpenApiDocument, type Referenced, isReference } from '../schemas/document.js';
import { type Fault, FaultError, type FaultKind } from '../problems/contract-problem.js';
import type { FeatureName } from '../problems/features.js';
import { ContractSchemas, type SchemaNode, type SchemaOptions } from '../schemas/contract-schemas.js';
import { joinPointer, resolvePointer } from '../../text/pointer.js';

export interface Located<T> {
  readonly value: T;
  /** JSON Pointer fragment, such as `#/paths/~1users/get`. */
  readonly at: string;
}

/** Reads one document. Unsupported features and faults are collected, so that one run reports them all. */
export class Reader {
  readonly faults: Fault[] = [];
  readonly schemas: ContractSchemas;

  constructor(
    readonly document: OpenApiDocument,
    options?: SchemaOptions,
  ) {
    this.schemas = new ContractSchemas(document, options);
  }

  /** Whether the document is OpenAPI 3.2, which has more methods and parameters. */
  get isVersion32(): boolean {
    return this.schemas.dialect.version === '3.2';
  }

  /**
   * Follows references until it reaches a value.
   *
   * @throws FaultError when a reference has no target or is circular, or leads to a value that is not an object
   */
  follow<T extends object>(value: Referenced<T>, at: string): Located<T> {
    const seen = new Set<string>();
    let found: unknown = value;
    let place = at;
    while (isReference(found)) {
      place = found.$ref;
      if (seen.has(place))
        throw new FaultError('unresolved-reference', at, `the reference ${place} leads back to itself`);
      seen.add(place);
      found = this.#target(place, at);
    }
    if (typeof found === 'object' && found !== null) return { value: found as T, at: place };
    throw new FaultError('invalid-structure', at, 'this must be an object');
  }

  /** The schema under a keyword of an object; undefined if the object has none. @param at - the place of the object */
  schemaOf(holder: object, at: string, keyword = 'schema'): SchemaNode | undefined {
    return Object.hasOwn(holder, keyword) ? this.schemas.at(joinPointer(at, keyword)) : undefined;
  }

  /** Reports a valid part of the contract that the generator does not support. */
  unsupported(feature: FeatureName, at: string, message: string, isNotice = false): void {
    this.schemas.unsupported(feature, at, message, isNotice);
  }

  /** Whether a header may have this name (RFC 9110 §5.6.2), which is reported if not. */
  isHeaderName(name: string, at: string): boolean {
    const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
    if (!isName) this.unsupported('header-name', at, 'HTTP allows no header of this name');
    return isName;
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
