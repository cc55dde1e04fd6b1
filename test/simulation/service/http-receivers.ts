/** Receivers of webhooks that are real servers on loopback: they take events, or misbehave in the ways in which servers do. */

import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type NameServer, startNameServer } from '../../support/name-server.js';
import { Fault } from '../calls.js';
import type { SeededWebhook } from '../crowd.js';
import type { Model } from '../model.js';
import { type Sent, checkTaken, isSigned, lastOf } from '../neighbours/receivers.js';
import type { Random } from '../random.js';

const SECRET = `whsec_${Buffer.from('the secret of the receivers').toString('base64')}`;

/** What a receiver does in place of an answer, once the whole request has come. */
const misdeeds = {
  '500': (response) => response.writeHead(500).end(),
  '302': (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  '101': (response) =>
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  hangs: () => undefined,
  'hangs up': (response) => response.socket?.end(),
  'resets the connection': (response) => response.socket?.resetAndDestroy(),
  'stops within its head': (response) => response.socket?.write('HTTP/1.1 200 OK\r\nx'),
  'streams for ever': (response) => streamFor(response.writeHead(500)),
  'says that it will say': (response) => {
    const timer = setInterval(() => response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
    response.socket?.once('close', () => clearInterval(timer));
  },
} as const satisfies Record<string, (response: ServerResponse) => unknown>;

function streamFor(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'.repeat(1000)), 20);
  response.once('close', () => clearInterval(timer));
}

type Misdeed = keyof typeof misdeeds;
/** `late` takes an event after a while; `taken and lost` takes it, and the sender does not learn of it. */
type Mood = Misdeed | 'well' | 'late' | 'taken and lost' | 'without a name';

const moods: readonly Mood[] = [
  ...(Object.keys(misdeeds) as Misdeed[]),
  'late',
  'taken and lost',
  'without a name',
];

/** Their names, which the {@link HttpReceivers.nameServer} knows. */
const names = ['one.test', 'two.test', 'three.test'] as const;

export class HttpReceivers {
  readonly #taken = new Map<string, Sent[]>();
  readonly #moods = new Map<string, Mood>();
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #fault: string | undefined;
  nameServer: NameServer | undefined;

  async start(): Promise<void> {
    this.nameServer = await startNameServer(Object.fromEntries(names.map((name) => [name, '127.0.0.1'])));
    const server = (this.#server = createServer((request, response) => void this.#take(request, response)));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    for (const name of names) this.#taken.set(name, []);
  }

  static readonly secret = SECRET;

  /** Those that lead to them. */
  get webhooks(): readonly SeededWebhook[] {
    const { port } = this.#server?.address() as AddressInfo;
    return names.map((name) => ({ url: `http://${name}:${String(port)}/hooks`, secret: SECRET }));
  }

  /** The value of WEBHOOK_ALLOW. */
  static readonly allowed = names.join(',');

  /** Makes some misbehave, and others take what they get. */
  change(random: Random): void {
    this.heal();
    for (const name of names) {
      const mood = random.chance(0.6) ? (random.pick(moods) ?? 'well') : 'well';
      this.#moods.set(name, mood);
      if (mood === 'without a name') this.nameServer?.silenced.add(name);
    }
  }

  heal(): void {
    this.#moods.clear();
    this.nameServer?.silenced.clear();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Forgets what was taken after the first events of each record: the store was put back to when it had these. */
  restore({ webhooks }: Model): void {
    for (const { url, due } of webhooks.values()) {
      const { hostname } = new URL(url);
      const counts = new Map<string, number>();
      for (const { subject } of due) counts.set(subject, (counts.get(subject) ?? 0) + 1);
      const kept = lastOf(this.#taken.get(hostname) ?? []).filter(({ subject }) => {
        const left = counts.get(subject) ?? 0;
        counts.set(subject, left - 1);
        return left > 0;
      });
      this.#taken.set(hostname, kept);
    }
  }

  /** @throws {@link Fault} unless each webhook of the model got what it must, and of one record in the order of its writes */
  check({ webhooks }: Model): void {
    for (const webhook of webhooks.values()) {
      const { hostname } = new URL(webhook.url);
      checkTaken(hostname, webhook, this.#taken.get(hostname) ?? []);
    }
  }

  /** @throws {@link Fault} for a request that was not as it must be */
  checkRequests(): void {
    if (this.#fault !== undefined) throw new Fault(this.#fault);
  }

  async stop(): Promise<void> {
    this.heal();
    this.nameServer?.stop();
    this.#server?.close();
    await Promise.resolve();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.headers.host ?? '').split(':')[0] ?? '';
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // it was cut off
    }
    const body = Buffer.concat(chunks);
    if (request.url !== '/hooks') this.#fault ??= `a receiver was asked for ${String(request.url)}`;
    if (!isSigned(request.headers, body, SECRET))
      this.#fault ??= `an event has a wrong signature: ${body.toString()}`;
    const mood = this.#moods.get(name) ?? 'well';
    if (mood in misdeeds) {
      misdeeds[mood as Misdeed](response);
      return;
    }
    this.#taken.get(name)?.push(JSON.parse(body.toString()) as Sent);
    if (mood === 'taken and lost') response.socket?.destroy();
    else if (mood === 'late') setTimeout(() => response.writeHead(204).end(), 300);
    else response.writeHead(204).end();
  }
}
