/** A server of the orders, whose use is counted. */

import { fileURLToPath } from 'node:url';
import { type HttpHandler, restEngine } from '@concordat/runtime';
import { type ObserveOptions, type Observer, observe } from '@concordat/runtime/observe';
import { type RunningContract, runContract } from '../../../src/tools/running/running-contract.js';
import { testClient } from '@concordat/runtime/testing';

export const ordersFile = fileURLToPath(new URL('orders.yaml', import.meta.url));

let running: Promise<RunningContract> | undefined;

const lamp = { id: '1', title: 'Lamp', state: 'sent', parts: [{ title: 'Bulb', state: 'sent' }] };

/** The answers are typed by the compiled contract only. */
type Request = { readonly path: { readonly id: string }; readonly body: object };

async function ordersEngine(): Promise<HttpHandler> {
  const { contract } = await (running ??= runContract(ordersFile));
  return restEngine<string, unknown, string, string>({
    contract,
    anonymous: 'nobody',
    report: console.error,
    security: {},
    operations: {
      listOrders: () => ({ status: 200, body: { items: [lamp] } }),
      addOrder: ({ body }: Request) => ({ status: 201, body: { ...body, id: '2' } }),
      deleteOrder: ({ path }: Request) => ({ status: path.id === '1' ? 204 : 404 }),
    },
  });
}

type Call = (
  request?: object,
  options?: { readonly headers: Readonly<Record<string, string>> },
) => Promise<{ readonly status: number }>;

/** A client of the orders, and the observer between it and the engine. */
export async function observedOrders(options: Partial<ObserveOptions> = {}): Promise<{
  readonly client: Readonly<Record<'listOrders' | 'addOrder' | 'deleteOrder', Call>>;
  readonly observer: Observer;
}> {
  const { contract, responseChecks } = await (running ??= runContract(ordersFile));
  const report = (error: unknown): void => {
    throw error;
  };
  const observer = observe({ contract, responseChecks, usage: {}, report, ...options });
  const client: object = testClient(observer.around(await ordersEngine()), contract);
  return { client: client as Awaited<ReturnType<typeof observedOrders>>['client'], observer };
}

/** The body of a JSON request. */
export function json(body: object): object {
  return { contentType: 'application/json', body };
}
