/** Goes on with a comparison without the faulty parts of the old version. */

import { type ContractProblem, ContractError, joinPointer, pointerTokens } from 'concordat/contract';
import type { Change, Verdict } from './change/change.js';

/** Its faults end a comparison, unless the parts that have them can be left out. */
export class OldFaults extends Error {
  constructor(readonly error: ContractError) {
    super(error.message);
  }
}

/** Runs a step with the old version. @throws OldFaults in place of a ContractError */
export async function oldStep<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof ContractError ? new OldFaults(error) : error;
  }
}

/** A part of the old version that is left out. */
interface Place {
  readonly file: string;
  readonly pointer: string;
}

/** Each attempt leaves out more: a part without its faulty member may be faulty itself. */
const MOST_ATTEMPTS = 30;

/**
 * @param compare - is called again with the parts that are left out, until it meets no further fault of the old version
 * @returns what it returns, and the faults
 * @throws ContractError with the faults, if they are of the document as a whole
 */
export async function withoutFaults<Found extends { readonly changes: readonly Change[] }>(
  compare: (without: readonly Place[]) => Promise<Found>,
): Promise<Found & { readonly oldFaults?: readonly ContractProblem[] }> {
  const faults: ContractProblem[] = [];
  const left: Place[] = [];
  for (let attempt = 0; ; attempt += 1) {
    try {
      const found = await compare(left);
      if (faults.length === 0) return found;
      return { ...found, changes: found.changes.map((change) => beside(change, left)), oldFaults: faults };
    } catch (error) {
      if (!(error instanceof OldFaults)) throw error;
      const { problems } = error.error;
      const found = problems.map((each) => toLeave(each, left));
      if (attempt >= MOST_ATTEMPTS || found.includes(undefined)) throw error.error;
      // A part that lacks what was left out is no fault of the document.
      faults.push(
        ...problems.filter(
          ({ file, pointer = '' }) =>
            !left.some((each) => each.file === file && isWithin(each.pointer, pointer)),
        ),
      );
      // The last item of a list first, because the others move up.
      const next = found
        .flatMap((each) => each ?? [])
        .toSorted((a, b) => b.pointer.localeCompare(a.pointer, 'en', { numeric: true }));
      left.push(...new Map(next.map((each) => [`${each.file} ${each.pointer}`, each])).values());
    }
  }
}

/** The part to leave out because of a fault: the faulty one, or the one around it if that is left out already. */
function toLeave({ file, pointer }: ContractProblem, left: readonly Place[]): Place | undefined {
  if (pointer === undefined) return undefined;
  const tokens = pointerTokens(pointer);
  const isLeft = (): boolean =>
    left.some((each) => each.file === file && isSame(each.pointer, joinPointer('#', ...tokens)));
  while (isLeft()) tokens.pop();
  // Without `paths`, nothing is left to compare.
  return tokens.length < 2 ? undefined : { file, pointer: joinPointer('#', ...tokens) };
}

function isSame(a: string, b: string): boolean {
  return isWithin(a, b) && isWithin(b, a);
}

/** Whether a place is another or inside it. Items of lists may have moved. */
function isWithin(inner: string, outer: string): boolean {
  const [own, other] = [pointerTokens(inner), pointerTokens(outer)];
  return other.every(
    (token, index) => own[index] === token || (/^\d+$/.test(token) && /^\d+$/.test(own[index] ?? '')),
  );
}

/** A change at a part that was left out says nothing about either side. */
function beside(change: Change, left: readonly Place[]): Change {
  const { operations, old, new: next } = change;
  const isFaulty = left.some(({ pointer }) => {
    const tokens = pointerTokens(pointer);
    const [, path = '', method = ''] = tokens;
    // The old version has no place for what a part would have referred to.
    if (old === undefined && operations.includes(`${method.toUpperCase()} ${path}`)) return true;
    const isAt = (place: string | undefined): boolean => place !== undefined && isWithin(place, pointer);
    const around = joinPointer('#', ...tokens.slice(0, -1));
    return isAt(next?.pointer) || isAt(old?.pointer) || (old !== undefined && isSame(old.pointer, around));
  });
  const unknown: Verdict = { severity: 'info', reason: 'the old version has a fault here' };
  return isFaulty ? { ...change, client: unknown, server: unknown } : change;
}
