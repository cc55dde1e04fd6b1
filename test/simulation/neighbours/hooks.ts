/** Code of the deployer that runs before and in the transactions of writes: it changes, refuses, throws, is late and hangs. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, type WriteHooks } from '@concordat/core';
import { same } from '../calls.js';
import { type Model, byId } from '../model.js';
import type { Random } from '../random.js';
import { type Neighbour, forEver } from './neighbour.js';

const actions = [
  'users.create',
  'users.update',
  'users.giveRole',
  'users.changePassword',
  'users.endSessions',
  'users.activate',
  'users.delete',
  'posts.create',
  'orders.create',
  'orders.replace',
  'orders.changeStatus',
  'orders.cancel',
  'orders.refund',
  'orders.delete',
  'orders.deleteStarted',
  'products.write',
  'comments.create',
  'comments.createAs',
  'keys.manage',
] as const satisfies readonly (keyof WriteHooks)[];

/** With the statuses of the answers to writes that fail by it. */
const failures = { refuses: [403], throws: [500], hangs: [503] } as const;

type Mood = 'well' | 'late' | 'changes' | keyof typeof failures;

export class Hooks implements Neighbour {
  #mood: Mood = 'well';
  #when: 'before' | 'after' = 'before';
  /** How often it still does so. */
  #left = 0;
  /** How many writes it has failed since the last step. */
  #failed = 0;
  /** The texts that it has changed since the last step. */
  readonly #changed = new Map<string, string>();
  /** The ids of the records in whose creation it took part, by the action: its own table, in the transactions of the service. */
  readonly created = new Map<string, Set<string>>();
  /** Whether inputs may be changed: a repeat under a key has the first one. */
  mayChange = true;

  change(random: Random): void {
    this.#mood = random.pick(['late', 'changes', 'refuses', 'throws', 'hangs']);
    this.#when = random.pick(['before', 'after']);
    this.#left = random.whole(1, 3);
  }

  heal(): void {
    this.#mood = 'well';
  }

  /** Whether an answer says that a hook has failed its write. */
  explains(status: number, text: string): boolean {
    const statuses = Object.values(failures).flat() as readonly number[];
    const isGraphql = /"code":"(?:FORBIDDEN|INTERNAL_SERVER_ERROR|SERVICE_UNAVAILABLE)"/.test(text);
    return statuses.includes(status) || isGraphql;
  }

  /** @returns how many writes have failed, and the texts that it has changed, since it was asked last */
  take(): { readonly failed: number; readonly changed: ReadonlyMap<string, string> } {
    const taken = { failed: this.#failed, changed: new Map(this.#changed) };
    this.#failed = 0;
    this.#changed.clear();
    return taken;
  }

  /** Whether an error that the service reports is one of a hook. */
  isOwn(error: unknown): boolean {
    return error instanceof Error && /^the hook \S+ failed$/.test(error.message);
  }

  #isUsed = false;

  table(): WriteHooks {
    this.#isUsed = true;
    const hookOf = (action: string) => ({
      before: async (_: unknown, input: unknown) => {
        await this.#run('before');
        return this.#changedInput(input) as never;
      },
      after: async (
        record: unknown,
        transaction: { onUndo: (undo: () => void) => void },
        write: { old: unknown },
      ) => {
        const { id } = Object(record) as { readonly id?: string };
        if (write.old === undefined && id !== undefined) {
          const ids = this.created.get(action) ?? new Set();
          this.created.set(action, ids.add(id));
          transaction.onUndo(() => ids.delete(id));
        }
        await this.#run('after');
      },
    });
    return Object.fromEntries(actions.map((action) => [action, hookOf(action)]));
  }

  /** @throws {@link Fault} unless its own table has the records that the model has, and no other */
  check({ written, externals }: Model): void {
    if (!this.#isUsed) return;
    for (const kind of ['user', 'order', 'post', 'comment', 'product']) {
      const action =
        { user: 'users.create', order: 'orders.create', post: 'posts.create', product: 'products.write' }[
          kind
        ] ?? 'comments.create';
      const prefix = `${kind}.created ${kind}:`;
      const due = [...written]
        .filter((event) => event.startsWith(prefix))
        .map((event) => event.slice(prefix.length))
        .filter((id) => kind !== 'user' || !externals.has(id));
      const kept = [...(this.created.get(action) ?? [])];
      same(`the table of the hook ${action}`, kept.sort(byId), due.sort(byId));
    }
  }

  async #run(when: 'before' | 'after'): Promise<void> {
    if (this.#mood === 'well' || when !== this.#when || this.#left === 0) return;
    if (this.#mood === 'changes') return;
    this.#left -= 1;
    if (this.#mood === 'late') {
      // Three of them take less than the service waits for all.
      await sleep(1_500, undefined, { ref: false });
      return;
    }
    this.#failed += 1;
    if (this.#mood === 'hangs') await forEver;
    if (this.#mood === 'refuses') throw new ServiceError('forbidden', 'The hook refuses this');
    throw new TypeError('a hook is broken');
  }

  #changedInput(input: unknown): unknown {
    if (this.#mood !== 'changes' || !this.mayChange || typeof input !== 'object' || input === null)
      return undefined;
    const { name, title } = input as { readonly name?: unknown; readonly title?: unknown };
    const text = name ?? title;
    if (typeof text !== 'string' || !/^[a-j ]+$/.test(text)) return undefined;
    const other = text.toUpperCase();
    this.#changed.set(text, other);
    return { ...input, ...(name === undefined ? { title: other } : { name: other }) };
  }
}
