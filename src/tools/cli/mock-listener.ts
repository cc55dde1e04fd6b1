/** The listener of a mock: what `concordat mock` serves, and the pages of `concordat docs --serve` try out. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NodeListener, nodeTransport } from '@concordat/runtime/node';
import type { OperationChoice } from '@concordat/runtime/parts';
import { progressLine, usageFailure } from '@concordat/runtime/terminal';
import { basePathOf } from 'concordat/contract';
import { type Contracts, refusedFor } from 'concordat/options';
import { foreignPage } from '../mock/state/foreign-page.js';
import type { Sandbox } from '../mock/state/sandbox.js';

export interface MockedOptions extends OperationChoice {
  readonly host: string;
  readonly allowOrigin?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly cors: boolean;
  readonly latency?: string;
  readonly fail?: string;
  readonly state?: boolean;
  readonly explain?: boolean;
  readonly seed?: string | number;
  readonly admin: boolean;
}

/** One listener for all contracts: the schema has one path, the document all others. */
export async function listenerOf(
  { openapi, schema }: Contracts,
  options: MockedOptions,
  name: string | undefined,
): Promise<{
  readonly listener: NodeListener;
  readonly prefix: string;
  readonly sandbox: Sandbox | undefined;
}> {
  const { cors, only, except, latency, fail, state, explain, seed, admin } = options;
  const hosts = [options.host, ...(options.allowHost ?? [])];
  const refuseForeign: NodeListener = ({ headers }, outgoing, next) => {
    const foreign = foreignPage(headers, hosts);
    if (foreign === undefined) next?.();
    else outgoing.writeHead(403, { 'Content-Type': 'text/plain' }).end(`${foreign}\n`);
  };
  const listeners: NodeListener[] = [cors ? allowCrossOrigin : refuseForeign];
  let [prefix, rest]: [string, NodeListener | undefined] = ['', undefined];
  let sandbox: Sandbox | undefined;
  if (openapi === undefined && (only ?? except ?? fail) !== undefined)
    throw usageFailure('--only, --except and --fail go with an OpenAPI document');
  if (openapi === undefined && (state ?? explain) === true)
    throw usageFailure('--state and --explain go with an OpenAPI document');
  if (openapi !== undefined) {
    const { handlerOf, sandboxOf } = await import('../mock/mock-handlers.js');
    const { runContract } = await import('../running/running-contract.js');
    const { conditionsOf } = await import('../mock/mock-conditions.js');
    const conditions = conditionsOf({ latency, fail });
    const progress = progressLine('Compiling checks');
    const given = { allowOrigins: options.allowOrigin, only, except, progress };
    const running = await runContract(openapi, given).catch(refusedFor(name));
    prefix = basePathOf(running.document.servers?.[0]) ?? '';
    const now = seed === undefined ? Date.now : () => Date.UTC(2026, 0);
    if ((state ?? explain) === true) sandbox = sandboxOf(running, { prefix, now });
    const handler = handlerOf(openapi, running, conditions, sandbox);
    if (sandbox !== undefined && admin) {
      const { sandboxAdmin, takenPath } = await import('../mock/state/admin.js');
      const taken = takenPath(handler, prefix);
      if (taken !== undefined)
        throw usageFailure(`The document has the path ${taken} too: start the mock with --no-admin.`);
      // Before CORS, which answers every preflight.
      listeners.unshift(nodeTransport(sandboxAdmin(sandbox, hosts)));
    }
    rest = nodeTransport(handler, { prefix });
  }
  if (schema !== undefined) {
    const { mockGraphql } = await import('../mock/mock-schema.js');
    const handler = await mockGraphql(schema, { latency, sandbox }).catch(refusedFor(name));
    listeners.push(nodeTransport(handler));
  }
  if (sandbox !== undefined && seed !== undefined) {
    const { plant } = await import('../mock/state/seed.js');
    plant(sandbox, String(seed));
  }
  if (rest !== undefined) listeners.push(rest);
  return { listener: listeners.reduceRight(inFrontOf), prefix, sandbox };
}

/** Two listeners as one: the first passes on the requests that it does not answer. */
const inFrontOf = (second: NodeListener, first: NodeListener): NodeListener => {
  return (request, response) => first(request, response, () => second(request, response));
};

/**
 * Lets the pages of every origin read the answers (CORS), because a front end under development has an origin of its own, and nothing that a
 * mock answers is a secret of its user.
 */
function allowCrossOrigin(
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
  next?: () => void,
): void {
  outgoing.setHeader('Vary', 'Origin');
  if (headers.origin !== undefined) {
    outgoing.setHeader('Access-Control-Allow-Origin', headers.origin);
    outgoing.setHeader('Access-Control-Allow-Credentials', 'true');
    outgoing.setHeader('Access-Control-Expose-Headers', '*');
  }
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined) {
    next?.();
    return;
  }
  outgoing.setHeader('Access-Control-Allow-Methods', asked);
  const names = headers['access-control-request-headers'];
  if (names !== undefined) outgoing.setHeader('Access-Control-Allow-Headers', names);
  outgoing.writeHead(204).end();
}
