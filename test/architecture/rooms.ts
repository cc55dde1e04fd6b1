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
const MADE_VALUES = 'src/tools/values/';
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
  { path: MADE_VALUES, sees: [CONTRACT, FAILURES] },
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
      'src/runtime/rest/operation/request-body.ts',
      'src/runtime/rest/operation/forms-and-streams.ts',
      'src/runtime/rest/responses/',
    ],
  },
  { path: 'src/runtime/graphql/', sees: [HTTP], packages: ['graphql'] },
  transport('fastify', ['fastify'], [NODE_TRANSPORT]),
  transport('fetch'),
  transport('graphql-ws', ['node:', 'graphql', 'graphql-ws', 'ws'], [GRAPHQL_FACE, NODE_TRANSPORT]),
  transport('koa', ['koa', '@koa/router'], [NODE_TRANSPORT]),
  transport('node', ['node:']),
  transport('openapi-backend', ['node:', 'openapi-backend'], [NODE_TRANSPORT]),
  { path: 'src/runtime/encoding/xml', sees: [RUNTIME_FACE], packages: ['fast-xml-builder'] },
  {
    path: 'src/runtime/mcp/',
    sees: [CONTRACT, HTTP, CLIENT, 'src/runtime/rest/decode/', RUNTIME_FACE],
    packages: ['@modelcontextprotocol/server'],
  },
  {
    path: 'src/runtime/testing/',
    sees: [CONTRACT, FAILURES, HTTP, CLIENT, 'src/runtime/rest/', RUNTIME_FACE],
    packages: ['node:'],
  },
  // It runs the engine's reading of requests and check of responses, without an engine, and on runtimes without Node's modules.
  {
    path: 'src/runtime/observe/',
    sees: [CONTRACT, HTTP, 'src/runtime/rest/', `${NODE_TRANSPORT}node-request.ts`],
    packageTypes: ['node:'],
  },
  // A request must be one that is written, routed and read as it was made.
  {
    path: 'src/tools/arbitraries/',
    sees: [
      CONTRACT,
      MADE_VALUES,
      CLIENT,
      'src/runtime/rest/decode/',
      'src/runtime/rest/operation/path-matcher.ts',
    ],
    packages: ['fast-check'],
  },
  { path: 'src/runtime/tracing/', sees: [HTTP, RUNTIME_FACE], packages: ['@opentelemetry/api'] },
  { path: 'src/runtime/conformance/', sees: [HTTP], packages: ['node:'] },
  { path: 'src/runtime/terminal/', sees: [], packages: ['node:'] },
  { path: RUNTIME_FACE, sees: [CONTRACT, FAILURES, HTTP, 'src/runtime/rest/'] },
];

const PROBLEMS = 'src/codegen/contract/problems/';
const TEXT = 'src/codegen/text/';
const FORMATS = 'src/codegen/checks/formats/';
const PATTERNS = 'src/codegen/checks/patterns/';
const COMPILER = 'src/codegen/checks/compiler/';
const SCHEMAS = 'src/codegen/checks/schemas/';
const VALUES = 'src/codegen/generator/conversions/';
const LOAD = 'src/codegen/contract/load/';
const READ = 'src/codegen/contract/model/';
const WRITE = 'src/codegen/generator/files/';
const NOTICES = 'src/codegen/generator/';
const CODEGEN_GRAPHQL = 'src/codegen/generator/graphql/';
/** The schemas of a document, as the runtime makes values of them. */
const DOCUMENT_PARTS = 'src/tools/values/document-parts.ts';

/** From options to files: of one contract, of both, and on disk. */
const GENERATOR = 'src/codegen/generator/';
const COMPILE_CONTRACT = `${GENERATOR}compile-contract.ts`;
const PROGRESS_LINE = `${GENERATOR}progress-line.ts`;
const GIT_REVISION = `${GENERATOR}git-revision.ts`;

/** The comparison of two versions: what it tells, and how it is found for each kind of contract. */
const DIFF = 'src/tools/diff/';
const CHANGE = `${DIFF}change/`;
const DIFF_SCHEMAS = `${DIFF}schemas/`;

/** A contract that runs in memory. */
const RUNNING = 'src/tools/running/';

/** What the verification of either kind of contract has: a server, a budget, a seed, and what was found. */
const VERIFY_RUN = 'src/tools/verify/run/';
const VERIFY_OPENAPI = 'src/tools/verify/openapi/';
const VERIFY_GRAPHQL = 'src/tools/verify/graphql/';

/** Writes the shapes that the runtime describes: what generates sees the runtime's types, and only the program its values. */
const CODEGEN: readonly Room[] = [
  { path: PROBLEMS, sees: [] },
  { path: TEXT, sees: [], packages: ['typescript'] },
  // The rows of formats and keywords are those of the runtime, which makes values and explains failures.
  { path: FORMATS, sees: [TEXT], packages: ['@concordat/runtime'] },
  { path: COMPILER, sees: [TEXT, FORMATS], packages: ['@concordat/runtime'] },
  { path: PATTERNS, sees: [COMPILER], packages: ['node:'] },
  {
    path: DOCUMENT_PARTS,
    sees: [TEXT, `${SCHEMAS}document.ts`],
    packageTypes: ['../../src/tools/values/index.js'],
  },
  { path: SCHEMAS, sees: [PROBLEMS, TEXT, FORMATS, COMPILER, PATTERNS], packages: ['@concordat/runtime'] },
  { path: VALUES, sees: [TEXT, SCHEMAS], packageTypes: ['@concordat/runtime'] },
  {
    path: LOAD,
    sees: [PROBLEMS, TEXT, SCHEMAS],
    packages: ['node:', '@redocly/openapi-core', '@concordat/runtime'],
  },
  {
    path: READ,
    sees: [PROBLEMS, TEXT, SCHEMAS, VALUES, LOAD],
    packages: ['node:'],
    packageTypes: ['@concordat/runtime'],
  },
  {
    path: WRITE,
    sees: [PROBLEMS, TEXT, SCHEMAS, VALUES, LOAD, READ],
    packages: ['openapi-typescript', 'typescript'],
    packageTypes: ['@concordat/runtime'],
  },
  {
    path: NOTICES,
    sees: [PROBLEMS, TEXT, SCHEMAS, LOAD, READ],
    packages: ['node:', '@concordat/runtime'],
  },
  {
    path: CODEGEN_GRAPHQL,
    sees: [PROBLEMS, TEXT, `${VALUES}value-types.ts`],
    packages: [
      'node:',
      '@graphql-codegen/core',
      '@graphql-codegen/plugin-helpers',
      '@graphql-codegen/typescript',
      '@graphql-codegen/typescript-resolvers',
      'graphql',
      'typescript',
    ],
    packageTypes: ['@concordat/runtime'],
  },
  {
    path: RUNNING,
    sees: [PROBLEMS, LOAD, READ, SCHEMAS, COMPILE_CONTRACT, WRITE],
    packages: [
      'node:',
      '@concordat/runtime',
      '@concordat/runtime/client',
      '@concordat/runtime/testing',
      'typescript',
    ],
  },
  { path: CHANGE, sees: [READ, RUNNING], packageTypes: ['@concordat/runtime'] },
  {
    path: DIFF_SCHEMAS,
    sees: [TEXT, LOAD, FORMATS, CHANGE],
    packages: ['node:', '@concordat/runtime', '../../src/tools/values/index.js'],
  },
  {
    path: `${DIFF}openapi/`,
    sees: [TEXT, LOAD, READ, DOCUMENT_PARTS, RUNNING, CHANGE, DIFF_SCHEMAS],
    packages: ['@concordat/runtime', '@concordat/runtime/testing', '../../src/tools/values/index.js'],
  },
  {
    path: `${DIFF}graphql/`,
    sees: [CODEGEN_GRAPHQL, CHANGE, RUNNING],
    packages: ['graphql', '@graphql-inspector/core'],
    packageTypes: ['@concordat/runtime'],
  },
  {
    path: DIFF,
    sees: [
      PROBLEMS,
      LOAD,
      CHANGE,
      RUNNING,
      `${DIFF}openapi/`,
      `${DIFF}graphql/`,
      PROGRESS_LINE,
      GIT_REVISION,
    ],
    packages: ['node:', '@redocly/openapi-core', '@concordat/runtime/terminal'],
  },
  {
    path: VERIFY_RUN,
    sees: [`${RUNNING}wire-request.ts`, `${TEXT}shell.ts`],
    packages: ['node:', '../../src/tools/values/index.js', 'ws'],
    packageTypes: ['@concordat/runtime', '@concordat/runtime/testing'],
  },
  {
    path: VERIFY_GRAPHQL,
    sees: [CODEGEN_GRAPHQL, `${RUNNING}wire-request.ts`, VERIFY_RUN],
    packages: ['node:', 'graphql'],
    packageTypes: ['@concordat/runtime', '@concordat/runtime/testing'],
  },
  {
    path: VERIFY_OPENAPI,
    sees: [TEXT, LOAD, READ, DOCUMENT_PARTS, RUNNING, VERIFY_RUN],
    packages: [
      'node:',
      '@concordat/runtime',
      '@concordat/runtime/client',
      '@concordat/runtime/testing',
      '../../src/tools/values/index.js',
    ],
  },
  {
    path: 'src/tools/verify/',
    sees: [VERIFY_RUN, VERIFY_OPENAPI, VERIFY_GRAPHQL, CODEGEN_GRAPHQL],
  },
  {
    path: 'src/tools/mock/',
    sees: [TEXT, LOAD, READ, DOCUMENT_PARTS, RUNNING, CODEGEN_GRAPHQL],
    packages: [
      '@concordat/runtime',
      '@concordat/runtime/graphql',
      '@concordat/runtime/terminal',
      '../../src/tools/values/index.js',
      '@concordat/runtime/xml',
      'graphql',
    ],
  },
  {
    path: 'src/tools/record/',
    sees: [TEXT, FORMATS, COMPILER, LOAD],
    packages: ['node:', '@concordat/runtime/observe', '@concordat/runtime/terminal', 'yaml'],
    packageTypes: ['@concordat/runtime'],
  },
  {
    path: GENERATOR,
    sees: [
      PROBLEMS,
      TEXT,
      SCHEMAS,
      VALUES,
      LOAD,
      READ,
      WRITE,
      NOTICES,
      CODEGEN_GRAPHQL,
      'src/codegen/index.ts',
    ],
    packages: ['node:', '@concordat/runtime/terminal', 'jiti'],
    packageTypes: ['@graphql-codegen/plugin-helpers', '@graphql-codegen/typescript-resolvers'],
  },
  {
    path: 'src/codegen/init/',
    sees: [PROBLEMS, TEXT, VALUES, LOAD, READ, CODEGEN_GRAPHQL, GENERATOR],
    packages: ['node:', '@concordat/runtime/terminal', 'graphql', 'typescript'],
  },
  {
    path: 'src/codegen/cli/guides/',
    sees: [],
    packages: ['node:', 'marked'],
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
      '@concordat/runtime/terminal',
      'jiti',
    ],
  },
  { path: 'src/codegen/bin/', sees: ['src/codegen/cli/main.ts'], packages: ['node:'] },
  { path: 'src/codegen/', sees: [PROBLEMS, VALUES, GENERATOR] },
];

const MODEL = 'src/core/model/';
const PORTS = 'src/core/ports/';
/** How many pieces of work run at once, and how long an answer is waited for. */
const PACING = 'src/core/pacing/';
/** The servers that a URL names. */
const SERVERS = 'src/core/servers/';
const SERVER_URLS = `${SERVERS}server-urls.ts`;
const SERVICES = 'src/core/services/';
const OPERATIONS = 'src/core/operations/';

const RIGHTS = `${SERVICES}rights/`;
const SERVICE_CONTEXT = `${SERVICES}context/`;

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
    sees: [MODEL, PORTS, PACING, SERVER_URLS, ...sees],
    packages: ['node:', ...packages],
  };
}

const CORE: readonly Room[] = [
  { path: MODEL, sees: [] },
  { path: PORTS, sees: [MODEL] },
  { path: PACING, sees: [MODEL] },
  service('rights/'),
  service('context/', [RIGHTS]),
  service('sign-in/', [RIGHTS, SERVICE_CONTEXT]),
  service('users/', [RIGHTS, SERVICE_CONTEXT, `${SERVICES}sign-in/attempts.ts`]),
  ...['posts/', 'orders/', 'products/'].map((path) => service(path, [RIGHTS, SERVICE_CONTEXT])),
  service('', [SERVICES]),
  { path: OPERATIONS, sees: [MODEL, PORTS, SERVICES, GENERATED], packages: ['node:', '@concordat/runtime'] },
  {
    path: 'src/core/resolvers/',
    sees: [MODEL, PORTS, SERVICES, GENERATED],
    packages: ['@graphql-tools/schema', '@concordat/runtime/graphql', 'dataloader', 'graphql'],
  },
  portAdapter('storage/memory'),
  portAdapter('storage/sql/', ['kysely']),
  portAdapter('storage/sqlite', ['kysely', '@photostructure/sqlite'], [SQL]),
  portAdapter('storage/postgres', ['kysely', 'pg'], [SQL]),
  portAdapter('events/broker-events.ts'),
  portAdapter('events/memory', [], [BROKER]),
  portAdapter('events/postgres', ['pg'], [BROKER]),
  { path: SERVERS, sees: [MODEL], packages: ['ioredis'] },
  portAdapter('events/redis', [], [BROKER, SERVERS]),
  portAdapter('identity/argon2', ['@node-rs/argon2']),
  portAdapter('identity/jwt', ['jsonwebtoken']),
  portAdapter('identity/oidc', ['openid-client', 'jsonwebtoken']),
  portAdapter('limits/', ['rate-limiter-flexible'], [SERVERS]),
  { path: 'src/core/conformance/', sees: [MODEL, PORTS], packages: ['node:'] },
  { path: 'src/core/conformance.ts', sees: ['src/core/conformance/'] },
  { path: 'src/core/contract.ts', sees: [GENERATED] },
  { path: 'src/core/response-checks.ts', sees: [GENERATED] },
  { path: 'src/core/copy-contract.js', sees: [], packages: ['node:'] },
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
  { path: PAGES, sees: [], packages: ['node:', '@concordat/runtime'] },
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
      '@concordat/core/graphql',
      '@concordat/core/identity/jwt',
      '@concordat/core/identity/oidc',
      '@concordat/core/limits/memory',
      '@concordat/core/limits/redis',
      '@concordat/core/storage/memory',
      '@concordat/core/storage/postgres',
      '@concordat/core/storage/sqlite',
      '@concordat/runtime',
      '@concordat/runtime/graphql',
      '@concordat/runtime/graphql-ws',
      '@concordat/runtime/mcp',
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
    packages: [
      'node:',
      '@concordat/core',
      '@concordat/core/contract',
      '@concordat/core/identity/argon2',
      'cli-progress',
      '@concordat/runtime',
      '@concordat/runtime/terminal',
      'csv-parse',
    ],
    packageTypes: ['@concordat/core/storage/sqlite'],
  },
  {
    path: 'src/service/cli/',
    sees: ['src/service/'],
    packages: [
      'node:',
      '@concordat/core',
      '@concordat/core/identity/argon2',
      '@modelcontextprotocol/server',
      'commander',
      '@concordat/runtime',
      '@concordat/runtime/mcp',
      '@concordat/runtime/terminal',
    ],
  },
  { path: 'src/service/bin/', sees: ['src/service/cli/main.ts'] },
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
      '@concordat/runtime/xml',
    ],
    packageTypes: ['koa'],
  },
];

export const ROOMS: readonly Room[] = [
  { path: GENERATED, sees: [MODEL], packages: ['graphql'], packageTypes: ['@concordat/runtime'] },
  ...RUNTIME,
  ...CODEGEN,
  ...CORE,
  ...SERVICE,
];
