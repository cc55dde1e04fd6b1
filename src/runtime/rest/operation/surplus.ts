/** Omits the members of answers that the contract's closed schemas do not declare. */

import type { Check, OmitSurplus } from '../../contract/contract.js';
import { failureOf } from '../../failures/sentences.js';
import type { HttpRequest } from '../../http/message.js';
import { withoutBigints } from '../decode/exact.js';
import { placeOf } from '../../failures/failure.js';

/**
 * The treatment of members that a closed schema does not declare, in the answers of handlers: `strip` omits them, `refuse` answers with
 * a masked 500, `send` sends them.
 *
 * An object schema is closed if it has `additionalProperties: false`. If a closed schema is under `allOf`, `oneOf`, `anyOf`, `if` or
 * similar, or has `unevaluatedProperties: false`, then omitting members would mean choosing among schemas. With `strip` and `refuse`, a
 * value that these schemas refuse is a masked 500.
 */
export type SurplusMode = 'strip' | 'send' | 'refuse';

/** The parts of an engine that omitting needs. */
export interface SurplusOptions {
  readonly mode: SurplusMode;
  /** By the name of a response's check. */
  readonly functions: Readonly<Record<string, OmitSurplus>>;
  /** Called with the first omission per place. */
  readonly report: (error: unknown, request: HttpRequest<never>) => void;
}

/** The number of places per representation after which omissions are no longer reported, because names may be endless. */
const MOST_PLACES = 1000;

/** Returns the value to send. @throws an error that names the operation, the status and the place */
export type Strip = (value: unknown, status: number, request: HttpRequest<never>) => unknown;

/** The function for the values of a representation; undefined if it has no closed schema, or everything is sent. */
export function compileStrip(
  operationId: string,
  check: string | undefined,
  { mode, functions, report }: SurplusOptions,
): Strip | undefined {
  const omit = check !== undefined && Object.hasOwn(functions, check) ? functions[check] : undefined;
  if (omit === undefined || mode === 'send') return undefined;
  const known = new Set<string>();
  // Shared by all calls, because most responses have nothing to omit and nothing is made for them.
  const surplus = { places: [] as (string | number)[][], require: requireFit };
  function note(
    places: readonly (readonly (string | number)[])[],
    status: number,
    request: HttpRequest<never>,
  ): void {
    for (const keys of places) {
      const place = ['body', ...keys.toReversed().map((key) => (typeof key === 'number' ? '*' : key))].join(
        '/',
      );
      const fault = `${operationId} answered ${String(status)} with a member that its contract does not declare`;
      if (mode === 'refuse') throw new Error(`${fault}: ${place}`);
      const entry = `${String(status)} ${place}`;
      if (known.has(entry) || known.size >= MOST_PLACES) continue;
      known.add(entry);
      try {
        report(new Error(`${fault}, and that was omitted: ${place}`), request);
      } catch {
        // A failed report cannot be reported, and the client is waiting.
      }
    }
  }
  return (value, status, request) => {
    // No schema describes bytes.
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    try {
      const kept = omit(value, surplus);
      const { places } = surplus;
      if (places.length > 0) {
        surplus.places = [];
        note(places, status, request);
      }
      return kept;
    } catch (cause) {
      surplus.places = [];
      if (!(cause instanceof Unfit)) throw cause;
      const place = ['body', ...placeOf(cause)].join('/');
      const message = `${operationId} answered ${String(status)} against its contract: ${cause.explain(place)}`;
      throw new Error(message, { cause });
    }
  };
}

/** Few values differ from their JSON, so only a value that is refused is checked again as the value that JSON makes of it. */
function requireFit(check: Check, value: unknown): void {
  if (check(value)) return;
  const sent: unknown = JSON.parse(JSON.stringify(withoutBigints(value ?? null)));
  if (!check(sent)) throw new Unfit((place) => failureOf(check, sent, place));
}

/** The failure of a value in which no member can be omitted; its `place` is added on the way out. A function holds the value: it is not logged. */
class Unfit extends Error {
  constructor(readonly explain: (place: string) => string) {
    super();
  }
}
