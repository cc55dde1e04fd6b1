/** Who sends a request, and the ids and names that requests have. */

import { type Model, type Sender, callerOf, isAdmin, sorted } from '../model.js';
import type { Random } from '../random.js';

export const nobody: Sender = { kind: 'nobody' };

/** Mostly those whose credentials are good, and admins more often than others. */
export function drawSender(random: Random, model: Model): Sender {
  const chosen = random.next();
  if (chosen < 0.02) return { kind: 'garbage' };
  if (chosen < 0.1) {
    const key = random.pick([...model.keys.values()]);
    if (key !== undefined) return { kind: 'key', id: key.id };
  }
  if (chosen < 0.3 || model.sessions.size === 0) return nobody;
  if (chosen < 0.6) return drawAdmin(random, model) ?? nobody;
  return drawSession(random, model);
}

function drawSession(random: Random, model: Model): Sender {
  const access = random.pick([...model.sessions.keys()]);
  return access === undefined ? nobody : { kind: 'session', access };
}

/** A session of an admin. */
export function drawAdmin(random: Random, model: Model): Sender | undefined {
  const sessions = [...model.sessions.keys()]
    .map((access): Sender => ({ kind: 'session', access }))
    .filter((sender) => isAdmin(callerOf(model, sender, false)));
  return random.pick(sessions);
}

/** An id of a record, and now and then one that none has. */
export function drawId(
  random: Random,
  records: ReadonlyMap<string, { readonly id: string }>,
  last: string | undefined,
): string {
  const id = random.chance(0.93) ? random.pick(sorted(records))?.id : undefined;
  return (
    id ??
    random.pick([String(random.whole(1, Number(last ?? 0) + 2)), '999999999999999999', '0', '2147483648'])
  );
}

/** Ids that are no ids. */
export const noIds = ['x', '__proto__', '-1', '1.0', '1'.repeat(19), '%00', '%F0%9F%98%80'] as const;
