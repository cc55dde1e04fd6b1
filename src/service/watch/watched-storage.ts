/** Measures each call of a store by its name, such as `users.find`, and logs slow statements. */

import type { DatabaseObserver, Storage, Transaction } from '@concordat/core';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { openSpans } from './tracing.js';

type Method = (...given: unknown[]) => unknown;

/** @param system - the name of the database in spans */
export async function watchedStorage(storage: Storage, metrics: Metrics, system?: string): Promise<Storage> {
  const spans = await openSpans();
  const watches = new Map<string, (run: () => unknown) => unknown>();
  /** Measures a call, and runs it in a span. */
  const watchOf = (call: string) => {
    let watch = watches.get(call);
    if (watch === undefined) {
      const measured = measuring(call, metrics);
      watch = spans === undefined ? measured : (run) => spans.ofCall(call, system, () => measured(run));
      watches.set(call, watch);
    }
    return watch;
  };
  const watchedStore = (store: string, whole: object) =>
    mapped(whole, (name, method) => {
      if (!isMethod(method)) return method;
      const watch = watchOf(`${store}.${name}`);
      return (...given: unknown[]) => watch(() => method(...given));
    });
  const { joined } = storage;
  const stores = Object.keys(joined).filter((name) => Reflect.get(storage, name) === joined[name]);
  const watched = mapped(storage, (name, part) =>
    isMethod(part) || !(part instanceof Object) || name === 'joined' ? part : watchedStore(name, part),
  );
  const watchedTransaction = (transaction: Transaction): Transaction => {
    const made: Record<string, unknown> = {};
    return new Proxy(transaction, {
      get(own, name: string) {
        const part: unknown = Reflect.get(own, name);
        return name in joined ? (made[name] ??= watchedStore(name, part as object)) : part;
      },
    });
  };
  return {
    ...watched,
    // A store that takes no part in transactions does not become one that does.
    joined: { ...joined, ...Object.fromEntries(stores.map((name) => [name, Reflect.get(watched, name)])) },
    transaction: (work, isBrief) =>
      storage.transaction((transaction) => work(watchedTransaction(transaction)), isBrief),
  };
}

function measuring(call: string, metrics: Metrics): (run: () => unknown) => unknown {
  const ended = metrics.measure('databaseCalls', call, 'ok');
  const failed = metrics.measure('databaseCalls', call, 'failed');
  return (run) => {
    const started = performance.now();
    const outcome = run();
    if (outcome instanceof Promise) {
      outcome.then(
        () => ended((performance.now() - started) / 1000),
        () => failed((performance.now() - started) / 1000),
      );
    }
    // The promise itself, so that the caller does not wait for the measurement.
    return outcome;
  };
}

function isMethod(member: unknown): member is Method {
  return typeof member === 'function';
}

/** Copies an object, or an instance of a class, with its methods bound to it, and replaces each member. */
function mapped<Whole extends object>(
  whole: Whole,
  replace: (name: string, member: unknown) => unknown,
): Whole {
  const members = new Map<string, unknown>();
  for (let at: object = whole; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name === 'constructor' || members.has(name)) continue;
      const member: unknown = Reflect.get(whole, name);
      members.set(name, replace(name, isMethod(member) ? member.bind(whole) : member));
    }
  }
  return Object.fromEntries(members) as Whole;
}

/** The time in which a slow statement is logged once. */
const WINDOW_MS = 10_000;

/** The maximum number of texts that are counted apart: more than the stores have, except for lists of many lengths. */
const MOST_TEXTS = 1_000;

/** Measures the pool of a database, and logs its slow statements: each text once in ten seconds, and then with a count. */
export function databaseObserver(metrics: Metrics, log: Log, slowMs: number): DatabaseObserver {
  const waited = metrics.measure('poolWaits', 'ok');
  const refused = metrics.measure('poolWaits', 'failed');
  const slow = metrics.measure('slowStatements');
  const logged = new Map<string, { readonly at: number; more: number }>();

  function noteSlow(sql: string, ms: number): void {
    slow();
    const now = performance.now();
    const last = logged.get(sql);
    if (last !== undefined && now - last.at < WINDOW_MS) {
      last.more += 1;
      return;
    }
    if (logged.size >= MOST_TEXTS) logged.clear();
    logged.set(sql, { at: now, more: 0 });
    const count = last !== undefined && last.more > 0 && { more: last.more };
    log.warn({ sql, durationMs: Math.round(ms), ...count }, 'a statement of the database was slow');
  }

  return {
    pool(state) {
      metrics.read('poolConnections', () => {
        const { size, idle, max } = state();
        return [
          [size - idle, 'busy'],
          [idle, 'idle'],
          [max, 'max'],
        ];
      });
      metrics.read('poolWaiting', () => [[state().waiting]]);
    },
    waited: (ms, isRefused) => (isRefused ? refused : waited)(ms / 1000),
    statement: (sql, ms) => {
      if (ms >= slowMs) noteSlow(sql, ms);
    },
  };
}
