/** The service's contract as an engine, ready for any transport. */

import { contract } from '../../../generated/routing.js';
import { type Encoder, type ResponseChecks, type RestEngine, type HttpRequest, restEngine } from 'concordat';
import { type Caller, anonymous } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { explainServiceError } from './error-status.js';
import { narrowSecurity } from './operation-actions.js';
import { createOperations } from './operations.js';
import { type SecurityHandlers, securityHandlers } from './security.js';

export interface ServiceEngineOptions {
  readonly services: Services;
  /** Says who the credentials of REST requests stand for; the core's own authentication unless given. */
  readonly security?: SecurityHandlers;
  /** The writer of `application/xml`. */
  readonly xml: Encoder;
  /** Called with every error that was masked as a 500. */
  readonly report: (error: unknown, request: HttpRequest) => void;
  /** Whether answers of the user collection list the supported versions. */
  readonly reportVersions?: boolean;
  /** All of `@concordat/core/response-validators`; with them every answer is checked, for tests and development. */
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
    // One field, in JSON and XML.
    problems: {
      mediaTypes: ['application/json', 'application/xml'],
      body: ({ message }) => ({ error: message }),
    },
    explain: explainServiceError,
    report,
    ...(checkResponses && { checkResponses }),
  });
}
