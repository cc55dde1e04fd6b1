/** A service in this process, made from a seed: its store, policy and settings, with a clock, timers and random numbers that are its own. */

import crypto from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type AttemptLimiter,
  type PasswordHasher,
  ServiceError,
  type Services,
  type Storage,
} from '@concordat/core';
import { memoryStorage } from '@concordat/core/storage/memory';
import { sqliteStorage } from '@concordat/core/storage/sqlite';
import { UNREAD_AUTHOR } from './actions/graphql.js';
import { type Answer, type Call, isSentAgain } from './calls.js';
import { type SeededWebhook, modelOf, store } from './crowd.js';
import { type FieldsContract, fieldsContract } from './fields.js';
import { type Instance, openInstance, openLimiter } from './instance.js';
import type { Model } from './model.js';
import { EventBus } from './neighbours/event-bus.js';
import { Hooks } from './neighbours/hooks.js';
import { SignInProvider } from './neighbours/identity-provider.js';
import type { Neighbour } from './neighbours/neighbour.js';
import { withOwnStores } from './neighbours/own-stores.js';
import { Receivers } from './neighbours/receivers.js';
import { SlowStore } from './neighbours/slow-store.js';
import { Subscribers } from './neighbours/subscribers.js';
import { Random } from './random.js';
import type { WorldSettings } from './settings.js';
import { Timers } from './timers.js';
import { runUnit } from './unit.js';

const startMs = Date.UTC(2026, 0, 31, 23, 59, 58);

/** The longest time after which any request must be answered, whatever hangs. */
const patienceMs = 60_000;

/** A hasher whose hashes say what they are of: what a hash costs is not what is simulated. */
export const plainHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(`plain:${password}`),
  verify: (hash, password) => Promise.resolve(hash === `plain:${password}`),
};

export class World {
  readonly subscribers = new Subscribers(this);
  readonly timers = new Timers(startMs);
  readonly store: SlowStore;
  readonly receivers: Receivers;
  readonly hooks = new Hooks();
  readonly bus = new EventBus();
  readonly provider = new SignInProvider();
  /** Those whose mood changes. */
  readonly neighbours: Readonly<Record<string, Neighbour>>;
  /** Gets each request, those of subscribers too. */
  observe: ((call: Call) => void) | undefined;
  /** What was masked or reported. */
  readonly reports: unknown[] = [];
  #close: (() => Promise<void>)[] = [];
  #instances: Instance[] = [];
  /** The store itself, which does not fail. */
  stored: Storage | undefined;
  /** Of the file of the store, if it has one. */
  directory: string | undefined;
  #own: FieldsContract | undefined;
  readonly #random: Random;

  constructor(
    readonly settings: WorldSettings,
    seed: number,
  ) {
    this.#random = new Random(seed);
    this.receivers = new Receivers(this.#random, () => this.now);
    this.store = new SlowStore(this.#random);
    this.neighbours = {
      bus: this.bus,
      provider: this.provider,
      ...(settings.outbox && { receivers: this.receivers }),
      ...(settings.hooks && { hooks: this.hooks }),
    };
  }

  get now(): number {
    return this.timers.clock;
  }

  /** Those that are there from the start. */
  get webhooks(): readonly SeededWebhook[] {
    const urls = this.settings.outbox ? ['https://one.example/', 'https://two.example/'] : [];
    return urls.map((url) => ({ url, secret: 'whsec_c2VjcmV0' }));
  }

  /** Lets so much time pass, in milliseconds. */
  pass(ms: number): Promise<void> {
    return this.timers.pass(ms);
  }

  /** Opens the service over the records that the world has from the start. */
  async open(): Promise<void> {
    const own = (this.#own = this.settings.fields ? await fieldsContract() : undefined);
    const limiters: AttemptLimiter[] = [];
    for (let index = 0; index < this.settings.instances; index += 1)
      limiters.push(await openLimiter(this.settings));
    this.#close.push(this.#replaceGlobals());
    const storage = (this.stored = await this.#storage(own));
    const hash = await plainHasher.hash('password root');
    // An import makes pauses.
    await this.timers.until(store(storage, this.settings, this.webhooks, this.now, hash), patienceMs);
    this.store.turns = this.settings.turns;
    const given = withOwnStores(
      this.settings.turns === 0 ? storage : this.store.wrap(storage),
      this.settings.ownStores,
      modelOf(this.settings, [], this.now).last,
    );
    for (const limiter of limiters) this.#instances.push(openInstance(this, given, limiter, own));
  }

  /** An outage of the store is reported by who meets it, and a hook that fails by the hook. */
  readonly report = (error: unknown): void => {
    const isOutage = error instanceof ServiceError && ['unavailable', 'outcome-unknown'].includes(error.code);
    if (!isOutage && !this.hooks.isOwn(error)) this.reports.push(error);
  };

  async #storage(own: FieldsContract | undefined): Promise<Storage> {
    const contract = own?.contract;
    if (this.settings.store === 'memory') return memoryStorage({ contract });
    const directory = (this.directory = await mkdtemp(join(tmpdir(), 'concordat-simulation-')));
    const storage = await sqliteStorage({ path: join(directory, 'service.db'), contract });
    this.#close.push(async () => {
      await storage.close();
      await rm(directory, { recursive: true, force: true });
    });
    return storage;
  }

  /** Gives random ids, the clock and the timers to the world. @returns what gives them back */
  #replaceGlobals(): () => Promise<void> {
    const { randomUUID, randomBytes } = crypto;
    const { random } = Math;
    const bytes = (size: number): Buffer =>
      Buffer.from(Array.from({ length: size }, () => this.#random.whole(0, 255)));
    const uuid = (): string =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
    Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes });
    syncBuiltinESMExports();
    Math.random = () => this.#random.next();
    const restore = this.timers.install();
    return () => {
      Object.assign(crypto, { randomUUID, randomBytes });
      syncBuiltinESMExports();
      Math.random = random;
      restore();
      return Promise.resolve();
    };
  }

  /** The contract of the deployer's own. */
  get contract(): FieldsContract['contract'] | undefined {
    return this.#own?.contract;
  }

  /** Opens a service over another store, which anybody may read. */
  openOver(storage: Storage): Instance {
    return openInstance(
      this,
      storage,
      { blockedFor: () => 0 } as unknown as AttemptLimiter,
      this.#own,
      'open',
    );
  }

  #instance(index: number): Instance {
    const instance = this.#instances[index % this.#instances.length];
    if (instance === undefined) throw new Error('the world is not open');
    return instance;
  }

  services(index: number): Services {
    return this.#instance(index).services;
  }

  /** Waits for the answers to requests. @returns `late` for one that has not come when it must have */
  answered<T>(promise: Promise<T>): Promise<T | 'late'> {
    return this.timers.until(promise, patienceMs);
  }

  /** Sends a request to one of the instances. */
  async send(call: Call, model: Model, instance: number): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#sendOnce(call, model, instance);
      if (!isSentAgain(call) || ![500, 503].includes(answer.status) || attempt === 2) return answer;
      this.store.answerAgain();
    }
  }

  /** Sends a request whose client leaves before its answer, and sends it again at once, to another instance. */
  async #sendTwice(call: Call, leavesAfter: number, model: Model, instance: number): Promise<Response> {
    const leaving = new AbortController();
    const left = this.fetch({ ...call, leavesAfter: undefined }, model, instance, leaving.signal)
      .then((response) => response.text())
      .catch(() => undefined);
    for (let turns = 0; turns < leavesAfter; turns += 1) await turn();
    leaving.abort();
    const again = () => this.fetch({ ...call, leavesAfter: undefined }, model, instance + 1);
    const response = await again();
    await left;
    return response.status === 409 && (await response.clone().text()).includes('is being processed')
      ? await again()
      : response;
  }

  async #sendOnce(call: Call, model: Model, instance: number): Promise<Answer> {
    const response = await this.fetch(call, model, instance);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      text,
      ...(text.includes(UNREAD_AUTHOR) && { postId: await this.#idOfPost(call) }),
    };
  }

  /** The id of a post that was stored in this step. */
  async #idOfPost({ body }: Call): Promise<string | undefined> {
    const { title, content } = (body as { readonly variables: { title: string; content: string } }).variables;
    const latest = await this.stored?.posts.listBefore(undefined, 3);
    return latest?.find((post) => post.title === title && post.content === content)?.id;
  }

  fetch(call: Call, model: Model, index: number, signal?: AbortSignal): Promise<Response> {
    const { method, path, headers = {}, body, unit, leavesAfter } = call;
    if (leavesAfter !== undefined) return this.#sendTwice(call, leavesAfter, model, index);
    this.observe?.(call);
    const instance = this.#instance(index);
    if (unit !== undefined) return runUnit(instance.services, unit);
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...credentials(call, model),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    return path.startsWith('/graphql') ? instance.graphql(request) : instance.rest(request);
  }

  /** The timers that were there when all was closed. */
  leftTimers = 0;

  async close(): Promise<void> {
    if (this.#close.length === 0) return;
    for (const neighbour of Object.values(this.neighbours)) neighbour.heal();
    this.store.heal();
    await this.subscribers.close();
    for (const { services } of this.#instances) await services.apiKeys.flush();
    // Work that was given up may have called a hook since, which has this time.
    await this.timers.pass(5_000);
    this.leftTimers = this.timers.count;
    for (const close of this.#close.reverse()) await close();
    this.#instances = [];
    this.#close = [];
  }
}

/** The headers by which a request says who sends it. */
export function credentials({ sender }: Call, model: Model): Readonly<Record<string, string>> {
  if (sender.kind === 'session') return { authorization: `Bearer ${sender.access}` };
  if (sender.kind === 'key') return { 'x-api-key': model.keys.get(sender.id)?.key ?? 'deleted' };
  return sender.kind === 'garbage' ? { authorization: 'Bearer garbage' } : {};
}
