/** Two operations on the engine, in front of the old application, which serves the others. */

import { restEngine } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import express, { type Express } from 'express';
import { contract } from './generated/routing.js';
import { bearer, explain, handlers, problems } from './engine.js';
import type { Store } from './store.js';

export function createApp(store: Store, old: Express): Express {
  const { getMe, getCustomer } = handlers(store);
  const engine = restEngine({
    contract,
    operations: { getMe, getCustomer },
    others: 'next',
    security: { bearer: bearer(store) },
    anonymous: undefined,
    explain,
    problems,
    report: console.error,
  });
  return express()
    .use(nodeTransport(engine, { unknownPaths: 'next' }))
    .use(old);
}
