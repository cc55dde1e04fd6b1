/** Who sends a request, and the ids and names that requests have. */

import { type Model, type Sender, callerOf, isAdmin, sorted } from '../model.js';
import type { Random } from '../random.js';

export const nobody: Sender = { kind: 'nobody' };

/**
 * Everybody about equally often: those without a credential, keys, admins, other users, and now and then tokens that are no longer good.
 *
 * @param owner - the user of the record, who is drawn more often
 */
export function drawSender(random: Random, model: Model, owner?: string): Sender {
  const tokens = signedIn(model);
  const own = random.chance(0.3) ? random.pick(tokens.get(owner ?? '') ?? []) : undefined;
  if (own !== undefined) return { kind: 'session', access: own };
  const chosen = random.next();
  if (chosen < 0.02) return { kind: 'garbage' };
  if (chosen < 0.12) {
    const key = random.pick([...model.keys.values()]);
    if (key !== undefined) return { kind: 'key', id: key.id };
  }
  if (chosen < 0.25 || model.sessions.size === 0) return nobody;
  if (chosen < 0.5) return drawAdmin(random, model) ?? nobody;
  const some = chosen < 0.95 ? random.pick([...tokens.values()]) : endedOf(model);
  const access = random.pick(some ?? []);
  return access === undefined ? nobody : { kind: 'session', access };
}

/** The tokens that have ended although their users may act, or all that there are. */
function endedOf({ sessions, users }: Model): readonly string[] {
  const ended = [...sessions].filter(
    ([, { isEnded, userId }]) => isEnded && users.get(userId)?.status === 'active',
  );
  return (ended.length > 0 ? ended : [...sessions]).map(([access]) => access);
}

/** The tokens that are good, by their users. */
function signedIn(model: Model): ReadonlyMap<string, readonly string[]> {
  const tokens = new Map<string, string[]>();
  for (const access of model.sessions.keys()) {
    const caller = callerOf(model, { kind: 'session', access }, false);
    if (caller.kind !== 'user') continue;
    const { id } = caller.user;
    tokens.set(id, [...(tokens.get(id) ?? []), access]);
  }
  return tokens;
}

/** The id of a user, more often of one who is signed in than of one who is not. */
export function drawUserId(random: Random, model: Model): string {
  const chosen = random.next();
  if (chosen < 0.06) return '999999999999999999';
  const own = chosen < 0.65 ? random.pick([...signedIn(model).keys()]) : undefined;
  return own ?? drawId(random, model.users, model.last['user']);
}

/** The id of an order, more often of a user who is signed in than of another. @param states - those that it has more often */
export function drawOrderId(random: Random, model: Model, states: readonly string[] = []): string {
  const owners = signedIn(model);
  const all = [...model.orders.values()].filter(({ userId }) => owners.has(userId));
  const fitting = random.chance(0.5) ? all.filter(({ status }) => states.includes(status)) : [];
  const own = fitting.length > 0 ? fitting : all;
  return (
    (random.chance(0.6) ? random.pick(own)?.id : undefined) ??
    drawId(random, model.orders, model.last['order'])
  );
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
