/** The server of a run, whose budget of requests and seconds is spent evenly on all operations. */

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { WireRequest } from '../../running/wire-request.js';
import { converse } from './converse.js';
import { type Answer, sendRequest } from './send-request.js';

export interface Budget {
  /** The most requests. */
  readonly requests: number;
  readonly seconds: number;
}

export class Server {
  /** The number of requests sent. */
  requests = 0;
  readonly #agent: HttpAgent;
  readonly #deadline: number;

  /** @param url - to which the paths of requests are appended */
  constructor(
    readonly url: string,
    private readonly budget: Budget,
  ) {
    const Agent = url.startsWith('https:') ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true });
    this.#deadline = performance.now() + budget.seconds * 1000;
  }

  /** Whether the budget is spent. */
  get isOver(): boolean {
    return this.requests >= this.budget.requests || performance.now() > this.#deadline;
  }

  /** @throws an Error if no server answers */
  async send(request: WireRequest): Promise<Answer> {
    this.requests += 1;
    let answer = await sendRequest(this.url, request, this.#agent);
    // A server may close a kept-alive connection just as it is reused.
    const isClosed = 'failure' in answer && /ECONNRESET|socket hang up|EPIPE/.test(answer.failure);
    if (isClosed) answer = await sendRequest(this.url, request, this.#agent);
    if ('failure' in answer && answer.isRefused) throw new Error(`No server answers at ${this.url}`);
    return answer;
  }

  /** Sends the messages of a request over WebSocket. @returns undefined if the server has no WebSocket at that path */
  converse(request: WireRequest): Promise<Answer | undefined> {
    this.requests += 1;
    return converse(this.url, request);
  }

  close(): void {
    this.#agent.destroy();
  }
}

interface Spending {
  readonly server: Server;
  /** Called after each attempt. */
  readonly progress: ((done: number, total: number) => void) | undefined;
}

/** Attempts one case per queue in turn, until all are done or the server's budget is spent. */
export async function inTurn<Case>(
  queues: readonly (readonly Case[])[],
  { server, progress }: Spending,
  attempt: (next: Case) => Promise<unknown>,
): Promise<void> {
  const total = queues.reduce((sum, { length }) => sum + length, 0);
  let done = 0;
  for (let turn = 0; queues.some(({ length }) => turn < length); turn += 1) {
    for (const queue of queues) {
      const next = queue[turn];
      if (next === undefined) continue;
      if (server.isOver) return;
      await attempt(next);
      progress?.((done += 1), total);
    }
  }
}
