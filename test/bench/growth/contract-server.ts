/** A generated contract behind Koa: every operation has the same handler. */

import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { type RestContract, restEngine } from '@concordat/runtime';
import { koaTransport } from '@concordat/runtime/koa';

const { contract } = (await import(process.argv[2] ?? '')) as { contract: RestContract };

const answer = ({ path }: { path: unknown }) => ({ status: 200, body: path });
const engine = restEngine({
  contract,
  operations: Object.fromEntries(Object.keys(contract.operations).map((id) => [id, answer])),
  security: {},
  anonymous: undefined,
  bodyLimit: 64 * 1024 * 1024,
  report: console.error,
});
const app = new Koa().use(koaTransport(engine).routes());
// A load that ends in the middle of a body is no failure.
app.silent = true;
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
