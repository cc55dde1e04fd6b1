/**
 * A service in a process of its own, on the SQLite file of its argument. It prints the packages that are loaded when the service
 * is made, when its first request is answered, and when it has listened for a while.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Session } from 'node:inspector';
import type { AddressInfo } from 'node:net';
import { createService, readSettings } from '@concordat/service';
import { until } from '../../support/until.js';

const scripts: string[] = [];
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params.url));
// Reports every script that is there, and from then on those that come.
session.post('Debugger.enable');

function loaded(): readonly string[] {
  const names = scripts.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

const settings = readSettings({
  DATABASE_URL: `sqlite:${process.argv[2] ?? ''}`,
  LOG_LEVEL: 'silent',
  PORT: '0',
});
const service = await createService({ settings });
const made = loaded();

const answer = service.app.callback();
let answered: readonly string[] = [];
// Not with `listen`, which loads the rest soon.
const server = createServer((request, response) => {
  response.once('finish', () => (answered = loaded()));
  void answer(request, response);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
const { status } = await fetch(`http://127.0.0.1:${String(port)}/api/users/1`);
server.closeAllConnections();
server.close();

await service.listen();
await until('GraphQL is loaded', () => loaded().includes('graphql-ws'));
const warm = loaded();
await service.close();
process.stdout.write(JSON.stringify({ status, made, answered, warm }));
