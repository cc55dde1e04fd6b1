/** What a service loads before its first answer over REST, which its start and its users wait for. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';

interface Loaded {
  readonly status: number;
  readonly made: readonly string[];
  readonly answered: readonly string[];
  readonly warm: readonly string[];
}

/** Loaded soon after the service listens, without a request for it. */
const GRAPHQL = ['@graphql-tools/schema', 'graphql', 'graphql-ws', 'ws'];

/** Loaded with the first use. */
const OTHERS = [
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  'ajv',
  'ioredis',
  'jsonwebtoken',
  'openid-client',
  'pg',
  'pino-pretty',
  'prom-client',
  'rate-limiter-flexible',
  'yaml',
];

describe('the first answer', () => {
  let directory = '';
  let loaded: Loaded;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-first-answer-'));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--conditions=@concordat/source',
        '--import=tsx',
        join(ROOT, 'test/service/first-answer/loaded-packages.ts'),
        join(directory, 'service.db'),
      ],
      { cwd: ROOT },
    );
    loaded = JSON.parse(stdout) as Loaded;
  });
  after(() => rm(directory, { recursive: true }));

  it('is that of an operation on a store', () => {
    expect(loaded.status).to.equal(200);
    expect(loaded.answered).to.include.members(['koa', 'kysely', 'pino', '@photostructure/sqlite']);
  });

  it('needs none of the packages that other requests need', () => {
    for (const name of [...GRAPHQL, ...OTHERS]) {
      expect(loaded.made, 'the service is made').not.to.include(name);
      expect(loaded.answered, 'the request is answered').not.to.include(name);
    }
  });

  it('is followed by loading GraphQL, before the first request for it', () => {
    expect(loaded.warm).to.include.members(GRAPHQL);
  });
});
