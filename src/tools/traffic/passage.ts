/** Passes one exchange on: checks the request where that is asked for, and sends it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@concordat/runtime';
import type { BodySample, PassedExchange } from '@concordat/runtime/observe';
import { passedHead } from './heads.js';
import { answerWith, refuse } from './own-answers.js';
import { type Passing, Relay, type Tunnel } from './relay.js';

interface Manner {
  /** Whether the client waits for `100 Continue`. */
  readonly expects?: boolean;
  /** The connection of a client that asks for another protocol, and its first bytes after that. */
  readonly tunnel?: Tunnel;
}

/** Passes an exchange on. Nothing of a request is sent before it is checked. */
export async function passOn(
  passing: Passing,
  request: IncomingMessage,
  response: ServerResponse,
  manner: Manner,
): Promise<void> {
  let exchange: PassedExchange | undefined;
  try {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const head = passedHead(request, passing.server.name);
    exchange = passing.open(head);
    const { enforced, request: sample } = exchange ?? {};
    const isHeld = enforced?.needsBody === true && sample !== undefined;
    if (isHeld && manner.expects === true) response.writeContinue();
    const held = isHeld ? await hold(request, sample, passing.deadlines.body) : [];
    const rejection = await enforced?.rejection();
    if (rejection !== undefined) answerWith(request, response, rejection);
    else if (response.destroyed || request.socket.destroyed) exchange?.breakOff();
    else {
      const expects = manner.expects === true && !isHeld;
      new Relay(passing, { request, response, head, exchange, held, expects, tunnel: manner.tunnel }).start();
    }
  } catch (error) {
    exchange?.breakOff();
    refuse(request, response, error);
  }
}

/** Reads a body until it ends, or is too large to be checked. */
function hold(request: IncomingMessage, sample: BodySample, ms: number): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const held: Buffer[] = [];
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('error', reject).off('close', gone).pause();
      settle();
    };
    const take = (piece: Buffer): void => {
      held.push(piece);
      sample.add(piece);
      if (sample.isCut) end();
    };
    const end = (): void => finish(() => resolve(held));
    const gone = (): void => finish(() => reject(request.errored ?? new Error('The client is gone')));
    const late = (): void => finish(() => reject(new Problem(408, 'The request did not arrive in time')));
    const timer = setTimeout(late, ms);
    request.on('data', take).once('end', end).once('close', gone);
  });
}
