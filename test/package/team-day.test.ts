/**
 * A team's day with the packed packages: two APIs in one `codegen.ts`, from the contracts to a server whose contract changes. Each step is
 * the command that the team types, and goes on from the step before it.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useBrowser } from '../support/browser.js';
import { bundleOf } from '../support/bundle.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { type Consumer, useConsumers } from './consumer.js';

const ORDERS = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
servers: [{ url: /orders }]
paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }]
      responses:
        '200':
          description: The orders.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } }
        '400': { description: A wrong limit., content: { application/problem+json: { schema: { type: object } } } }
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string, pattern: '^[0-9]{1,9}$' } }]
      responses:
        '200':
          description: The order.
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
        '400': { description: A wrong id., content: { application/problem+json: { schema: { type: object } } } }
        '404': { description: None., content: { application/problem+json: { schema: { type: object } } } }
components:
  schemas:
    Order:
      type: object
      required: [id, item]
      properties: { id: { type: string }, item: { type: string, minLength: 1 } }
      example: { id: '1', item: Chair }
`;

const BILLING = `openapi: 3.1.0
info: { title: Billing, version: 1.0.0 }
servers: [{ url: /billing }]
paths:
  /invoices:
    get:
      operationId: listInvoices
      responses:
        '200':
          description: The ids of the invoices.
          content: { application/json: { schema: { type: array, items: { type: string } } } }
`;

const CONFIG = `import { codegenConfig } from 'concordat';

export default codegenConfig({
  apis: {
    orders: { openapi: 'orders.yaml', out: 'generated/orders' },
    billing: { openapi: 'billing.yaml', out: 'generated/billing' },
  },
});
`;

const ENGINES = `import { Problem, restEngine } from '@concordat/runtime';
import { contract as billingContract } from './generated/billing/routing.js';
import { contract } from './generated/orders/routing.js';

const all = [{ id: '1', item: 'Chair' }, { id: '2', item: 'Table' }];

export const orders = restEngine({
  contract,
  operations: {
    listOrders: ({ query }) => ({ status: 200, body: all.slice(0, query.limit ?? 50) }),
    getOrder: ({ path }) => {
      const order = all.find(({ id }) => id === path.id);
      if (order === undefined) throw new Problem(404, 'There is no such order');
      return { status: 200, body: order };
    },
  },
  security: {},
  anonymous: undefined,
  report: console.error,
});

export const billing = restEngine({
  contract: billingContract,
  operations: { listInvoices: () => ({ status: 200, body: ['7'] }) },
  security: {},
  anonymous: undefined,
  report: console.error,
});
`;

const SERVER = `import { createServer } from 'node:http';
import { nodeTransport } from '@concordat/runtime/node';
import { billing, orders } from './engines.js';

const first = nodeTransport(orders, { prefix: '/orders' });
const second = nodeTransport(billing, { prefix: '/billing' });
createServer((request, response) => {
  if (request.url === '/') {
    response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:,"><title>Shop</title>');
    return;
  }
  if (request.url?.startsWith('/billing') === true) second(request, response);
  else first(request, response);
}).listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log('Listening');
});
`;

const TESTS = `import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { observe } from '@concordat/runtime/observe';
import { testClient } from '@concordat/runtime/testing';
import { orders } from './engines.js';
import * as responseChecks from './generated/orders/response-validators.js';
import { contract } from './generated/orders/routing.js';

const observer = observe({ contract, responseChecks, usage: {} });
const client = testClient(observer.around(orders), contract);

after(async () => {
  await observer.settled();
  await observer.writeUsage('tested');
});

test('lists and reads', async () => {
  assert.equal((await client.listOrders({ query: { limit: 1 } })).status, 200);
  assert.equal((await client.getOrder({ path: { id: '2' } })).status, 200);
});
`;

const CLIENT = `import { restClient } from '@concordat/runtime/client';
import * as responseChecks from './generated/orders/response-validators.js';
import { contract } from './generated/orders/routing.js';
const client = restClient({ contract, responseChecks, baseUrl: location.origin + '/orders' });
globalThis.items = async () => {
  const { body } = await client.listOrders({ query: { limit: 2 } });
  return body.map(({ item }) => item);
};
`;

describe("a team's day", () => {
  const consumerWith = useConsumers();
  const running: ChildProcess[] = [];
  let team: Consumer;
  let url: string;

  before(() => {
    team = consumerWith(['@concordat/runtime', 'concordat', '@concordat/tools', '@types/node']);
    team.write('before/orders.yaml', ORDERS);
    const files = { 'orders.yaml': ORDERS, 'billing.yaml': BILLING, 'codegen.ts': CONFIG };
    for (const [file, text] of Object.entries(files)) team.write(file, text);
  });
  after(async () => {
    for (const child of running) await stopped(child);
  });

  const PROGRAM = 'node_modules/.bin/concordat';

  /** Types a command of the program. @returns its output, and its exit code where it is not 0 */
  function concordat(...parameters: readonly string[]): string {
    const { status, stdout, stderr } = team.node(PROGRAM, ...parameters);
    return status === 0 ? stdout : `${stdout}${stderr}exit code ${String(status)}`;
  }

  /** Starts a program of the project, and waits until it listens. */
  async function started(parameters: readonly string[], port: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, parameters, {
      cwd: team.directory,
      env: { ...process.env, PORT: port },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    await until(`${parameters.join(' ')} listens or ends`, () => output !== '' || child.exitCode !== null);
    return child;
  }

  async function stopped(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    await exit;
  }

  it('generates the code of both APIs, and checks it', () => {
    expect(concordat('generate')).to.include('generated/orders').and.include('generated/billing');
    expect(concordat('check')).not.to.include('exit code');
  });

  it('serves the front end from a mock before anything is implemented', async () => {
    const port = String(await freePort());
    const mock = await started([PROGRAM, 'mock', '--api', 'orders', '--port', port], port);
    const answer = await fetch(`http://127.0.0.1:${port}/orders/orders/1`, {
      headers: { origin: 'http://localhost:5173' },
    });
    expect(await answer.json()).to.deep.equal({ id: '1', item: 'Chair' });
    expect(answer.headers.get('access-control-allow-origin')).to.equal('http://localhost:5173');
    await stopped(mock);
  });

  it('implements both, which compiles', async () => {
    team.write('engines.ts', ENGINES);
    team.write('server.ts', SERVER);
    team.write('orders.test.ts', TESTS);
    expect(team.typeProblems('server.ts', 'orders.test.ts')).to.deep.equal([]);
    for (const file of ['server.ts', 'orders.test.ts']) team.compile(file, '.');
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    await started(['server.js'], port);
    const invoices = await fetch(`${url}/billing/invoices`);
    expect(await invoices.json()).to.deep.equal(['7']);
  });

  it('covers all operations with its own tests', () => {
    const { status, stdout } = team.node('--test', '--test-reporter=tap', 'orders.test.js');
    expect(status, stdout).to.equal(0);
    const coverage = ['coverage', 'tested', '--api', 'orders', '--min'];
    expect(concordat(...coverage, 'operations=100')).to.match(/^operations +2 of 2 +100 %$/m);
    // Nothing was tested that answers 404.
    expect(concordat(...coverage, 'statuses=100')).to.match(/exit code 1$/);
  });

  it('is verified as a test run that JUnit reports', () => {
    const base = `${url}/orders`;
    const report = concordat(
      ...['verify', base, '--api', 'orders', '--seed', '7', '--requests', '300'],
      ...['--format', 'junit', '--har', 'traffic.har'],
    );
    expect(report).to.include('<testsuites tests="2" failures="0" errors="0">');
    expect(JSON.parse(readFileSync(join(team.directory, 'traffic.har'), 'utf8'))).to.have.nested.property(
      'log.version',
      '1.2',
    );
  });

  it('knows from recorded traffic who uses what a change would break', async () => {
    const port = String(await freePort());
    const parameters = ['record', `${url}/orders`, '--api', 'orders', '--usage', 'seen', '--port', port];
    const proxy = await started([PROGRAM, ...parameters], port);
    for (const limit of ['50', '45'])
      expect((await fetch(`http://127.0.0.1:${port}/orders/orders?limit=${limit}`)).status).to.equal(200);
    await stopped(proxy);
    team.write('orders.yaml', ORDERS.replace('maximum: 50', 'maximum: 40'));
    const report = concordat('diff', '--api', 'orders', '--base', 'before', '--usage', 'seen');
    expect(report)
      .to.match(/limit: maximum 50 → 40[^]*used 2 times/)
      .and.match(/exit code 1$/);
  });

  it('accepts the break until a day', () => {
    const diff = ['diff', '--api', 'orders', '--base', 'before'];
    const reason = ['--reason', 'Both callers know', '--until', '2099-03-01'];
    expect(concordat(...diff, '--accept', ...reason)).to.include('Accepted 1 change until 2099-03-01');
    expect(concordat(...diff))
      .to.include('accepted')
      .and.not.include('exit code');
    expect(concordat('check')).to.match(/generated\/orders[^]*exit code 1$/);
    expect(concordat('generate')).not.to.include('exit code');
    expect(concordat('check')).not.to.include('exit code');
  });

  describe('in Chromium', () => {
    const browser = useBrowser();

    it('calls the service with its typed client', async () => {
      const { text } = await bundleOf(CLIENT, team.directory, { format: 'iife' });
      const { page, complaints } = await browser.visit(url);
      await page.evaluate(text);
      expect(await page.evaluate('items()')).to.deep.equal(['Chair', 'Table']);
      expect(complaints).to.deep.equal([]);
    });
  });
});
