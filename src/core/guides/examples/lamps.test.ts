// lamps.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protectedPolicy } from '@concordat/core';
import { testCore } from '@concordat/core/testing';

test('only admins make lamps', async () => {
  const { services, caller, addCaller } = await testCore({ policy: protectedPolicy });
  const lamp = { name: 'Lamp', price: 24.5 };
  assert.equal((await services.products.create(caller, lamp)).name, 'Lamp');
  await assert.rejects(services.products.create(await addCaller(), lamp), { code: 'forbidden' });
});
