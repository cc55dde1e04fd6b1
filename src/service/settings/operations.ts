/** The settings for operating the service: version headers, CORS, checks, and the limits of requests and of GraphQL. */

import { contract } from '@concordat/core/contract';
import { SettingFault, integer, onOff, optional, toggle } from './setting.js';

/** `*`, or origins in the form in which browsers send them. */
export type CorsOrigins = '*' | ReadonlySet<string>;

function readOrigins(given: string): CorsOrigins {
  if (given === '*') return given;
  const origins = given.split(',').map((origin) => origin.trim());
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new SettingFault(
        `must be * or a comma-separated list of origins such as https://example.com, not ${origin}`,
      );
    }
  }
  return new Set(origins);
}

/** Reads a list of operationIds, or `read` for all operations that only read. */
function readTools(given: string): 'read' | readonly string[] {
  if (given === 'read') return given;
  const names = given.split(',').map((name) => name.trim());
  // The tools refuse selectors that select nothing.
  const unknown = names.find((name) => !name.includes(':') && !Object.hasOwn(contract.operations, name));
  if (unknown === undefined) return names;
  throw new SettingFault(
    `must be read or a comma-separated list of operationIds and of selectors such as tag:Orders, and ${unknown} is none`,
  );
}

export const operationsSettings = {
  reportVersions: toggle(
    'API_VERSION_REPORTING',
    'whether responses of the user collection list the versions of the API in `X-API-Supported-Versions`',
    'on',
  ),
  rateLimit: integer(
    'RATE_LIMIT',
    'requests per minute from one IPv4 address or IPv6 /64 network; a WebSocket counts, and each operation on it; counted over all processes when `EVENTS_URL` is `redis://…`, else per process',
    { from: 1, to: 1_000_000, byDefault: undefined },
  ),
  signUpLimit: integer(
    'SIGN_UP_LIMIT',
    'users that may be created per minute from one address, with `POST /api/users` and `createUser` together, four times as many from one IPv6 /56 and sixteen times as many from one /48; counted like `RATE_LIMIT`',
    { from: 1, to: 1_000_000, byDefault: undefined },
  ),
  slowStatementMs: integer(
    'SLOW_STATEMENT_MS',
    'milliseconds after which a statement of the database is logged, with its text and without its values',
    { from: 1, to: 3_600_000, byDefault: 1_000 },
  ),
  auditDays: integer('AUDIT_DAYS', 'for how many days entries of the audit log are kept', {
    from: 1,
    to: 36_500,
    byDefault: 365,
  }),
  corsOrigins: optional(
    'CORS_ORIGINS',
    'the comma-separated origins whose pages may call the service from a browser; `*` for all',
    readOrigins,
    'off',
  ),
  mcpTools: optional(
    'MCP_TOOLS',
    'the operations that are tools of the Model Context Protocol at `/mcp`: `read` for those that only read, or a comma-separated list of operationIds and of selectors such as `tag:Orders`',
    readTools,
    'off',
  ),
  console: optional(
    'CONSOLE',
    'whether the console for operators is at `/console`, with a rate limit of its own',
    (given) => onOff(given) === 'on',
    '`on` under the policy `open` on a loopback address without a proxy; `off` elsewhere',
  ),
  securityHeaders: toggle(
    'SECURITY_HEADERS',
    "whether responses have helmet's security headers; `off` when a proxy sets its own",
    'on',
  ),
  checkResponses: toggle(
    'CHECK_RESPONSES',
    'whether every response is checked against the contract before it is sent: for development',
    'off',
  ),
};

export const graphqlSettings = {
  graphqlMaxDepth: integer(
    'GRAPHQL_MAX_DEPTH',
    'how many levels of fields an operation may have; introspection is not counted',
    { from: 1, to: 1000, byDefault: 12 },
  ),
  graphqlMaxTokens: integer('GRAPHQL_MAX_TOKENS', 'how many tokens a GraphQL document may have', {
    from: 1,
    to: 1_000_000,
    byDefault: 2000,
  }),
  graphqlMaxAliases: integer(
    'GRAPHQL_MAX_ALIASES',
    'how many aliased fields an operation may have; those of a fragment count each time it is spread',
    { from: 0, to: 100_000, byDefault: 30 },
  ),
  graphqlMaxRepeats: integer(
    'GRAPHQL_MAX_REPEATS',
    'how many fields of one name or alias a GraphQL document may have',
    { from: 1, to: 100_000, byDefault: 500 },
  ),
  graphqlMaxNodes: integer(
    'GRAPHQL_MAX_NODES',
    'how many items the lists of a response may have in all, nested lists included',
    { from: 1, to: 100_000_000, byDefault: 100_000 },
  ),
  graphqlMaxResponse: integer(
    'GRAPHQL_MAX_RESPONSE',
    'how many bytes a response may have, and the posts that are read for it; of a subscription, each event',
    { from: 1, to: 1024 * 1024 * 1024, byDefault: 16 * 1024 * 1024 },
  ),
  graphqlMaxSeconds: integer(
    'GRAPHQL_MAX_SECONDS',
    'how many seconds an operation may take; of a subscription, its start and each event',
    { from: 1, to: 3600, byDefault: 30 },
  ),
  graphqlMaxBody: integer('GRAPHQL_MAX_BODY', 'how many bytes the body of a GraphQL request may have', {
    from: 1,
    to: 1024 * 1024 * 1024,
    byDefault: 1024 * 1024,
  }),
  graphqlMaxOperations: integer(
    'GRAPHQL_MAX_OPERATIONS',
    'how many operations a WebSocket may have at once',
    { from: 1, to: 100_000, byDefault: 50 },
  ),
  graphqlIntrospection: toggle(
    'GRAPHQL_INTROSPECTION',
    'whether clients may read the schema, and error messages suggest names from it',
    'on',
    'off',
  ),
  graphqlTrustedDocuments: optional(
    'GRAPHQL_TRUSTED_DOCUMENTS',
    'path of a JSON manifest of operations by id; if given, no other operation is served',
  ),
};
