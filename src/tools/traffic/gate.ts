/** Holds each request until it is checked, and answers those that do not fit in place of the server. */

import type { Socket } from 'node:net';
import { type HttpResponse, Problem, problemDetails } from '@concordat/runtime';
import { writeToSocket } from '@concordat/runtime/node';
import type { ConnectionReader, PendingExchange } from './connection-reader.js';
import { MOST_HEAD_BYTES, valuesOf } from './message-reader.js';

export class Gate {
  /** Bytes of a request that is not checked yet, and their number. */
  #held: Buffer[] = [];
  #size = 0;
  /** The request whose bytes pass, and the last one that has passed. */
  #passing: PendingExchange | undefined;
  #passed: PendingExchange | undefined;
  #continued: PendingExchange | undefined;
  #isClosed = false;

  constructor(
    private readonly reading: ConnectionReader,
    private readonly client: Socket,
    private readonly server: Socket,
  ) {}

  /** Whether it has answered, so that nothing passes any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Passes on what may pass. */
  async pass(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !this.#isClosed;) {
      const start = at;
      at = this.reading.request.step(chunk, at);
      this.#held.push(chunk.subarray(start, at));
      this.#size += at - start;
      if (!(await this.#mayPass())) continue;
      this.#size = 0;
      for (const bytes of this.#held.splice(0)) {
        if (this.server.writable && !this.server.write(bytes))
          await new Promise((resolve) => this.server.once('drain', resolve));
      }
      if (this.#passing?.isRead === true) this.#passed = this.#passing;
    }
  }

  async #mayPass(): Promise<boolean> {
    const { request, latest, isTunnel } = this.reading;
    if (isTunnel) return true;
    if (request.isLost) {
      // What cannot be read cannot be checked.
      await this.#refuse(problemResponse(400, 'The connection cannot be read as HTTP/1.1'));
      return false;
    }
    if (latest === undefined || latest === this.#passed) return false;
    if (latest === this.#passing) return true;
    const { enforced, request: body } = latest.exchange ?? {};
    // The framing of a body may be many times as long as the body.
    if (body !== undefined && this.#size > 2 * body.limit + MOST_HEAD_BYTES) body.cut();
    if (enforced?.needsBody === true && !latest.isRead && body?.isCut === false) {
      if (this.#continued !== latest) await this.#continue(latest);
      return false;
    }
    const rejection = await enforced?.rejection();
    if (rejection !== undefined) {
      await this.#refuse(rejection);
      return false;
    }
    this.#passing = latest;
    return true;
  }

  /** Asks for the body of a client that waits for that, because its check needs the body. */
  async #continue(latest: PendingExchange): Promise<void> {
    this.#continued = latest;
    if (!valuesOf(latest.headers, 'expect').some((value) => /100-continue/i.test(value))) return;
    await this.reading.alone();
    this.client.write('HTTP/1.1 100 Continue\r\n\r\n');
    // The server would ask for it again.
    const head = Buffer.concat(this.#held).toString('latin1');
    this.#held = [Buffer.from(head.replaceAll(/\r\nexpect:[^\r]*/gi, ''), 'latin1')];
  }

  async #refuse(response: HttpResponse): Promise<void> {
    this.#isClosed = true;
    await this.reading.alone();
    this.reading.withdraw();
    answer(this.client, response, this.reading.latest?.method);
    this.server.end();
  }
}

export function problemResponse(status: number, detail: string): HttpResponse {
  const body = JSON.stringify(problemDetails.body(new Problem(status, detail)));
  return { status, headers: { 'Content-Type': 'application/problem+json' }, body };
}

/** Answers in place of the server, and ends the connection. @param method - that of the request */
export function answer(client: Socket, response: HttpResponse, method: string | undefined): void {
  writeToSocket(client, method === 'HEAD' ? { ...response, body: '' } : response);
}
