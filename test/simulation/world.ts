/** A service in this process, made from a seed: its store, policy and settings, with a clock and random numbers that are its own. */

import crypto from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PasswordHasher,
  ServiceError,
  type Services,
  type Storage,
  createServices,
  openPolicy,
  protectedPolicy,
  serviceEngine,
} from '@concordat/core';
import { memoryEvents } from '@concordat/core/events/memory';
import { openGraphqlSession, serviceGraphqlEngine } from '@concordat/core/graphql';
import { jwtCodec } from '@concordat/core/identity/jwt';
import { memoryAttemptLimiter } from '@concordat/core/limits/memory';
import { memoryStorage } from '@concordat/core/storage/memory';
import { sqliteStorage } from '@concordat/core/storage/sqlite';
import { fetchTransport } from '@concordat/runtime/fetch';
import { graphqlHttp } from '@concordat/runtime/graphql';
import { xmlEncoder } from '@concordat/runtime/xml';
import { contract } from '../../generated/routing.js';
import * as responseChecks from '../../generated/response-validators.js';
import { timestampOf } from '../../src/core/model/timestamp.js';
import type { Answer, Call } from './calls.js';
import type { Model, PolicyName } from './model.js';
import { Random } from './random.js';
import { Receivers } from './receivers.js';
import { SlowStore } from './slow-store.js';
import { Subscribers } from './subscribers.js';

export interface WorldSettings {
  readonly store: 'memory' | 'sqlite';
  readonly policy: PolicyName;
  /** The instances of the service over the store. */
  readonly instances: number;
  readonly outbox: boolean;
  readonly signInForm: 'pair' | 'single';
  /** The most turns of the event loop that a call of the store takes; 0 for a store that is not wrapped. */
  readonly turns: number;
  /** The posts that the first user has from the start. */
  readonly crowd: number;
}

export function drawSettings(random: Random): WorldSettings {
  return {
    store: random.pick(['memory', 'memory', 'sqlite']),
    policy: random.pick(['open', 'protected']),
    instances: random.whole(1, 3),
    outbox: random.chance(0.6),
    signInForm: random.pick(['pair', 'single']),
    turns: random.pick([0, 1, 3]),
    crowd: random.pick([0, 0, 60, 400]),
  };
}

const startMs = Date.UTC(2026, 0, 31, 23, 59, 58);

/** A hasher whose hashes say what they are of: what a hash costs is not what is simulated. */
const plainHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(`plain:${password}`),
  verify: (hash, password) => Promise.resolve(hash === `plain:${password}`),
};

export class World {
  readonly subscribers = new Subscribers(this);
  readonly receivers: Receivers;
  readonly store: SlowStore;
  /** What was masked or reported. */
  readonly reports: unknown[] = [];
  #now = startMs;
  #opened: Storage | undefined;
  #close: (() => Promise<void>)[] = [];
  #instances: {
    readonly services: Services;
    readonly rest: (request: Request) => Promise<Response>;
    readonly graphql: (request: Request) => Promise<Response>;
  }[] = [];
  readonly #random: Random;

  constructor(
    readonly settings: WorldSettings,
    seed: number,
  ) {
    this.#random = new Random(seed);
    this.receivers = new Receivers(this.#random);
    this.store = new SlowStore(this.#random);
  }

  get now(): number {
    return this.#now;
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  async open(): Promise<void> {
    this.#close.push(this.#replaceGlobals());
    const storage = (this.#opened = await this.#storage());
    this.store.turns = this.settings.turns;
    const events = memoryEvents();
    const report = (error: unknown): void => {
      // An outage of the store is reported by who meets it.
      if (!(error instanceof ServiceError && error.code === 'unavailable')) this.reports.push(error);
    };
    const { policy, signInForm, outbox, instances } = this.settings;
    const given = this.settings.turns === 0 ? storage : this.store.wrap(storage);
    for (let index = 0; index < instances; index += 1) {
      const services = createServices({
        storage: given,
        events,
        clock: { now: () => timestampOf(this.#now) },
        policy: policy === 'open' ? openPolicy : protectedPolicy,
        report,
        passwordHasher: plainHasher,
        tokens: jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) }),
        signInLimiter: memoryAttemptLimiter({ attempts: 1_000_000 }),
        signInForm,
        ...(outbox && { outbox: { sender: this.receivers, encode: (event) => event, random: () => 0.5 } }),
      });
      const engine = serviceEngine({
        services,
        report,
        xml: xmlEncoder(contract.xmlNames),
        checkResponses: responseChecks,
      });
      const graphql = graphqlHttp(serviceGraphqlEngine({ services, report }), {
        openSession: (client) => openGraphqlSession(services, client),
      });
      this.#instances.push({ services, rest: fetchTransport(engine), graphql: fetchTransport(graphql) });
    }
  }

  /** Makes the first admin and the receivers, as a deployer does. */
  async prepare(): Promise<void> {
    const storage = this.#opened;
    if (storage === undefined) throw new Error('the world is not open');
    const now = timestampOf(this.#now);
    const passwordHash = await plainHasher.hash('password root');
    await storage.users.create(
      {
        name: 'Root',
        email: 'root@example.com',
        phone: undefined,
        city: undefined,
        passwordHash,
        role: 'admin',
        status: 'active',
      },
      now,
    );
    for (let count = 0; count < this.settings.crowd; count += 1) {
      await storage.posts.create({ title: 'one of many', content: 'x', authorId: '1' }, now);
    }
    for (const url of this.settings.outbox ? ['https://one.example/', 'https://two.example/'] : []) {
      await storage.outbox.create({ consumer: undefined, url, secrets: [{ secret: 'whsec_c2VjcmV0' }] }, now);
      this.receivers.add(url);
    }
  }

  async #storage(): Promise<Storage> {
    if (this.settings.store === 'memory') return memoryStorage();
    const directory = await mkdtemp(join(tmpdir(), 'concordat-simulation-'));
    const storage = await sqliteStorage({ path: join(directory, 'service.db') });
    this.#close.push(async () => {
      await storage.close();
      await rm(directory, { recursive: true, force: true });
    });
    return storage;
  }

  /** Gives random ids and the clock of timeouts to the world. @returns what gives them back */
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
    // The engine shares the time of its turns by this clock; a machine that is busy would change the order of steps.
    performance.now = () => this.#now - startMs;
    return () => {
      Object.assign(crypto, { randomUUID, randomBytes });
      syncBuiltinESMExports();
      Math.random = random;
      Reflect.deleteProperty(performance, 'now');
      return Promise.resolve();
    };
  }

  services(index: number): Services {
    const instance = this.#instances[index % this.#instances.length];
    if (instance === undefined) throw new Error('the world is not open');
    return instance.services;
  }

  /** Sends a request to one of the instances. */
  async send(call: Call, model: Model, instance: number): Promise<Answer> {
    const response = await this.fetch(call, model, instance);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      text,
    };
  }

  fetch(call: Call, model: Model, instance: number): Promise<Response> {
    const { method, path, headers = {}, body } = call;
    const { rest, graphql } = this.#instances[instance % this.#instances.length] ?? {};
    const answer = path.startsWith('/graphql') ? graphql : rest;
    if (answer === undefined) throw new Error('the world is not open');
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...credentials(call, model),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer(request);
  }

  async close(): Promise<void> {
    await this.subscribers.close();
    for (const { services } of this.#instances) await services.apiKeys.flush();
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
