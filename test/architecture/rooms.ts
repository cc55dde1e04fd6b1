/** The rooms of the house and what each may import: the rules that `imports.test.ts` enforces. */

/** A part of the source tree. A file belongs to the first room that its path starts with. */
export interface Room {
  /** How the paths of its files start. */
  readonly path: string;
  /** How the paths start that it may import, beside its own. */
  readonly sees: readonly string[];
  /**
   * The packages that it may import; Node's own modules are `node:`. The packages of this repository are named by their
   * entry points: `concordat/graphql` beside `concordat`.
   */
  readonly packages?: readonly string[];
  /** The same, for imports that leave nothing behind at run time. */
  readonly packageTypes?: readonly string[];
}

const GENERATED = 'generated/';

const CONTRACT = 'src/runtime/contract/';
const FAILURES = 'src/runtime/failures/';
const MADE_VALUES = 'src/runtime/values/';
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
    path: 'src/runtime/arbitraries/',
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

const PROBLEMS = 'src/codegen/problems/';
const TEXT = 'src/codegen/text/';
const FORMATS = 'src/codegen/formats/';
const PATTERNS = 'src/codegen/patterns/';
const COMPILER = 'src/codegen/compiler/';
const SCHEMAS = 'src/codegen/schemas/';
const VALUES = 'src/codegen/values/';
const LOAD = 'src/codegen/load/';
const READ = 'src/codegen/read/';
const WRITE = 'src/codegen/write/';
const NOTICES = 'src/codegen/notices/';
const CODEGEN_GRAPHQL = 'src/codegen/graphql/';
/** The schemas of a document, as the runtime makes values of them. */
const DOCUMENT_PARTS = 'src/codegen/schemas/document-parts.ts';

/** From options to files: of one contract, of both, and on disk. */
const GENERATOR = 'src/codegen/generator/';
const COMPILE_CONTRACT = `${GENERATOR}compile-contract.ts`;
const PROGRESS_LINE = `${GENERATOR}progress-line.ts`;
const GIT_REVISION = `${GENERATOR}git-revision.ts`;

/** The comparison of two versions: what it tells, and how it is found for each kind of contract. */
const DIFF = 'src/codegen/tools/diff/';
const CHANGE = `${DIFF}change/`;
const DIFF_SCHEMAS = `${DIFF}schemas/`;

/** A contract that runs in memory. */
const RUNNING = 'src/codegen/tools/running/';

/** What the verification of either kind of contract has: a server, a budget, a seed, and what was found. */
const VERIFY_RUN = 'src/codegen/tools/verify/run/';
const VERIFY_OPENAPI = 'src/codegen/tools/verify/openapi/';
const VERIFY_GRAPHQL = 'src/codegen/tools/verify/graphql/';

/** Writes the shapes that the runtime describes: what generates sees the runtime's types, and only the program its values. */
const CODEGEN: readonly Room[] = [
  { path: PROBLEMS, sees: [] },
  { path: TEXT, sees: [], packages: ['typescript'] },
  // The rows of formats and keywords are those of the runtime, which makes values and explains failures.
  { path: FORMATS, sees: [TEXT], packages: ['concordat'] },
  { path: COMPILER, sees: [TEXT, FORMATS], packages: ['concordat'] },
  { path: PATTERNS, sees: [COMPILER], packages: ['node:'] },
  { path: DOCUMENT_PARTS, sees: [TEXT, `${SCHEMAS}document.ts`], packageTypes: ['concordat/values'] },
  { path: SCHEMAS, sees: [PROBLEMS, TEXT, FORMATS, COMPILER, PATTERNS], packages: ['concordat'] },
  { path: VALUES, sees: [TEXT, SCHEMAS], packageTypes: ['concordat'] },
  {
    path: LOAD,
    sees: [PROBLEMS, TEXT, SCHEMAS],
    packages: ['node:', '@redocly/openapi-core', 'concordat'],
  },
  {
    path: READ,
    sees: [PROBLEMS, TEXT, SCHEMAS, VALUES, LOAD],
    packages: ['node:'],
    packageTypes: ['concordat'],
  },
  {
    path: WRITE,
    sees: [PROBLEMS, TEXT, SCHEMAS, VALUES, LOAD, READ],
    packages: ['openapi-typescript', 'typescript'],
    packageTypes: ['concordat'],
  },
  {
    path: NOTICES,
    sees: [PROBLEMS, TEXT, SCHEMAS, LOAD, READ],
    packages: ['node:', 'concordat'],
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
    packageTypes: ['concordat'],
  },
  {
    path: RUNNING,
    sees: [PROBLEMS, LOAD, READ, SCHEMAS, COMPILE_CONTRACT, WRITE],
    packages: ['node:', 'concordat', 'concordat/client', 'concordat/testing', 'typescript'],
  },
  { path: CHANGE, sees: [READ, RUNNING], packageTypes: ['concordat'] },
  {
    path: DIFF_SCHEMAS,
    sees: [TEXT, LOAD, FORMATS, CHANGE],
    packages: ['node:', 'concordat', 'concordat/values'],
  },
  {
    path: `${DIFF}openapi/`,
    sees: [TEXT, LOAD, READ, DOCUMENT_PARTS, RUNNING, CHANGE, DIFF_SCHEMAS],
    packages: ['concordat', 'concordat/testing', 'concordat/values'],
  },
  {
    path: `${DIFF}graphql/`,
    sees: [CODEGEN_GRAPHQL, CHANGE, RUNNING],
    packages: ['graphql', '@graphql-inspector/core'],
    packageTypes: ['concordat'],
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
    packages: ['node:', '@redocly/openapi-core', 'concordat/terminal'],
  },
  {
    path: VERIFY_RUN,
    sees: [`${RUNNING}wire-request.ts`, `${TEXT}shell.ts`],
    packages: ['node:', 'concordat/values', 'ws'],
    packageTypes: ['concordat', 'concordat/testing'],
  },
  {
    path: VERIFY_GRAPHQL,
    sees: [CODEGEN_GRAPHQL, `${RUNNING}wire-request.ts`, VERIFY_RUN],
    packages: ['node:', 'graphql'],
    packageTypes: ['concordat', 'concordat/testing'],
  },
  {
    path: VERIFY_OPENAPI,
    sees: [TEXT, LOAD, READ, DOCUMENT_PARTS, RUNNING, VERIFY_RUN],
    packages: ['node:', 'concordat', 'concordat/client', 'concordat/testing', 'concordat/values'],
  },
  {
    path: 'src/codegen/tools/verify/',
    sees: [VERIFY_RUN, VERIFY_OPENAPI, VERIFY_GRAPHQL, CODEGEN_GRAPHQL],
  },
  {
    path: 'src/codegen/tools/mock/',
    sees: [TEXT, LOAD, READ, DOCUMENT_PARTS, RUNNING, CODEGEN_GRAPHQL],
    packages: [
      'concordat',
      'concordat/graphql',
      'concordat/terminal',
      'concordat/values',
      'concordat/xml',
      'graphql',
    ],
  },
  {
    path: 'src/codegen/tools/record/',
    sees: [TEXT, FORMATS, COMPILER, LOAD],
    packages: ['node:', 'concordat/observe', 'concordat/terminal', 'yaml'],
    packageTypes: ['concordat'],
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
    packages: ['node:', 'concordat/terminal', 'jiti'],
    packageTypes: ['@graphql-codegen/plugin-helpers', '@graphql-codegen/typescript-resolvers'],
  },
  {
    path: 'src/codegen/tools/init/',
    sees: [PROBLEMS, TEXT, VALUES, LOAD, READ, CODEGEN_GRAPHQL, GENERATOR],
    packages: ['node:', 'concordat/terminal', 'graphql', 'typescript'],
  },
  { path: 'src/codegen/tools/docs/', sees: [], packages: ['node:', 'marked'], packageTypes: ['concordat'] },
  {
    path: 'src/codegen/cli/',
    sees: ['src/codegen/'],
    packages: ['node:', 'commander', 'concordat/node', 'concordat/observe', 'concordat/terminal', 'jiti'],
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
  { path: OPERATIONS, sees: [MODEL, PORTS, SERVICES, GENERATED], packages: ['node:', 'concordat'] },
  {
    path: 'src/core/resolvers/',
    sees: [MODEL, PORTS, SERVICES, GENERATED],
    packages: ['@graphql-tools/schema', 'concordat/graphql', 'dataloader', 'graphql'],
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
      'concordat',
      'concordat/observe',
      'concordat/graphql',
      'concordat/koa',
      'pino',
      'pino-pretty',
      'prom-client',
    ],
    packageTypes: ['graphql', 'koa'],
  },
  { path: LISTEN, sees: [SETTINGS], packages: ['node:', '@concordat/core', 'concordat', 'concordat/node'] },
  { path: PAGES, sees: [], packages: ['node:', 'concordat'] },
  { path: GUARDS, sees: [SETTINGS], packages: ['node:', '@concordat/core', 'concordat'] },
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
      'concordat',
      'concordat/graphql',
      'concordat/graphql-ws',
      'concordat/mcp',
      'yaml',
    ],
  },
  {
    path: SERVER,
    sees: [SETTINGS, WATCH, PAGES, GUARDS],
    packages: ['node:', '@concordat/core', '@koa/cors', 'concordat', 'concordat/koa', 'helmet', 'koa'],
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
      'concordat',
      'concordat/terminal',
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
      'concordat',
      'concordat/mcp',
      'concordat/terminal',
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
      'concordat',
      'concordat/graphql',
      'concordat/xml',
    ],
    packageTypes: ['koa'],
  },
];

export const ROOMS: readonly Room[] = [
  { path: GENERATED, sees: [MODEL], packages: ['graphql'], packageTypes: ['concordat'] },
  ...RUNTIME,
  ...CODEGEN,
  ...CORE,
  ...SERVICE,
];
