/** The type of the values whose format has the type __NAME__ in `codegen.ts`. */

export class __NAME__ {
  /** The value as messages carry it. */
  readonly wire: string | number;

  constructor(wire: string | number) {
    this.wire = wire;
  }
}

/** If it throws, the request is refused with 400. */
export function read__NAME__(wire: string | number): __NAME__ {
  return new __NAME__(wire);
}

/** If it throws, the answer is a 500. */
export function write__NAME__(value: unknown): string | number {
  if (value instanceof __NAME__) return value.wire;
  throw new TypeError('must be a __NAME__');
}
