/** What must hold at any time, whatever clients and neighbours do. */

import { setImmediate as turn } from 'node:timers/promises';
import { type Answer, type Call, Fault } from './calls.js';
import type { Model } from './model.js';
import type { World } from './world.js';

/** Parts of secrets: of the hashes of passwords, of the secrets of webhooks, and names that no answer has. */
const secrets = ['plain:', 'passwordHash', 'tokenHash', 'keyHash', 'internalNote'];

/** The answers that have the secret of a webhook, once. */
const givesSecret = /^POST \/api\/webhooks(?:\/[0-9]+\/rotate)?$/;

export class Watch {
  readonly #problems: unknown[] = [];
  readonly #resources = process.getActiveResourcesInfo();
  readonly #note = (problem: unknown): void => void this.#problems.push(problem);

  constructor() {
    process.on('unhandledRejection', this.#note);
    process.on('warning', this.#note);
  }

  /** @throws {@link Fault} for an error that was masked, a rejection without a handler, and a warning */
  check({ reports }: World): void {
    const [problem] = [...reports, ...this.#problems];
    if (problem !== undefined) throw new Fault('an error was masked or not handled', { cause: problem });
  }

  close(): void {
    process.off('unhandledRejection', this.#note);
    process.off('warning', this.#note);
  }

  /** @throws {@link Fault} unless everything is gone that a world has opened */
  async end({ leftTimers, receivers }: World): Promise<void> {
    for (const body of receivers.bodies) requireNoSecret('an event', body);
    if (leftTimers > 0) throw new Fault(`${String(leftTimers)} timers are left`);
    const left = (): readonly string[] => {
      const before = [...this.#resources];
      // The timers of the service are those of the world; others are the test runner's.
      return process.getActiveResourcesInfo().filter((name) => {
        if (name === 'Timeout') return false;
        const place = before.indexOf(name);
        if (place !== -1) before.splice(place, 1);
        return place === -1;
      });
    };
    for (let turns = 0; left().length > 0 && turns < 50; turns += 1) await turn();
    if (left().length > 0) throw new Fault(`the resources ${left().join(', ')} are left`);
  }
}

/** @throws {@link Fault} for a secret in an answer */
export function requireNoLeak({ method, path }: Call, { text }: Answer): void {
  requireNoSecret(`the answer to ${method} ${path}`, text);
  if (text.includes('whsec_') && !givesSecret.test(`${method} ${path}`))
    throw new Fault(`the answer to ${method} ${path} has the secret of a webhook`);
}

function requireNoSecret(what: string, text: string): void {
  const found = secrets.find((secret) => text.includes(secret));
  if (found !== undefined) throw new Fault(`${what} has ${found}: ${text.slice(0, 300)}`);
}

/**
 * The calls of the store that a request may make: those of a write with all that belongs to it, and the pages of a list, which have
 * twenty records at least.
 */
export function requireFewCalls(calls: number, requests: number, model: Model): void {
  const records = model.users.size + model.posts.size + model.orders.size + model.comments.size;
  const most = requests * (60 + records / 5);
  if (calls > most) throw new Fault(`${String(calls)} calls of the store, at most ${String(most)}`);
}
