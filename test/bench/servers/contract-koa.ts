/** A generated contract behind Koa: every operation has the same handler. */

import Koa from 'koa';
import { type RestContract, restEngine } from 'concordat';
import { koaTransport } from 'concordat/koa';
import { listen } from './listen.js';

const { contract } = (await import(process.argv[2] ?? '')) as { contract: RestContract };

const answer = ({ path }: { path: unknown }) => ({ status: 200, body: path });
const engine = restEngine({
  contract,
  operations: Object.fromEntries(Object.keys(contract.operations).map((id) => [id, answer])),
  security: {},
  anonymous: undefined,
  report: console.error,
});
const app = new Koa();
app.use(koaTransport(engine).routes());
listen(app);
