/** Sends operations to the endpoint. */

import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { memoryRequest } from '@concordat/runtime';
import { endpoint } from '../src/graphql/endpoint.js';

void test('the schema answers', async () => {
  const query = new URLSearchParams({ query: '{ __typename }' }).toString();
  const { status } = await endpoint(memoryRequest({ path: '/graphql', query }));
  equal(status, 200);
});
