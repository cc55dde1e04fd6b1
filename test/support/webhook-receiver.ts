/** A receiver of webhooks that is generated from the service's contract: it refuses what the contract does not describe, or has a wrong signature. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { components } from '../../generated/openapi.js';
import { type HttpHandler, memoryRequest } from '../../src/runtime/index.js';
import { nodeTransport } from '../../src/runtime/transports/node.js';
import { type GeneratedContract, generateContract, temporaryPackage } from '../codegen/generated-contract.js';

export type Event = components['schemas']['Event'];

const document = fileURLToPath(new URL('../fixtures/receiver.yaml', import.meta.url));
let contract: Promise<GeneratedContract> | undefined;
let directory = '';
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

async function generated(): Promise<GeneratedContract> {
  directory = await temporaryPackage();
  return await generateContract(directory, { openapi: document });
}

/** Decides on the answer to an event: its status, or a promise of it. */
type Answer = (event: Event) => number | Promise<number>;

export class WebhookReceiver {
  /** The events that it took, in the order in which they arrived. */
  readonly taken: Event[] = [];
  /** How often each event was sent, by its id. */
  readonly attempts = new Map<string, number>();
  /** The answers to what was not as it must be. */
  readonly refusals: string[] = [];
  /** The number of signatures of the last request. */
  signatures = 0;
  /** Those that verify; any unless given. */
  secrets: readonly string[] = [];
  answer: Answer = () => 204;
  readonly #server: Server;

  private constructor(engine: HttpHandler) {
    const verified: HttpHandler = async (request) => {
      const body = await request.readBody(1024 * 1024);
      const response = this.#isSigned(request.headers, body)
        ? await engine(
            memoryRequest({ ...request, method: 'POST', path: '/hooks', headers: request.headers, body }),
          )
        : { status: 401, headers: {}, body: 'wrong signature' };
      if (response.status === 400 || response.status === 401)
        this.refusals.push(JSON.stringify(response.body));
      return response;
    };
    this.#server = createServer(nodeTransport(verified));
  }

  static async start(): Promise<WebhookReceiver> {
    const { start } = await (contract ??= generated());
    const engine: HttpHandler = (request) => started(request);
    const receiver = new WebhookReceiver(engine);
    const started = start({
      operations: {
        receiveEvent: async ({ body }: { readonly body: Event }) => {
          receiver.attempts.set(body.id, (receiver.attempts.get(body.id) ?? 0) + 1);
          const status = await receiver.answer(body);
          if (status < 300) receiver.taken.push(body);
          return { status };
        },
      },
    });
    await receiver.listen();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/hooks`;
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** By the specification of Standard Webhooks, not by the code of the service. */
  #isSigned(headers: Readonly<Record<string, unknown>>, body: Uint8Array): boolean {
    const signatures = String(headers['webhook-signature']).split(' ');
    this.signatures = signatures.length;
    if (this.secrets.length === 0) return true;
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
    return this.secrets.some((secret) => {
      const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
      return signatures.includes(`v1,${hmac.update(signed).update(body).digest('base64')}`);
    });
  }
}
