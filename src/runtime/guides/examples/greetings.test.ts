// greetings.test.ts
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { nodeTransport } from '@concordat/runtime/node';
import { answerProblems, testClient } from '@concordat/runtime/testing';
import { engine } from './engine.js';
import * as responseChecks from './generated/response-validators.js';
import { contract } from './generated/routing.js';

test('greets by name', async () => {
  const client = testClient(engine, contract);
  const { status, body } = await client.getGreeting({ path: { name: 'Ada' } });
  assert.equal(status, 200);
  assert.equal(body.text, 'Hello, Ada');
});

test('answers as the contract says', async (context) => {
  const server = createServer(nodeTransport(engine)).listen(0, '127.0.0.1');
  context.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/greetings/Ada`);
  const { status, headers } = response;
  const answer = { status, headers: Object.fromEntries(headers), text: await response.text() };
  const problemsOf = answerProblems({ contract, responseChecks });
  assert.deepEqual(problemsOf({ method: 'GET', path: '/greetings/Ada' }, answer), []);
});
