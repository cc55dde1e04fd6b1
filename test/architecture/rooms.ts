/** The rooms of the house and what each may import: the rules that `imports.test.ts` enforces. */

/** A part of the source tree. A file belongs to the first room that its path starts with. */
export interface Room {
  /** How the paths of its files start. */
  readonly path: string;
  /** How the paths start that it may import, beside its own. */
  readonly sees: readonly string[];
  /** The same, for imports that leave nothing behind at run time. */
  readonly seesTypesOf?: readonly string[];
  /** The packages that it may import; Node's own modules are `node:`. */
  readonly packages?: readonly string[];
}

const MODEL = 'src/core/model/';
const PORTS = 'src/core/ports/';
const SERVICES = 'src/core/services/';
const ENGINE_FACE = 'src/engine/index.ts';
const GRAPHQL_FACE = 'src/engine/graphql/index.ts';
const GENERATED = 'generated/';

/** What the transports share. */
const BODY = 'src/adapters/transport/body/';

/** What both databases share. */
const SQL = 'src/adapters/storage/sql/';

/** What is the same for all brokers of events. */
const BROKER = 'src/adapters/events/broker/';

/** An adapter of a port: it sees the port and its types, and no other adapter. */
function portAdapter(path: string, packages: readonly string[] = [], sees: readonly string[] = []): Room {
  return { path: `src/adapters/${path}`, sees: [MODEL, PORTS, ...sees], packages: ['node:', ...packages] };
}

/** What stands between the engine and the world: it sees the engine from outside. */
function engineAdapter(path: string, packages: readonly string[] = [], sees: readonly string[] = []): Room {
  return { path: `src/adapters/${path}`, sees: [ENGINE_FACE, ...sees], packages: ['node:', ...packages] };
}

export const ROOMS: readonly Room[] = [
  { path: GENERATED, sees: [], packages: ['graphql'] },
  {
    path: 'src/codegen/',
    sees: [],
    // The generator writes the shape that this page describes.
    seesTypesOf: ['src/engine/contract.ts'],
    packages: [
      'node:',
      '@graphql-codegen/cli',
      '@graphql-codegen/plugin-helpers',
      '@graphql-codegen/typescript-resolvers',
      '@redocly/openapi-core',
      'ajv',
      'ajv-formats',
      'graphql',
      'openapi-typescript',
      'typescript',
    ],
  },
  { path: 'src/engine/graphql/', sees: ['src/engine/'], packages: ['node:', 'graphql'] },
  { path: 'src/engine/', sees: [], packages: ['node:'] },
  { path: MODEL, sees: [] },
  { path: PORTS, sees: [MODEL] },
  { path: SERVICES, sees: [MODEL, PORTS], packages: ['node:'] },
  {
    path: 'src/core/operations/',
    sees: [MODEL, PORTS, SERVICES, ENGINE_FACE, GENERATED],
    packages: ['node:'],
  },
  {
    path: 'src/core/resolvers/',
    sees: [MODEL, PORTS, SERVICES, ENGINE_FACE, GRAPHQL_FACE, GENERATED],
    packages: ['node:', 'graphql', '@graphql-tools/schema', 'dataloader'],
  },
  { path: 'src/core/index.ts', sees: ['src/core/', ENGINE_FACE, GENERATED] },
  portAdapter('storage/memory'),
  portAdapter('storage/sql/', ['kysely']),
  portAdapter('storage/sqlite', ['kysely', '@photostructure/sqlite'], [SQL]),
  portAdapter('storage/postgres', ['kysely', 'pg'], [SQL]),
  portAdapter('events/broker/'),
  portAdapter('events/memory', [], [BROKER]),
  portAdapter('events/postgres', ['pg'], [BROKER]),
  portAdapter('events/redis', ['ioredis'], [BROKER]),
  portAdapter('identity/argon2', ['@node-rs/argon2']),
  portAdapter('identity/jwt', ['jsonwebtoken']),
  portAdapter('limits/', ['ioredis', 'rate-limiter-flexible']),
  engineAdapter('transport/body/'),
  engineAdapter('transport/fetch', [], [BODY]),
  portAdapter('identity/oidc', ['openid-client', 'jsonwebtoken']),
  engineAdapter('transport/graphql-ws', ['graphql', 'graphql-ws', 'ws'], [GRAPHQL_FACE]),
  engineAdapter(
    'transport/graphql-sse',
    ['graphql', 'koa'],
    [GRAPHQL_FACE, 'src/adapters/transport/koa-message'],
  ),
  engineAdapter('transport/koa', ['koa', '@koa/router'], [BODY, GRAPHQL_FACE]),
  engineAdapter('transport/node', [], [BODY]),
  engineAdapter('transport/openapi-backend', ['openapi-backend'], [BODY]),
  engineAdapter('execution/graphql-jit', ['graphql', 'graphql-jit'], [GRAPHQL_FACE]),
  engineAdapter('web/pages', ['node:']),
  engineAdapter('encoding/xml', ['fast-xml-builder']),
  { path: 'src/conformance/', sees: [MODEL, PORTS], packages: ['node:'] },
  {
    path: 'src/cli/door/',
    sees: ['src/', GENERATED],
    packages: ['node:', '@koa/cors', '@opentelemetry/api', 'helmet', 'koa', 'prom-client'],
  },
  {
    path: 'src/cli/',
    sees: ['src/', GENERATED],
    packages: [
      'node:',
      '@graphql-codegen/cli',
      '@graphql-codegen/plugin-helpers',
      '@inquirer/password',
      'ajv',
      'ajv-formats',
      'cli-progress',
      'commander',
      'csv-parse',
      'graphql',
      'koa',
      'openapi-backend',
      'pino',
      'pino-pretty',
      'yaml',
    ],
  },
];
