/** What happens in a world beside requests. */

import { Fault } from './calls.js';
import { copied } from './copies.js';
import type { Model } from './model.js';
import type { Random } from './random.js';
import { type Contents, expectContents } from './service/contents.js';
import type { World } from './world.js';

export interface WorldEvent {
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  readonly take: (world: World, model: Model, random: Random) => unknown;
  /** What changes by it in each model. */
  readonly changes?: (model: Model) => void;
  /** @param outcome - what `take` returned. @throws {@link Fault} if it is not as in the model */
  readonly judge?: (model: Model, outcome: unknown) => void;
}

const times = [0, 1, 999, 1_000, 61_000, 16 * 60_000, 25 * 3_600_000];

export const events: Readonly<Record<string, WorldEvent>> = {
  outage: {
    weight: 2,
    take: ({ store }, _, random) => {
      store.stopAfter(random.whole(0, 6), random.chance(0.4));
    },
  },
  time: { weight: 3, take: ({ timers }, _, random) => timers.pass(random.pick(times) ?? 0) },
  'the clock goes back': {
    weight: 1,
    take: ({ timers }, _, random) => {
      timers.setBack(random.pick([1, 1_000, 5_000]));
    },
    // A revocation by the earlier clock does not end what was issued by the later one, so those sessions are not used again.
    changes: ({ sessions, keyed }) => {
      sessions.clear();
      for (const [key, { sender }] of keyed) if (sender.kind === 'session') keyed.delete(key);
    },
  },
  join: { weight: 2, take: ({ subscribers }, model, random) => subscribers.join(model, random) },
  leave: { weight: 1, take: ({ subscribers }, _, random) => subscribers.leave(random) },
  stall: { weight: 1, take: ({ subscribers }, _, random) => subscribers.stall(random) },
  'come back': {
    weight: 1,
    take: ({ subscribers }, model, random) => subscribers.comeBack(model, random.whole(0, 9)),
  },
  deliver: { weight: 5, take: (world, _, random) => deliver(world, random.whole(0, 9)) },
  'a neighbour changes': {
    weight: 6,
    take: ({ neighbours }, _, random) => {
      random.pick(Object.values(neighbours))?.change(random);
    },
  },
  copy: {
    weight: 1,
    take: (world, _, random) => world.answered(copied(world, random)),
    judge: (model, outcome) => {
      if (outcome === 'late') throw new Fault('a copy was not made in a minute');
      if (outcome !== undefined) expectContents(model, outcome as Contents);
    },
  },
  'all heal': {
    weight: 2,
    take: ({ neighbours }) => {
      for (const neighbour of Object.values(neighbours)) neighbour.heal();
    },
  },
};

export async function deliver(world: World, instance: number): Promise<void> {
  if (world.settings.outbox) await world.answered(world.services(instance).outbox.deliverDue());
}
