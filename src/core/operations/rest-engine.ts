/** Every REST operation over its service, as an engine that is ready for any transport. */

import {
  type CallContext,
  type Encoder,
  type HttpRequest,
  Problem,
  type ResponseChecks,
  restEngine,
  type RestEngine,
} from 'concordat';
import { contract } from '../../../generated/routing.js';
import { type ErrorCode, type InputPart, ServiceError } from '../model/error.js';
import { anonymous, type Caller } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import { narrowSecurity, securityHandlers, type SecurityHandlers } from './security.js';
import type { Operations } from '../../../generated/operations.js';
import { commentOperations } from './comments.js';
import { listUsersOperations, type ListUsersOptions } from './list-users.js';
import { orderOperations } from './orders.js';
import { postOperations } from './posts.js';
import { productOperations } from './products.js';
import { apiKeyOperations, authOperations, externalSignInOperations } from './sign-in.js';
import { userOperations, userPresenter } from './users.js';

export interface ServiceEngineOptions {
  readonly services: Services;
  /** Finds the caller of the credentials of REST requests; the core's own authentication unless given. */
  readonly security?: SecurityHandlers;
  /** The writer of `application/xml`. */
  readonly xml: Encoder;
  /** Called with every error that was masked as a 500. */
  readonly report: (error: unknown, request: HttpRequest) => void;
  /** Whether answers of the user collection list the supported versions. */
  readonly reportVersions?: boolean;
  /** The module `@concordat/core/response-validators`: with it every answer is checked, for tests and development. */
  readonly checkResponses?: ResponseChecks;
}

/**
 * Makes the engine of the service's operations.
 *
 * @example
 * ```ts
 * const engine = serviceEngine({ services, xml: xmlEncoder(contract.xmlNames), report: console.error });
 * app.use(koaTransport(engine).routes());
 * ```
 */
export function serviceEngine(options: ServiceEngineOptions): RestEngine<Caller> {
  const { services, xml, report, reportVersions = true, checkResponses } = options;
  return restEngine({
    contract: narrowSecurity(contract, services.rights),
    operations: createOperations(services, { reportVersions }),
    security: options.security ?? securityHandlers(services.authentication),
    anonymous,
    encoders: { 'application/xml': xml },
    // A problem has one field, in JSON and XML.
    problems: {
      mediaTypes: ['application/json', 'application/xml'],
      body: ({ message }) => ({ error: message }),
    },
    explain: (error) => (error instanceof ServiceError ? problemOf(error) : undefined),
    report,
    ...(checkResponses && { checkResponses }),
  });
}

const STATUS = {
  'invalid-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'precondition-failed': 412,
  'key-reused': 422,
  'limit-exceeded': 400,
  'too-many-requests': 429,
  unavailable: 503,
  'storage-full': 503,
  'outcome-unknown': 500,
  'not-implemented': 501,
} as const satisfies Record<ErrorCode, number>;

/** The contract's checks name places relative to the request: `body/email`. */
const PLACES = { fields: 'body/', paging: 'query/' } as const satisfies Record<InputPart, string>;

/** The problem for an error of the core. */
export function problemOf(error: ServiceError): Problem {
  const place = error.part && PLACES[error.part];
  return new Problem(STATUS[error.code], `${place ?? ''}${error.message}`, headersOf(error));
}

/** Most outages are short, and a client that waits this long does not prolong them. */
const outageSeconds = 2;

function headersOf({ code, retryAfterSeconds }: ServiceError): Readonly<Record<string, string>> {
  // Every 401 names an authentication scheme (RFC 9110 §15.5.2).
  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };
  const seconds = retryAfterSeconds ?? (STATUS[code] === 503 ? outageSeconds : undefined);
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

/**
 * Makes the handlers of the contract.
 *
 * @example
 * ```ts
 * const operations = createOperations(createServices({ storage, policy }), { reportVersions: true });
 * const engine = restEngine({ contract, operations, ...serviceEngine });
 * ```
 */
export function createOperations(
  services: Services,
  options: ListUsersOptions,
): Operations<CallContext<Caller>> {
  const present = userPresenter(services);
  return {
    ...userOperations(services, present),
    ...listUsersOperations(services, present, options),
    ...orderOperations(services),
    ...productOperations(services),
    ...commentOperations(services),
    ...postOperations(services),
    ...externalSignInOperations(services),
    ...authOperations(services),
    ...apiKeyOperations(services),
  };
}
