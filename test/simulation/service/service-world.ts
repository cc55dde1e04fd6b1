/** The whole service as processes over SQLite or PostgreSQL, with Redis, receivers and clients around it, on loopback. */

import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Services, createServices, openPolicy, operator } from '@concordat/core';
import { webhookSender } from '@concordat/core/events/webhooks';
import { argon2Hasher } from '@concordat/core/identity/argon2';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import { cloudEvent } from '../../../src/core/operations/webhooks.js';
import { openStorage } from '../../../src/service/open/adapters.js';
import { readSettings } from '../../../src/service/settings/settings.js';
import { askedNameServer } from '../../support/name-server.js';
import { sharedProgram } from '../../support/compiled-service.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { RedisServer } from '../../support/redis-server.js';
import { closeIdleConnections, send } from '../../support/send.js';
import { type Answer, type Call, Fault } from '../calls.js';
import type { Model, PolicyName } from '../model.js';
import { Subscribers } from '../subscribers.js';
import { credentials } from '../world.js';
import { HttpReceivers } from './http-receivers.js';
import { Instance } from './instance.js';
import { RudeClients } from './rude-clients.js';
import { SocketSubscribers } from './sockets.js';
import { Watch } from './watch.js';

export interface ServiceSettings {
  readonly store: 'sqlite' | 'postgres';
  /** Whether events and limits are in Redis; without it, SQLite has one process. */
  readonly redis: boolean;
  readonly policy: PolicyName;
  readonly instances: number;
  readonly outbox: boolean;
  readonly signInForm: 'pair' | 'single';
  readonly crowd: number;
}

const secrets = {
  ACCESS_TOKEN_SECRET: 'access tokens are signed with this secret',
  REFRESH_TOKEN_SECRET: 'refresh tokens are signed with this secret',
};

/** Longer than anything takes that does not wait for a neighbour, on a busy machine too. */
const slowestMs = 10_000;

let postgres: Promise<PostgresServer> | undefined;

export class ServiceWorld {
  readonly watch = new Watch();
  readonly receivers = new HttpReceivers();
  readonly rude = new RudeClients();
  readonly events = new Subscribers(this);
  readonly sockets = new SocketSubscribers((index) => this.instance(index).url);
  /** The longest time of an answer, in milliseconds. */
  slowest = 0;
  #instances: Instance[] = [];
  #directory = '';
  #program = '';
  #databaseUrl = '';
  #copies = 0;
  #redis: RedisServer | undefined;
  #postgres: PostgresServer | undefined;
  #key = '';
  /** What the first process had open before anybody came. */
  #descriptors: ReadonlyMap<string, number> = new Map();

  constructor(readonly settings: ServiceSettings) {}

  get now(): number {
    return Date.now();
  }

  async open(): Promise<void> {
    this.#program = await sharedProgram();
    // In memory where there is such a place: each commit waits for the disk, and worlds crash no operating system.
    const home = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    this.#directory = await mkdtemp(join(home, 'concordat-simulation-'));
    await this.receivers.start();
    if (this.settings.redis) this.#redis = await RedisServer.start();
    if (this.settings.store === 'postgres') this.#postgres = await (postgres ??= PostgresServer.start());
    this.#databaseUrl = await this.#newDatabase();
    await this.#prepare();
    await this.startAll();
    const [first] = this.#instances;
    if (first !== undefined) this.#descriptors = first.descriptors();
    for (const secret of [...Object.values(secrets), new URL(this.#databaseUrl).password, this.#key])
      if (secret !== '') this.watch.keep(secret);
  }

  #sqlitePath(): string {
    return join(this.#directory, `store-${String((this.#copies += 1))}.db`);
  }

  async #newDatabase(): Promise<string> {
    return this.#postgres === undefined
      ? `sqlite:${this.#sqlitePath()}`
      : await this.#postgres.createDatabase();
  }

  /** Makes the first admin, a key to read all, and the receivers, as a deployer does. */
  async #prepare(): Promise<void> {
    const path = this.#databaseUrl.replace('sqlite:', '');
    // This process would keep the file open, which a restore refuses.
    const url = this.#postgres === undefined ? `sqlite:${path}.first` : this.#databaseUrl;
    const { storage } = await openStorage({ database: readSettings({ DATABASE_URL: url }).database });
    const now = timestampOf(this.now);
    const passwordHash = await argon2Hasher().hash('password root');
    const root = { name: 'Root', email: 'root@example.com', phone: undefined, city: undefined } as const;
    await storage.users.create({ ...root, passwordHash, role: 'admin', status: 'active' }, now);
    for (let count = 0; count < this.settings.crowd; count += 1)
      await storage.posts.create({ title: 'one of many', content: 'x', authorId: '1' }, now);
    const services = createServices({ storage, policy: openPolicy });
    ({ key: this.#key } = await services.apiKeys.create(operator, { name: 'reads all' }));
    for (const hook of this.settings.outbox ? this.receivers.urls : []) {
      const secret = { secret: HttpReceivers.secret };
      await storage.outbox.create({ consumer: undefined, url: hook, secrets: [secret] }, now);
    }
    await storage.close();
    if (this.#postgres !== undefined) return;
    for (const end of ['', '-wal'])
      if (existsSync(`${path}.first${end}`)) await copyFile(`${path}.first${end}`, `${path}${end}`);
  }

  #env(): Readonly<Record<string, string>> {
    const { policy, outbox, signInForm } = this.settings;
    return {
      ...secrets,
      PORT: '0',
      DATABASE_URL: this.#databaseUrl,
      ...(this.#redis && { EVENTS_URL: this.#redis.url }),
      DATABASE_POOL_SIZE: '4',
      DEMO_DATA: 'off',
      AUTH_POLICY: policy,
      LOGIN_TOKENS: signInForm,
      OUTBOX: outbox ? 'on' : 'off',
      WEBHOOK_ALLOW: HttpReceivers.allowed,
      NAME_SERVER: this.receivers.nameServer?.port ?? '',
      CHECK_RESPONSES: 'on',
      STOP_TIMEOUT: '1',
    };
  }

  async startAll(): Promise<void> {
    while (this.#instances.length < this.settings.instances) await this.#start();
  }

  async #start(): Promise<void> {
    const command = ['--import', askedNameServer, this.#program];
    const instance = await Instance.start(command, this.#env(), this.watch);
    this.#instances.push(instance);
    this.watch.keep('password root');
  }

  instance(index: number): Instance {
    const instance = this.#instances[index % this.#instances.length];
    if (instance === undefined) throw new Error('no instance runs');
    return instance;
  }

  /** Stops one, and starts another in its place. */
  async restart(index: number): Promise<void> {
    const instance = this.instance(index);
    this.#instances = this.#instances.filter((each) => each !== instance);
    await instance.stop();
    await this.#start();
  }

  async kill(index: number): Promise<void> {
    const instance = this.instance(index);
    await instance.kill();
    this.#instances = this.#instances.filter((each) => each !== instance);
  }

  async stopAll(): Promise<void> {
    closeIdleConnections();
    const all = this.#instances.splice(0);
    await Promise.all(all.map((each) => each.stop()));
  }

  /** Kills the database, or Redis. */
  async killServer(kind: 'database' | 'broker'): Promise<void> {
    this.watch.hadOutage = true;
    await (kind === 'database' ? this.#postgres : this.#redis)?.kill();
  }

  async restartServer(kind: 'database' | 'broker'): Promise<void> {
    await (kind === 'database' ? this.#postgres : this.#redis)?.restart();
  }

  get hasServer(): { readonly database: boolean; readonly broker: boolean } {
    return { database: this.#postgres !== undefined, broker: this.#redis !== undefined };
  }

  /** Runs a command of the service's program. @throws {@link Fault} if it fails */
  async command(...parameters: readonly string[]): Promise<void> {
    const env = { ...this.#env(), DATABASE_URL: this.#databaseUrl };
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, [this.#program, ...parameters], { env }, (error, stdout, stderr) => {
        if (error === null) resolve();
        else reject(new Fault(`${parameters.join(' ')} failed: ${stdout}${stderr}`));
      });
    });
  }

  /** The path of a file in the directory of this world. */
  file(name: string): string {
    return join(this.#directory, name);
  }

  /** Moves the whole store into a new one, while no process of the service runs. */
  async move(): Promise<void> {
    const file = this.file(`moved-${String((this.#copies += 1))}.jsonl`);
    await this.stopAll();
    await this.command('export', 'store', '--out', file);
    this.#databaseUrl = await this.#newDatabase();
    await this.command('migrate');
    await this.command('import', 'store', file);
    await this.startAll();
  }

  /** @returns undefined if the connection broke before the end of the answer */
  async send(call: Call, model: Model, index: number): Promise<Answer | undefined> {
    const { method, path, headers = {}, body } = call;
    const start = performance.now();
    try {
      const answer = await send(this.instance(index).url, {
        method,
        path,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...credentials(call, model),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const { status, text } = answer;
      const isJson = answer.headers['content-type']?.includes('json') === true && text !== '';
      const all = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      const whole = {
        status,
        headers: new Headers(Object.fromEntries(all) as Record<string, string>),
        body: isJson ? (JSON.parse(text) as unknown) : undefined,
        text,
      };
      this.watch.answer(call, whole);
      return whole;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    } finally {
      this.slowest = Math.max(this.slowest, performance.now() - start);
    }
  }

  /** @throws {@link Fault} if an answer took longer than it does without a neighbour that hangs */
  checkTimes(): void {
    if (this.slowest > slowestMs) throw new Fault(`an answer took ${String(Math.round(this.slowest))} ms`);
  }

  /** For event streams. */
  fetch(call: Call, model: Model, index: number): Promise<Response> {
    const { method, path, headers = {}, body } = call;
    return fetch(this.instance(index).url + path, {
      method,
      headers: { 'content-type': 'application/json', ...credentials(call, model), ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Reads as one who may read all. @throws {@link Fault} unless it succeeds */
  readonly read = async (path: string): Promise<unknown> => {
    const { status, text } = await send(this.instance(0).url, {
      method: 'GET',
      path,
      headers: { 'x-api-key': this.#key },
    });
    if (status !== 200)
      throw new Fault(`GET ${path} by a key that may read all was answered ${String(status)} ${text}`);
    return JSON.parse(text);
  };

  /** The status of `/readyz` of each instance, with its body. */
  async readiness(): Promise<readonly (readonly [status: number, text: string])[]> {
    return await Promise.all(
      this.#instances.map(async ({ url }) => {
        const { status, text } = await send(url, { method: 'GET', path: '/readyz' });
        return [status, text] as const;
      }),
    );
  }

  /** Reads the metrics of each instance, and asks whether it is up. */
  async probe(): Promise<void> {
    for (const { url } of this.#instances) {
      const { status } = await send(url, { method: 'GET', path: '/healthz' });
      if (status !== 200) throw new Fault(`/healthz was answered ${String(status)}`);
      this.watch.metrics((await send(url, { method: 'GET', path: '/metrics' })).text);
    }
  }

  /** What one of the processes has open more than in the beginning, by kind. */
  leftOpen(index: number): ReadonlyMap<string, number> {
    const now = this.instance(index).descriptors();
    return new Map([...now].map(([kind, count]) => [kind, count - (this.#descriptors.get(kind) ?? 0)]));
  }

  /** Delivers all that is due in the next days, in this process, when no other runs. */
  async deliverAll(): Promise<void> {
    const { storage } = await openStorage({
      database: readSettings({ DATABASE_URL: this.#databaseUrl }).database,
    });
    let hours = 0;
    const sender = webhookSender({
      allow: HttpReceivers.allowed.split(','),
      lookup: (_, { all }, callback) => {
        if (all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(null, '127.0.0.1', 4);
      },
    });
    try {
      const { outbox }: Services = createServices({
        storage,
        policy: openPolicy,
        clock: { now: () => timestampOf(this.now + hours * 3_600_000) },
        outbox: { sender, encode: cloudEvent },
      });
      for (; hours < 100 && (hours === 0 || (await outbox.waiting()).count > 0); hours += 1)
        await outbox.deliverDue();
    } finally {
      sender.close();
      await storage.close();
    }
  }

  async close(): Promise<void> {
    this.rude.leave();
    await this.events.close().catch(() => undefined);
    await this.sockets.close();
    await Promise.all(this.#instances.map((each) => each.kill()));
    closeIdleConnections();
    await this.#redis?.kill();
    await this.receivers.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
