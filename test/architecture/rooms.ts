/** The rooms of the house and what each may import: the rules that `imports.test.ts` enforces. */

/** A part of the source tree. A file belongs to the first room that its path starts with. */
export interface Room {
  /** How the paths of its files start. */
  readonly path: string;
  /** How the paths start that it may import, beside its own. */
  readonly sees: readonly string[];
  /**
   * The packages that it may import; Node's own modules are `node:`. The packages of this repository are named by their
   * entry points: `@concordat/runtime/graphql` beside `@concordat/runtime`.
   */
  readonly packages?: readonly string[];
  /** The same, for imports that leave nothing behind at run time. */
  readonly packageTypes?: readonly string[];
}

const GENERATED = 'generated/';

const CONTRACT = 'src/runtime/contract/';
const FAILURES = 'src/runtime/failures/';
const HTTP = 'src/runtime/http/';
const CLIENT = 'src/runtime/client/';
const GRAPHQL_FACE = 'src/runtime/graphql/index.ts';
const RUNTIME_FACE = 'src/runtime/index.ts';

/** What translates between a server and the runtime: it sees the runtime from outside, and no other server's transport. */
function transport(path: string, packages: readonly string[] = [], sees: readonly string[] = []): Room {
  return { path: `src/runtime/transports/${path}`, sees: [HTTP, RUNTIME_FACE, ...sees], packages };
}

/** What every transport on Node shares. */
const NODE_TRANSPORT = 'src/runtime/transports/node/';

/** Imports nothing of the rest, not even by name. */
const RUNTIME: readonly Room[] = [
  { path: CONTRACT, sees: [] },
  { path: FAILURES, sees: [CONTRACT] },
  { path: HTTP, sees: [] },
  { path: 'src/runtime/rest/', sees: [CONTRACT, FAILURES, HTTP] },
  // Answers are decoded as requests are.
  {
    path: CLIENT,
    sees: [
      CONTRACT,
      FAILURES,
      HTTP,
      'src/runtime/rest/decode/',
      'src/runtime/rest/encode/',
      'src/runtime/rest/operation/request-body.ts',
      'src/runtime/rest/operation/forms-and-streams.ts',
      'src/runtime/rest/responses/',
    ],
  },
  { path: 'src/runtime/graphql/', sees: [CONTRACT, FAILURES, HTTP], packages: ['graphql'] },
  transport('fastify', ['fastify'], [NODE_TRANSPORT]),
  transport('fetch'),
  transport('graphql-ws', ['node:', 'graphql', 'graphql-ws', 'ws'], [GRAPHQL_FACE, NODE_TRANSPORT]),
  transport('koa', ['koa', '@koa/router'], [NODE_TRANSPORT]),
  transport('node', ['node:']),
  transport('openapi-backend', ['node:', 'openapi-backend'], [NODE_TRANSPORT]),
  { path: 'src/runtime/encoding/xml', sees: [RUNTIME_FACE], packages: ['fast-xml-builder'] },
  {
    path: 'src/runtime/mcp/',
    sees: [CONTRACT, FAILURES, HTTP, 'src/runtime/rest/decode/', 'src/runtime/rest/encode/', RUNTIME_FACE],
    packages: ['@modelcontextprotocol/server'],
  },
  {
    path: 'src/runtime/testing/',
    sees: [CONTRACT, FAILURES, HTTP, CLIENT, 'src/runtime/rest/', RUNTIME_FACE],
    packages: ['node:'],
  },
  // It calls the steps of another engine between those of its own.
  {
    path: 'src/runtime/bridge/',
    sees: [CONTRACT, HTTP, `${CLIENT}outgoing-request.ts`, 'src/runtime/rest/'],
  },
  // It runs the engine's reading of requests and check of responses, without an engine, and on runtimes without Node's modules.
  {
    path: 'src/runtime/observe/',
    sees: [
      ...[CONTRACT, FAILURES, HTTP, 'src/runtime/rest/', `${NODE_TRANSPORT}node-request.ts`],
      'src/runtime/terminal/finding.ts',
      'src/runtime/terminal/reports.ts',
    ],
    packageTypes: ['node:'],
  },
  { path: 'src/runtime/tracing/', sees: [HTTP, RUNTIME_FACE], packages: ['@opentelemetry/api'] },
  { path: 'src/runtime/conformance/', sees: [HTTP], packages: ['node:'] },
  { path: 'src/runtime/terminal/', sees: [], packages: ['node:'] },
  { path: RUNTIME_FACE, sees: [CONTRACT, FAILURES, HTTP, 'src/runtime/rest/'] },
  { path: 'src/runtime/parts.ts', sees: [CONTRACT, FAILURES, CLIENT, 'src/runtime/rest/'] },
];

const TEXT = 'src/codegen/text/';
/** A contract as data: loaded, read into a model, with its problems. */
const CONTRACTS = 'src/codegen/contract/';
/** The code that checks values: dialects, formats, patterns, and the compiler of schemas. */
const CHECKS = 'src/codegen/checks/';
/** From options to files: the texts of the generated files, of one contract and of both. */
const GENERATOR = 'src/codegen/generator/';
const CONVERSIONS = `${GENERATOR}conversions/`;
const FILES = `${GENERATOR}files/`;
const GRAPHQL_FILES = `${GENERATOR}graphql/`;
const CODEGEN_FACE = 'src/codegen/index.ts';

/** The tables that the generator and the engine share: the engine makes values and explains failures by their rows. */
const ENGINE = ['@concordat/runtime', '@concordat/runtime/parts'];

/** Writes the shapes that the runtime describes: what generates sees the runtime's types, and only the program its values. */
const CODEGEN: readonly Room[] = [
  { path: TEXT, sees: [], packages: ['typescript'] },
  { path: CONTRACTS, sees: [TEXT], packages: ['node:', '@redocly/openapi-core', ...ENGINE] },
  { path: CHECKS, sees: [TEXT, CONTRACTS], packages: ['node:', ...ENGINE] },
  { path: CONVERSIONS, sees: [TEXT, CONTRACTS, CHECKS], packageTypes: ENGINE },
  {
    path: FILES,
    sees: [TEXT, CONTRACTS, CHECKS, CONVERSIONS],
    packages: ['openapi-typescript', 'typescript'],
    packageTypes: ENGINE,
  },
  {
    path: GRAPHQL_FILES,
    sees: [TEXT, CONTRACTS, CHECKS],
    packages: [
      'node:',
      ...ENGINE,
      '@concordat/runtime/graphql',
      '@graphql-codegen/core',
      '@graphql-codegen/plugin-helpers',
      '@graphql-codegen/typescript',
      '@graphql-codegen/typescript-resolvers',
      'graphql',
      'typescript',
    ],
  },
  {
    path: GENERATOR,
    sees: [TEXT, CONTRACTS, CHECKS, CONVERSIONS, FILES, GRAPHQL_FILES, CODEGEN_FACE],
    packages: ['node:', ...ENGINE, '@concordat/runtime/terminal', 'jiti'],
    packageTypes: ['@graphql-codegen/plugin-helpers'],
  },
  {
    path: 'src/codegen/init/',
    sees: [TEXT, CONTRACTS, GENERATOR],
    packages: ['node:', '@concordat/runtime/parts', '@concordat/runtime/terminal', 'graphql', 'typescript'],
  },
  {
    path: 'src/codegen/bridge/',
    sees: [TEXT, CONTRACTS, GENERATOR, 'src/codegen/init/'],
    packages: ['node:', 'typescript'],
  },
  {
    path: 'src/codegen/cli/docs-page.ts',
    sees: [],
    packages: ['@concordat/runtime/terminal'],
    packageTypes: ['@concordat/runtime'],
  },
  {
    path: 'src/codegen/cli/guides.ts',
    sees: ['src/codegen/cli/docs-page.ts'],
    packages: ['node:', 'marked', '@concordat/runtime/terminal'],
    packageTypes: ['@concordat/runtime'],
  },
  {
    path: 'src/codegen/cli/',
    sees: ['src/codegen/'],
    packages: [
      'node:',
      'commander',
      '@concordat/runtime/node',
      '@concordat/runtime/observe',
      '@concordat/runtime/parts',
      '@concordat/runtime/terminal',
      'jiti',
    ],
    packageTypes: ['@concordat/runtime'],
  },
  { path: 'src/codegen/bin/', sees: ['src/codegen/cli/main.ts'], packages: ['node:'] },
  // The two entry points: for projects, and for the tools.
  { path: CODEGEN_FACE, sees: [CONTRACTS, GENERATOR] },
  { path: 'src/codegen/contract.ts', sees: [TEXT, CONTRACTS, CHECKS, GENERATOR, 'src/codegen/bridge/'] },
];

/** Values and requests that are made from schemas. */
const MADE_VALUES = 'src/tools/values/';
/** A contract that runs in memory. */
const RUNNING = 'src/tools/running/';

/** The files in which observers count the use of a contract. */
const USAGE = 'src/tools/usage/';

/** The proxy that passes traffic on, and reads a copy of it. */
const TRAFFIC = 'src/tools/traffic/';

/** A tool: of contracts it sees one entry point of the generator, and no other tool. */
function tool(name: string, packages: readonly string[]): Room {
  return {
    path: `src/tools/${name}/`,
    sees: [MADE_VALUES, RUNNING, TRAFFIC, USAGE],
    packages: ['node:', '@concordat/runtime/terminal', 'concordat/contract', ...ENGINE, ...packages],
  };
}

const TOOLS: readonly Room[] = [
  {
    path: MADE_VALUES,
    sees: [],
    packages: ['graphql', 'concordat/contract', '@concordat/runtime/graphql', ...ENGINE],
  },
  {
    path: RUNNING,
    sees: [MADE_VALUES],
    packages: [
      'node:',
      ...ENGINE,
      '@concordat/runtime/client',
      '@concordat/runtime/testing',
      'concordat/contract',
    ],
  },
  {
    path: 'src/tools/arbitraries/',
    sees: [MADE_VALUES],
    packages: [...ENGINE, '@concordat/runtime/client', 'fast-check'],
  },
  {
    path: USAGE,
    sees: [RUNNING],
    packages: ['node:', '@concordat/runtime/parts', '@concordat/runtime/terminal'],
    packageTypes: ['@concordat/runtime/observe'],
  },
  {
    path: TRAFFIC,
    sees: [RUNNING],
    packages: [
      'node:',
      '@concordat/runtime',
      '@concordat/runtime/node',
      '@concordat/runtime/observe',
      '@concordat/runtime/parts',
      '@concordat/runtime/terminal',
      'concordat/contract',
    ],
  },
  tool('diff', ['@concordat/runtime/testing', '@graphql-inspector/core', 'graphql']),
  tool('mock', ['@concordat/runtime/graphql', '@concordat/runtime/xml', 'graphql']),
  tool('record', ['@concordat/runtime/observe', 'yaml']),
  tool('verify', [
    '@concordat/runtime/client',
    '@concordat/runtime/graphql',
    '@concordat/runtime/observe',
    '@concordat/runtime/testing',
    'graphql',
    'ws',
  ]),
  {
    path: 'src/tools/cli/',
    sees: ['src/tools/'],
    packages: [
      'node:',
      'commander',
      '@concordat/runtime/node',
      '@concordat/runtime/observe',
      '@concordat/runtime/parts',
      '@concordat/runtime/terminal',
      'concordat/contract',
      'concordat/options',
    ],
  },
  {
    path: 'src/tools/index.ts',
    sees: ['src/tools/cli/'],
    packageTypes: ['node:', '@concordat/runtime/terminal'],
  },
];

const MODEL = 'src/core/model/';
const PORTS = 'src/core/ports/';
/** How many pieces of work run at once, and how long an answer is waited for. */
const PACING = 'src/core/pacing/';
/** The servers that a URL names. */
const SERVERS = 'src/core/servers/';
const SERVER_URLS = `${SERVERS}server-urls.ts`;
/** How an adapter exchanges something with another server, and resolves names for it. */
const EXCHANGES = [`${SERVERS}exchange.ts`, `${SERVERS}names.ts`];
const SERVICES = 'src/core/services/';
const OPERATIONS = 'src/core/operations/';

const RIGHTS = `${SERVICES}rights/`;
const CREDENTIALS = `${SERVICES}credentials/`;
const READS = `${SERVICES}reads/`;
const WRITES = `${SERVICES}writes/`;
/** What every service gets, and may use. */
const SHARED = [RIGHTS, CREDENTIALS, READS, WRITES, `${SERVICES}context/`];

/** A folder of the services: it sees the ports, and no other use cases. */
function service(path: string, sees: readonly string[] = []): Room {
  return { path: SERVICES + path, sees: [MODEL, PORTS, PACING, ...sees], packages: ['node:'] };
}

/** What both databases share. */
const SQL = 'src/core/storage/sql/';

/** What is the same for all brokers of events. */
const BROKER = 'src/core/events/broker-events.ts';

/** An adapter of a port: it sees the port and its types, and no other adapter. */
function portAdapter(path: string, packages: readonly string[] = [], sees: readonly string[] = []): Room {
  return {
    path: `src/core/${path}`,
    sees: [MODEL, PORTS, PACING, SERVER_URLS, ...EXCHANGES, ...sees],
    packages: ['node:', ...packages],
  };
}

const CORE: readonly Room[] = [
  // It knows the forms of IP addresses.
  { path: `${MODEL}text.ts`, sees: [MODEL], packages: ['node:'] },
  { path: MODEL, sees: [MODEL] },
  { path: PORTS, sees: [MODEL] },
  { path: PACING, sees: [MODEL] },
  service('rights/'),
  service('credentials/'),
  service('reads/'),
  service('writes/', [RIGHTS, CREDENTIALS]),
  service('context/', SHARED),
  service('users/', [...SHARED, `${SERVICES}sign-in/attempts.ts`]),
  ...['sign-in/', 'posts/', 'orders/', 'products/', 'outbox/'].map((path) => service(path, SHARED)),
  service('', [SERVICES]),
  {
    path: OPERATIONS,
    sees: [MODEL, PORTS, SERVICES, GENERATED],
    packages: ['node:', '@concordat/runtime', '@concordat/runtime/bridge'],
  },
  {
    path: 'src/core/resolvers/',
    sees: [MODEL, PORTS, SERVICES, GENERATED],
    packages: ['@graphql-tools/schema', '@concordat/runtime/graphql', 'graphql'],
  },
  portAdapter('storage/memory'),
  portAdapter('storage/sql/', ['kysely']),
  portAdapter('storage/sqlite', ['kysely', '@photostructure/sqlite'], [SQL]),
  portAdapter('storage/postgres', ['kysely', 'pg'], [SQL]),
  portAdapter('events/broker-events.ts'),
  portAdapter('events/memory', [], [BROKER]),
  portAdapter('events/postgres', ['pg'], [BROKER]),
  portAdapter('events/webhooks'),
  { path: SERVERS, sees: [MODEL], packages: ['node:', 'ioredis'] },
  portAdapter('events/redis', [], [BROKER, SERVERS]),
  portAdapter('identity/argon2', ['@node-rs/argon2']),
  portAdapter('identity/jwt', ['jsonwebtoken']),
  portAdapter('identity/oidc', ['openid-client', 'jsonwebtoken']),
  portAdapter('limits/', ['rate-limiter-flexible'], [SERVERS]),
  { path: 'src/core/conformance/', sees: [MODEL, PORTS], packages: ['node:'] },
  { path: 'src/core/conformance.ts', sees: ['src/core/conformance/'] },
  { path: 'src/core/contract.ts', sees: [GENERATED] },
  { path: 'src/core/kysely.ts', sees: [PORTS], packages: ['kysely'] },
  { path: 'src/core/response-checks.ts', sees: [GENERATED] },
  { path: 'src/core/tools.ts', sees: [GENERATED] },
  { path: 'src/core/testing.ts', sees: [MODEL, PORTS, SERVICES, 'src/core/storage/memory.ts'] },
  { path: 'src/core/copy-contract.js', sees: [], packages: ['node:', 'yaml'] },
  {
    path: 'src/core/index.ts',
    // Nothing of an adapter that needs a package, so that importing the core loads none.
    sees: [MODEL, PORTS, PACING, SERVER_URLS, SERVICES, OPERATIONS, BROKER],
  },
];

const SETTINGS = 'src/service/settings/';
const WATCH = 'src/service/watch/';
const LISTEN = 'src/service/listen/';
const PAGES = 'src/service/pages/';
const GUARDS = 'src/service/guards/';
const OPEN = 'src/service/open/';
const SERVER = 'src/service/server/';

const SERVICE: readonly Room[] = [
  {
    path: SETTINGS,
    sees: [],
    packages: ['node:', '@concordat/core', '@concordat/core/contract', '@concordat/core/identity/jwt'],
  },
  {
    path: WATCH,
    sees: [SETTINGS],
    packages: [
      'node:',
      '@concordat/core',
      '@opentelemetry/api',
      '@concordat/runtime',
      '@concordat/runtime/observe',
      '@concordat/runtime/graphql',
      '@concordat/runtime/koa',
      'pino',
      'pino-pretty',
      'prom-client',
    ],
    packageTypes: ['graphql', 'koa'],
  },
  {
    path: LISTEN,
    sees: [SETTINGS],
    packages: ['node:', '@concordat/core', '@concordat/runtime', '@concordat/runtime/node'],
  },
  {
    path: PAGES,
    sees: [],
    packages: ['node:', '@concordat/runtime', '@concordat/runtime/terminal'],
    packageTypes: ['@concordat/core'],
  },
  // It runs in browsers.
  {
    path: 'src/service/console/',
    sees: [],
    packages: ['@concordat/core/contract', '@concordat/runtime/client'],
  },
  { path: GUARDS, sees: [SETTINGS], packages: ['node:', '@concordat/core', '@concordat/runtime'] },
  {
    path: OPEN,
    sees: [SETTINGS, WATCH, LISTEN, PAGES, GUARDS],
    packages: [
      'node:',
      '@concordat/core',
      '@concordat/core/contract',
      '@concordat/core/events/memory',
      '@concordat/core/events/postgres',
      '@concordat/core/events/redis',
      '@concordat/core/events/webhooks',
      '@concordat/core/graphql',
      '@concordat/core/identity/jwt',
      '@concordat/core/identity/oidc',
      '@concordat/core/limits/memory',
      '@concordat/core/limits/redis',
      '@concordat/core/response-validators',
      '@concordat/core/storage/memory',
      '@concordat/core/storage/postgres',
      '@concordat/core/storage/sqlite',
      '@concordat/core/tools',
      '@concordat/runtime',
      '@concordat/runtime/graphql',
      '@concordat/runtime/graphql-ws',
      '@concordat/runtime/mcp',
      'concordat/contract',
      'yaml',
    ],
  },
  {
    path: SERVER,
    sees: [SETTINGS, WATCH, PAGES, GUARDS],
    packages: [
      'node:',
      '@concordat/core',
      '@koa/cors',
      '@concordat/runtime',
      '@concordat/runtime/koa',
      'helmet',
      'koa',
    ],
  },
  {
    path: 'src/service/cli/records/',
    sees: [],
    packages: ['node:', '@concordat/core', '@concordat/runtime/terminal'],
    packageTypes: ['@concordat/core/storage/sqlite'],
  },
  {
    path: 'src/service/cli/',
    sees: ['src/service/'],
    packages: [
      'node:',
      '@concordat/core',
      '@concordat/core/identity/argon2',
      '@concordat/core/storage/sqlite',
      '@modelcontextprotocol/server',
      'commander',
      '@concordat/runtime',
      '@concordat/runtime/mcp',
      '@concordat/runtime/terminal',
    ],
  },
  { path: 'src/service/bin/', sees: ['src/service/cli/main.ts'], packages: ['node:'] },
  {
    path: 'src/service/',
    sees: [SETTINGS, WATCH, LISTEN, PAGES, GUARDS, OPEN, SERVER],
    packages: [
      'node:',
      '@concordat/core',
      '@concordat/core/contract',
      '@concordat/core/identity/argon2',
      '@concordat/core/response-validators',
      '@concordat/runtime',
      '@concordat/runtime/graphql',
      '@concordat/runtime/node',
      '@concordat/runtime/xml',
    ],
    packageTypes: ['koa'],
  },
];

export const ROOMS: readonly Room[] = [
  {
    path: GENERATED,
    sees: [MODEL],
    packages: ['graphql', '@concordat/runtime/standard-schema'],
    packageTypes: ['@concordat/runtime'],
  },
  ...RUNTIME,
  ...CODEGEN,
  ...TOOLS,
  ...CORE,
  ...SERVICE,
];
