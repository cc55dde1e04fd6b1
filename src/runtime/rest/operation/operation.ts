/** Compiles one operation of the contract into the data that the steps of a call need. */

import type {
  Check,
  Convert,
  Json,
  Method,
  OperationContract,
  ResponseChecks,
  SecurityScheme,
} from '../../contract/contract.js';
import { type DecodedParameters, type RawParameters, compileParameters } from '../decode/parameters.js';
import type { AnyHandler } from './handler.js';
import { compileNegotiation } from '../../http/media-type.js';
import { joinVary } from '../../http/response-writers.js';
import { type CompiledRequestBody, compileRequestBody } from './request-body.js';
import { ResponseChecker } from '../responses/response-checker.js';
import { type Encoder, ResponseTable } from './response.js';
import { compileStrip, type SurplusOptions } from './surplus.js';
import { type AnySecurityHandler, type CompiledSecurity, compileSecurity } from './security.js';

/** The parts of an operation with which a request is read. */
export interface RequestReader {
  readonly readParameters: (raw: RawParameters) => DecodedParameters;
  readonly checkParameters: Check | undefined;
  readonly decodeParameters: Convert | undefined;
  /** Whether the exact digits of integers are kept until they are converted. */
  readonly isExact: boolean;
  /** Whether parameters or bodies are converted after their check. */
  readonly converts: boolean;
  readonly requestBody: CompiledRequestBody | undefined;
  /** The maximum size in bytes of a body whose operation has no limit, and of an item of a streamed body. */
  readonly bodyLimit: number;
}

export interface RestOperation<Caller> extends RequestReader {
  readonly id: string;
  readonly method: Method;
  /** The path template, as the contract writes it. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly parameterCount: number;
  /** Whether the next handler serves other operations of the path. */
  readonly sharesPath: boolean;
  readonly handler: AnyHandler<Caller>;
  /** Chooses among the media types of the successes; absent when they have none. */
  readonly negotiate: ((accept: string | undefined) => string | undefined) | undefined;
  readonly security: CompiledSecurity<Caller> | undefined;
  readonly responses: ResponseTable;
  /** Checks its responses; absent unless the service asks for it. */
  readonly checker: ResponseChecker | undefined;
  readonly vary: ResponseVary;
}

/** The `Vary` header of an operation's responses, also of refusals: `x-vary` names the request headers in addition to `Accept`. */
export interface ResponseVary {
  /** For a response whose media type `Accept` chooses. */
  readonly negotiated: string;
  readonly other: string | undefined;
}

interface OperationEnvironment<Caller> {
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly security: Readonly<Record<string, AnySecurityHandler<Caller>>>;
  readonly encoders: Readonly<Record<string, Encoder>>;
  /** The document's own `x-` fields. */
  readonly extensions: Readonly<Record<string, Json>>;
  readonly bodyLimit: number;
  /** The operations on paths with operations of the next handler. */
  readonly shared: ReadonlySet<string>;
  readonly surplus: SurplusOptions;
  readonly bodyCodecs: object | undefined;
  /** Undefined if responses are not checked. */
  readonly checkResponses: ResponseChecks | undefined;
}

/** @throws when the service lacks something that the operation needs; the message names the operation */
export function compileOperation<Caller>(
  id: string,
  contract: OperationContract,
  handler: AnyHandler<Caller>,
  environment: OperationEnvironment<Caller>,
): RestOperation<Caller> {
  try {
    // Only possible when the types were bypassed.
    if (typeof handler !== 'function') throw new Error('its handler is no function');
    const { bodyCodecs, encoders, checkResponses } = environment;
    const responses = new ResponseTable(contract.responses, encoders, bodyCodecs, ({ check }) =>
      compileStrip(id, check, environment.surplus),
    );
    const [first, ...others] = responses.produces;
    return {
      id,
      method: contract.method,
      path: contract.path,
      tags: contract.tags ?? [],
      parameterCount: contract.path.split('{').length - 1,
      sharesPath: environment.shared.has(id),
      handler,
      negotiate:
        first === undefined
          ? undefined
          : compileNegotiation([first, ...others], {
              ...aliasesOf(environment.extensions),
              ...aliasesOf(contract.extensions),
            }),
      security: compileSecurity(
        contract.security,
        contract.extensions?.['x-ignore-invalid-credentials'] === true,
        environment.securitySchemes,
        environment.security,
      ),
      ...compileReader(contract, environment.bodyLimit, bodyCodecs),
      responses,
      checker: checkResponses && new ResponseChecker(contract.responses, checkResponses, bodyCodecs),
      vary: varyOf(contract.extensions?.['x-vary']),
    };
  } catch (error) {
    throw new Error(`operation ${id}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * @param bodyLimit - in bytes, for an operation that has no limit
 *
 * @param bodyCodecs - those of the contract
 */
export function compileReader(
  contract: OperationContract,
  bodyLimit: number,
  bodyCodecs: object | undefined,
): RequestReader {
  const requestBody =
    contract.requestBody && compileRequestBody(contract.requestBody, bodyCodecs, contract.exact);
  return {
    readParameters: compileParameters(contract.parameters ?? [], contract.path, bodyCodecs),
    checkParameters: contract.checkParameters,
    decodeParameters: contract.decodeParameters,
    isExact: contract.exact === true,
    converts:
      contract.decodeParameters !== undefined ||
      [...(requestBody?.content.values() ?? [])].some(
        (each) => 'convert' in each && each.convert !== undefined,
      ),
    requestBody,
    bodyLimit,
  };
}

/** `x-media-type-aliases`: the contract's media type for each further range that a client may ask for. */
function aliasesOf(extensions: Readonly<Record<string, Json>> = {}): Readonly<Record<string, string>> {
  const extension = extensions['x-media-type-aliases'] ?? {};
  const entries = typeof extension === 'object' ? Object.entries(extension) : undefined;
  const aliases = entries?.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (aliases === undefined || aliases.length !== entries?.length) {
    throw new Error('x-media-type-aliases must be an object of media types');
  }
  return Object.fromEntries(aliases);
}

/** The `Vary` header of an operation without `x-vary`. */
export const varyOnAccept: ResponseVary = { negotiated: 'Accept', other: undefined };

function varyOf(names: Json | undefined): ResponseVary {
  if (names === undefined) return varyOnAccept;
  // A field name is a token (RFC 9110 §5.1).
  const isName = (name: Json): boolean => typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
  if (!Array.isArray(names) || names.length === 0 || !names.every(isName)) {
    throw new Error('x-vary must be a list of names of request headers');
  }
  const other = names.join(', ');
  return { negotiated: joinVary('Accept', other), other };
}
