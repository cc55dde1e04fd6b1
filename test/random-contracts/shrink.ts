/** Makes a document that fails as small as it can be: it loses any member or element while it still fails in the same way. */

import type { Contract } from './draw-contract.js';
import { type Failure, kindOf } from './play.js';

type Step = string | number;
type Play = (document: Contract, seed: number, check: string) => Promise<Failure | undefined>;

/** @param deadlineMs - the time after which the smallest that was found is returned */
export async function shrink(failure: Failure, play: Play, deadlineMs: number): Promise<Failure> {
  let smallest = failure;
  const kind = kindOf(failure);
  const attempt = async (document: unknown): Promise<boolean> => {
    const other = await play(document as Contract, failure.seed, failure.check);
    if (other === undefined || kindOf(other) !== kind) return false;
    smallest = other;
    return true;
  };
  if (typeof failure.document === 'string') {
    await shrinkLines(failure.document, attempt, () => smallest.document, deadlineMs);
    return smallest;
  }
  for (let before = Infinity; sizeOf(smallest.document) < before && Date.now() < deadlineMs;) {
    before = sizeOf(smallest.document);
    // The large parts first: without them, each later attempt is quick.
    const queue: (readonly Step[])[] = [[]];
    for (let path = queue.shift(); path !== undefined && Date.now() < deadlineMs; path = queue.shift()) {
      await shrinkAt(path, attempt, () => smallest.document, deadlineMs);
      const part = partAt(smallest.document, path);
      if (typeof part === 'object' && part !== null) {
        const steps = Array.isArray(part) ? [...part.keys()] : Object.keys(part);
        queue.push(...steps.map((step) => [...path, step]));
        queue.sort(
          (one, other) => sizeOf(partAt(smallest.document, other)) - sizeOf(partAt(smallest.document, one)),
        );
      }
    }
  }
  return smallest;
}

/** Takes parts of a schema out, then lines. */
async function shrinkLines(
  text: string,
  attempt: (document: string) => Promise<boolean>,
  document: () => Contract,
  deadlineMs: number,
): Promise<void> {
  for (const separator of ['\n\n', '\n']) {
    for (let at = text.split(separator).length - 1; at >= 0 && Date.now() < deadlineMs; at -= 1) {
      const smallest = document();
      if (typeof smallest === 'string')
        await attempt(smallest.split(separator).toSpliced(at, 1).join(separator));
    }
  }
}

/** Takes halves of the members of a part out, then smaller shares, then single ones; then it takes a member in place of the part. */
async function shrinkAt(
  path: readonly Step[],
  attempt: (document: unknown) => Promise<boolean>,
  document: () => Contract,
  deadlineMs: number,
): Promise<void> {
  const entriesOf = (): readonly (readonly [string, unknown])[] => {
    const part = partAt(document(), path);
    return typeof part === 'object' && part !== null ? Object.entries(part) : [];
  };
  for (let size = Math.ceil(entriesOf().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = entriesOf().length - size; at > -size && Date.now() < deadlineMs; at -= size) {
      const entries = entriesOf();
      const left = entries.toSpliced(Math.max(0, at), at < 0 ? size + at : size);
      if (left.length === entries.length) continue;
      const isList = Array.isArray(partAt(document(), path));
      await attempt(
        withPart(document(), path, isList ? left.map(([, value]) => value) : Object.fromEntries(left)),
      );
    }
  }
  if (path.length < 2) return;
  for (const [, member] of entriesOf())
    if (
      Date.now() < deadlineMs &&
      typeof member === 'object' &&
      (await attempt(withPart(document(), path, member)))
    )
      return;
  const part = partAt(document(), path);
  if (typeof part === 'string' && part.length > 8)
    await attempt(withPart(document(), path, part.slice(0, Math.ceil(part.length / 2))));
}

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length;

function partAt(document: unknown, [step, ...others]: readonly Step[]): unknown {
  if (step === undefined) return document;
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, step)) return undefined;
  return partAt((document as Readonly<Record<Step, unknown>>)[step], others);
}

/** A copy of the document with another part at a path. */
function withPart(document: unknown, [step, ...others]: readonly Step[], part: unknown): unknown {
  if (step === undefined) return part;
  if (Array.isArray(document))
    return document.map((each: unknown, index) => (index === step ? withPart(each, others, part) : each));
  if (typeof document !== 'object' || document === null) return document;
  return Object.fromEntries(
    Object.entries(document).map(([name, each]: readonly [string, unknown]) => [
      name,
      name === step ? withPart(each, others, part) : each,
    ]),
  );
}
