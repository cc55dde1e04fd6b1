/** The whole service as processes over SQLite or PostgreSQL, with Redis, receivers and clients around it, on loopback. */

import { mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { askedNameServer } from '../../support/name-server.js';
import { sharedProgram } from '../../support/compiled-service.js';
import { closeIdleConnections, send } from '../../support/send.js';
import { type Answer, type Call, Fault } from '../calls.js';
import type { SeededWebhook } from '../crowd.js';
import type { Key, Model } from '../model.js';
import { Subscribers } from '../neighbours/subscribers.js';
import { credentials } from '../world.js';
import { answerOf } from './asking.js';
import type { ServiceSettings } from './draw-service.js';
import { HttpReceivers } from './http-receivers.js';
import { Instance, runCommand } from './instance.js';
import { deliverAll, fillStore } from './operator.js';
import { Provider } from './provider.js';
import { RudeClients } from './rude-clients.js';
import { type ServerKind, Servers } from './servers.js';
import { SocketSubscribers } from './sockets.js';
import { Watch } from './watch.js';

/** A new API key. */
export type KeyMade = Pick<Key, 'id' | 'key'>;

export const keyName = 'reads all';

const secrets = {
  ACCESS_TOKEN_SECRET: 'access tokens are signed with this secret',
  REFRESH_TOKEN_SECRET: 'refresh tokens are signed with this secret',
};

/** Those that users of the simulation have. */
const passwords = ['password root', 'password one', 'password two', 'pässwörd three', 'password new'];

/** In milliseconds: less than the deadline of a delivery, after which what waits for a hanging neighbour goes on; more than any work takes. */
const slowestMs = 14_000;

export class ServiceWorld {
  readonly watch = new Watch();
  readonly receivers = new HttpReceivers();
  readonly rude = new RudeClients();
  readonly provider = new Provider();
  readonly events = new Subscribers(this);
  readonly sockets = new SocketSubscribers(this);
  /** The longest time of an answer, in milliseconds. */
  slowest = 0;
  #instances: Instance[] = [];
  #directory = '';
  #program = '';
  #databaseUrl = '';
  #copies = 0;
  /** Whether requests of this step may wait for a server that hangs. */
  #isHanging = false;
  /** The keys that may read all, of which the last is in use. */
  readonly keys: KeyMade[] = [];
  /** What the first process had open before anybody came. */
  #descriptors: ReadonlyMap<string, number> = new Map();

  readonly servers: Servers;

  constructor(readonly settings: ServiceSettings) {
    this.servers = new Servers(settings);
  }

  get now(): number {
    return Date.now();
  }

  /** Those that are there from the start. */
  get webhooks(): readonly SeededWebhook[] {
    return this.settings.outbox ? this.receivers.webhooks : [];
  }

  async open(): Promise<void> {
    this.#program = await sharedProgram();
    // In memory where there is such a place: each commit waits for the disk, and worlds crash no operating system.
    const home = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    this.#directory = await mkdtemp(join(home, 'concordat-simulation-'));
    await this.receivers.start();
    await this.provider.start();
    await this.servers.start();
    this.#databaseUrl = await this.servers.newDatabase(this.#directory);
    this.#addKey(await fillStore(this.#databaseUrl, this.settings, this.webhooks));
    await this.startAll();
    const [first] = this.#instances;
    if (first !== undefined) this.#descriptors = first.descriptors();
    const known = [...Object.values(secrets), ...passwords, HttpReceivers.secret];
    for (const secret of [...known, new URL(this.#databaseUrl).password])
      if (secret !== '') this.watch.keep(secret);
  }

  #env(): Readonly<Record<string, string>> {
    const { policy, outbox, signInForm, rotates, reportsVersions, limits } = this.settings;
    return {
      ...secrets,
      PORT: '0',
      DATABASE_URL: this.#databaseUrl,
      ...this.servers.settings,
      DATABASE_POOL_SIZE: '4',
      DEMO_DATA: 'off',
      AUTH_POLICY: policy,
      LOGIN_TOKENS: signInForm,
      REFRESH_ROTATION: rotates ? 'on' : 'off',
      API_VERSION_REPORTING: reportsVersions ? 'on' : 'off',
      GRAPHQL_MAX_DEPTH: String(limits.depth),
      GRAPHQL_MAX_TOKENS: String(limits.tokens),
      GRAPHQL_MAX_ALIASES: String(limits.aliases),
      GRAPHQL_MAX_REPEATS: String(limits.repeats),
      GRAPHQL_MAX_RESPONSE: String(limits.responseBytes),
      GRAPHQL_MAX_SECONDS: String(limits.seconds),
      GRAPHQL_MAX_NODES: String(limits.nodes),
      GRAPHQL_MAX_BODY: String(limits.bodyBytes),
      OUTBOX: outbox ? 'on' : 'off',
      WEBHOOK_ALLOW: HttpReceivers.allowed,
      NAME_SERVER: this.receivers.nameServer?.port ?? '',
      ...this.provider.settings,
      CHECK_RESPONSES: 'on',
      STOP_TIMEOUT: '5',
    };
  }

  async startAll(): Promise<void> {
    while (this.#instances.length < this.settings.instances) await this.#start();
  }

  async #start(): Promise<void> {
    const command = ['--import', askedNameServer, this.#program];
    const instance = await Instance.start(command, this.#env(), this.watch);
    this.#instances.push(instance);
  }

  /** The number of processes. */
  get running(): number {
    return this.#instances.length;
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
  async killServer(kind: ServerKind): Promise<void> {
    this.watch.hadOutage = true;
    await this.servers.kill(kind);
  }

  /** Makes it stop answering for a while. */
  async hang(kind: ServerKind, ms: number): Promise<void> {
    this.watch.hadOutage = true;
    this.#isHanging = true;
    await this.servers.hang(kind, ms);
  }

  /** Gives new connections another default than those that are open: whether they may write. */
  async refuseWrites(isReadOnly: boolean): Promise<void> {
    this.watch.hadOutage = true;
    const url = new URL(this.#databaseUrl);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const client = new pg.Client(url.href);
    await client.connect();
    const change = isReadOnly ? 'set default_transaction_read_only = on' : 'reset all';
    await client.query(`alter database ${client.escapeIdentifier(name)} ${change}`);
    await client.end();
  }

  /** Runs a command of the service's program. @returns its output. @throws {@link Fault} if it fails */
  async command(...parameters: readonly string[]): Promise<string> {
    const { error, output } = await runCommand([this.#program, ...parameters], this.#env());
    if (error !== null) throw new Fault(`${parameters.join(' ')} failed: ${output}`);
    return output;
  }

  /** The path of a file in the directory of this world. */
  file(name: string): string {
    return join(this.#directory, name);
  }

  /**
   * Moves the whole store into a new one, while no process of the service runs.
   *
   * @param killAfterMs - the import is killed after so many milliseconds, and repeated
   */
  async move(killAfterMs: number): Promise<void> {
    const file = this.file(`moved-${String((this.#copies += 1))}.jsonl`);
    await this.stopAll();
    await this.command('export', 'store', '--out', file);
    this.#databaseUrl = await this.servers.newDatabase(this.#directory);
    await this.command('migrate');
    const importing = [this.#program, 'import', 'store', file];
    const { error } = await runCommand(importing, this.#env(), killAfterMs);
    if (error !== null) await this.command('import', 'store', file);
    await this.startAll();
  }

  /** @returns undefined if the connection broke before the end of the answer */
  async send(call: Call, model: Model, index: number, signal?: AbortSignal): Promise<Answer | undefined> {
    const start = performance.now();
    const answer = await answerOf(this.instance(index).url, call, credentials(call, model), signal);
    if (!this.#isHanging) this.slowest = Math.max(this.slowest, performance.now() - start);
    if (answer !== undefined) this.watch.answer(call, answer);
    return answer;
  }

  /** @throws {@link Fault} if an answer took longer than it does without a neighbour that hangs */
  checkTimes(): void {
    this.#isHanging = false;
    if (this.slowest > slowestMs) throw new Fault(`an answer took ${String(Math.round(this.slowest))} ms`);
  }

  /** For event streams. @throws {@link Fault} for a refusal */
  async fetch(call: Call, model: Model, index: number): Promise<Response> {
    const { method, path, headers = {}, body } = call;
    const response = await fetch(this.instance(index).url + path, {
      method,
      headers: { 'content-type': 'application/json', ...credentials(call, model), ...headers },
      body: JSON.stringify(body),
    });
    if (response.status === 503) throw new Fault('a subscription was answered 503');
    return response;
  }

  /** The client of real requests waits for as long as they take. */
  answered<T>(promise: Promise<T>): Promise<T> {
    return promise;
  }

  /** A fifth of the time: it is that of the machine. */
  async pass(ms: number): Promise<void> {
    await sleep(ms / 5);
  }

  /** Reads with a key that may read all; if an admin has revoked it, with a new one. @throws {@link Fault} unless it succeeds */
  readonly read = async (path: string): Promise<unknown> => {
    const get = () =>
      send(this.instance(0).url, {
        method: 'GET',
        path,
        headers: { 'x-api-key': this.keys.at(-1)?.key ?? '' },
      });
    let answer = await get();
    if (answer.status === 401) {
      const made = await this.command('keys', 'create', '--name', keyName, '--json');
      this.#addKey(JSON.parse(made) as KeyMade);
      answer = await get();
    }
    const { status, text } = answer;
    if (status !== 200) throw new Fault(`GET ${path} by an API key was answered ${String(status)} ${text}`);
    return JSON.parse(text);
  };

  #addKey(made: KeyMade): void {
    this.keys.push(made);
    this.watch.keep(made.key);
  }

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

  /** The number of requests in flight, streams and subscribers of all instances, by their metrics, without the request for these. */
  async inUse(): Promise<number> {
    let sum = 0;
    for (const { url } of this.#instances) {
      const { text } = await send(url, { method: 'GET', path: '/metrics' });
      const gauges = text.matchAll(
        /^(?:http_requests_in_flight|graphql_streams|post_subscribers)\S* (\d+)$/gm,
      );
      for (const [, value] of gauges) sum += Number(value);
      sum -= 1;
    }
    return sum;
  }

  /** What one of the processes has open more than in the beginning, by kind. */
  leftOpen(index: number): ReadonlyMap<string, number> {
    const now = this.instance(index).descriptors();
    return new Map([...now].map(([kind, count]) => [kind, count - (this.#descriptors.get(kind) ?? 0)]));
  }

  /** Delivers all that waits, when no process of the service runs. */
  async deliverAll(): Promise<void> {
    await deliverAll(this.#databaseUrl);
  }

  async close(): Promise<void> {
    this.rude.leave();
    await this.events.close().catch(() => undefined);
    await this.sockets.close();
    await Promise.all(this.#instances.map((each) => each.kill()));
    closeIdleConnections();
    await this.servers.stop();
    await this.receivers.stop();
    await this.provider.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
