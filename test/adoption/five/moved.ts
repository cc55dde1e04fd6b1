/** All operations on the engine, behind Express. */

import { restEngine } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import express, { type Express } from 'express';
import { contract } from './generated/routing.js';
import { bearer, explain, handlers, problems } from './engine.js';
import type { Store } from './store.js';

export function createApp(store: Store): Express {
  const engine = restEngine({
    contract,
    operations: handlers(store),
    security: { bearer: bearer(store) },
    anonymous: undefined,
    explain,
    problems,
    report: console.error,
  });
  return express().use(nodeTransport(engine));
}
