/** The settings for operating the service: version headers, limits, CORS and checks. */

import { contract } from '@concordat/core/contract';
import { integer, optional, SettingFault, toggle } from './setting.js';

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
  const ids = given.split(',').map((id) => id.trim());
  const unknown = ids.find((id) => !Object.hasOwn(contract.operations, id));
  if (unknown === undefined) return ids;
  throw new SettingFault(`must be read or a comma-separated list of operationIds, and ${unknown} is none`);
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
    'users that may be created per minute from one address, with `POST /api/users` and `createUser` together; counted like `RATE_LIMIT`',
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
    'the operations that are tools of the Model Context Protocol at `/mcp`: `read` for those that only read, or a comma-separated list of operationIds',
    readTools,
    'off',
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
