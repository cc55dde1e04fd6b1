// greetings.property.test.ts
import { test } from 'node:test';
import { arbitraryOf } from '@concordat/tools/fast-check';
import { testClient } from '@concordat/runtime/testing';
import fc from 'fast-check';
import { engine } from './engine.js';
import { contract } from './generated/routing.js';

test('greets by any name', async () => {
  const client = testClient(engine, contract);
  await fc.assert(
    fc.asyncProperty(arbitraryOf(contract, 'getGreeting', 'path'), async (path) => {
      const { status } = await client.getGreeting({ path });
      return status === 200;
    }),
  );
});
