/** Every REST operation over its service, as an engine that is ready for any transport, also for a contract that extends the core's. */
import {
  type AnyLiteral,
  type CallContext,
  type Encoder,
  type Hooks,
  type HttpRequest,
  OUTAGE_SECONDS,
  Problem,
  type ResponseChecks,
  restEngine,
  type RestEngine,
  type RestEngineOptions,
  type Signatures,
  type RestContract,
} from '@concordat/runtime';
import { contract } from '../../../generated/routing.js';
import { rememberHandlers, requireRead } from '../model/fields.js';
import { type ErrorCode, type InputPart, isOutage, ServiceError } from '../model/error.js';
import { anonymous, type Caller } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import { narrowSecurity, securityHandlers, type SecurityHandlers } from './security.js';
import type { components } from '../../../generated/openapi.js';
import type { Handler, Operations } from '../../../generated/operations.js';
import { type FieldReading, keptFieldsOf, type RecordName, type StoredFields } from '../model/stored.js';
import { auditOperations } from './audit.js';
import { commentOperations, orderOperations } from './orders.js';
import { listUsersOperations, type ListUsersOptions } from './list-users.js';
import { reads } from './own-fields.js';
import { postOperations } from './posts.js';
import { productOperations } from './products.js';
import { apiKeyOperations, authOperations, externalSignInOperations } from './sign-in.js';
import { userOperations, userPresenter } from './users.js';
import { webhookOperations } from './webhooks.js';

interface CommonOptions {
  readonly services: Services;
  /** The writer of `application/xml`. */
  readonly xml: Encoder;
  /** Called with every error that was masked as a 500, and with every `ServiceError` of an outage, whose cause clients do not see. */
  readonly report: (error: unknown, request: HttpRequest) => void;
  /** The module `@concordat/core/response-validators`: with it every answer is checked, for tests and development. */
  readonly checkResponses?: ResponseChecks;
}

export interface ServiceEngineOptions extends CommonOptions, ListUsersOptions {
  readonly contract?: undefined;
  /** Finds the caller of the credentials of REST requests; the core's own authentication unless given. */
  readonly security?: SecurityHandlers;
  /** Functions that run before and after the core's handlers. */
  readonly hooks?: readonly Hooks<Caller, unknown, Operations>[];
}

/**
 * The options for an application's own contract, which has other operations than the core's, or more fields. Its `operations` are
 * those of {@link createOperations} and the application's own, and its `security` is that of `securityHandlers` and handlers for
 * schemes of its own. A handler of the core whose operation has another required field does not compile until it is replaced.
 */
export type ExtendedEngineOptions<
  Id extends string,
  Scheme extends string,
  Handlers extends Signatures<Handlers>,
  Host = unknown,
  Literals = never,
> = CommonOptions &
  Pick<
    RestEngineOptions<Caller, Host, Id, Scheme, Handlers, Literals>,
    'contract' | 'operations' | 'security' | 'host' | 'hooks'
  >;

/**
 * Makes the engine of the core's contract, or of an application's own contract that extends it.
 *
 * @example
 * ```ts
 * const engine = serviceEngine({ services, xml: xmlEncoder(contract.xmlNames), report: console.error });
 * app.use(koaTransport(engine).routes());
 * ```
 */
export function serviceEngine<
  Id extends string,
  Scheme extends string,
  Handlers extends Signatures<Handlers>,
  Host = unknown,
  Literals extends AnyLiteral<Literals> = never,
>(
  options: ServiceEngineOptions | ExtendedEngineOptions<Id, Scheme, Handlers, Host, Literals>,
): RestEngine<Caller, Host> {
  const { services, xml, report, checkResponses } = options;
  const common = {
    anonymous,
    encoders: { 'application/xml': xml },
    // A problem has one field, in JSON and XML.
    problems: {
      mediaTypes: ['application/json', 'application/xml'],
      body: ({ message }: Problem) => ({ error: message }),
    },
    explain: (error: unknown, request: HttpRequest) => {
      if (!(error instanceof ServiceError)) return undefined;
      if (isOutage(error)) report(error, request);
      return problemOf(error);
    },
    report,
    ...(checkResponses && { checkResponses }),
  } as const;
  if (options.contract === undefined) {
    return restEngine({
      ...common,
      contract: narrowSecurity(contract, services.rights),
      operations: createOperations(services, options),
      security: options.security ?? securityHandlers(services.authentication),
      ...(options.hooks && { hooks: options.hooks }),
    });
  }
  const { operations, security, host, hooks = [] } = options;
  const lost = Object.keys(keptFieldsOf(options.contract) ?? {}).find(
    (name) => services.ownFields?.[name as RecordName] === undefined,
  );
  if (lost !== undefined)
    throw new Error(`the storage does not keep the fields of ${lost}: open it with the option contract`);
  requireRead(operations, {
    core: (id) => requestFieldsOf(contract, id),
    extended: (id) => requestFieldsOf(options.contract, id),
    own: (id) => {
      const reading = (reads as Readonly<Record<string, FieldReading>>)[id];
      const [name, form] = reading ?? [];
      const fields = Object.entries((name && services.ownFields?.[name]) ?? {});
      if (form !== 'filter') return fields.map(([field]) => `body/${field}`);
      return fields.flatMap(([field, { filter }]) => (filter ? [`query/${field}`] : []));
    },
  });
  return restEngine<Caller, Host, Id, Scheme, Handlers, Literals>({
    ...common,
    ...(host && { host }),
    contract: narrowSecurity(options.contract, services.rights),
    operations,
    security,
    hooks,
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
  const { code, part } = error;
  const seconds = error.retryAfterSeconds ?? (STATUS[code] === 503 ? OUTAGE_SECONDS : undefined);
  const headers = {
    // Every 401 names an authentication scheme (RFC 9110 §15.5.2).
    ...(code === 'unauthenticated' && { 'WWW-Authenticate': 'Bearer' }),
    ...(code !== 'unauthenticated' && seconds !== undefined && { 'Retry-After': String(seconds) }),
  };
  return new Problem(STATUS[code], `${part === undefined ? '' : PLACES[part]}${error.message}`, headers);
}

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;

/** The record that a type is, if it is one. */
type RecordOf<Answer> = {
  [Name in RecordName]: Same<Answer, components['schemas'][Name]> extends true ? Name : never;
}[RecordName];

/** An answer with the application's own fields in each of the records that have any. */
type WithFields<Answer> = [RecordOf<Answer>] extends [never]
  ? Answer extends object
    ? { [Member in keyof Answer]: WithFields<Answer[Member]> }
    : Answer
  : Answer & (RecordOf<Answer> extends keyof StoredFields ? StoredFields[RecordOf<Answer>] : object);

/** The operations of the core, which answer with the application's own fields. */
type ExtendedOperations<Context> = keyof StoredFields extends never
  ? Operations<Context>
  : {
      readonly [Id in keyof Operations<Context>]: Operations<Context>[Id] extends Handler<
        infer Request,
        infer Answer,
        infer Each
      >
        ? Handler<Request, WithFields<Answer>, Each>
        : never;
    };

/**
 * Makes the handlers of the core's contract, for a contract of the application that extends it.
 *
 * @example
 * ```ts
 * const operations = { ...createOperations(services), ...stockOperations(services, stock) };
 * const engine = serviceEngine({ services, contract, operations, security, xml, report });
 * ```
 */
export function createOperations(
  services: Services,
  options: ListUsersOptions = {},
): ExtendedOperations<CallContext<Caller>> {
  const present = userPresenter(services);
  const operations = {
    ...userOperations(services, present),
    ...listUsersOperations(services, present, options),
    ...orderOperations(services),
    ...productOperations(services),
    ...commentOperations(services),
    ...postOperations(services),
    ...externalSignInOperations(services),
    ...authOperations(services),
    ...apiKeyOperations(services),
    ...webhookOperations(services),
    ...auditOperations(services),
  };
  rememberHandlers(operations);
  return operations;
}

/** The parameters and the fields of the bodies of an operation, at any depth. */
function requestFieldsOf({ operations }: Pick<RestContract, 'operations'>, id: string): ReadonlySet<string> {
  const { parameters = [], requestBody } = operations[id] ?? {};
  const found = new Set(parameters.map((parameter) => `${parameter.in}/${parameter.name}`));
  for (const body of Object.values(requestBody?.content ?? {})) {
    const check = 'check' in body ? body.check : undefined;
    addFields(check, 'body', found, new Set());
  }
  return found;
}

/** The keywords of JSON Schema whose values are data and not schemas. */
const DATA = new Set(['enum', 'const', 'default']);

/** @param seen - the schemas that were followed before in the same member of the body: each is once, however many paths lead to it */
function addFields(schema: unknown, place: string, found: Set<string>, seen: Set<unknown>): void {
  if (seen.has(schema)) return;
  if (typeof schema === 'function' || typeof schema === 'object') seen.add(schema);
  if (typeof schema === 'function') {
    const { schema: describe } = schema as { readonly schema?: () => unknown };
    addFields(describe?.(), place, found, seen);
  } else if (typeof schema === 'object' && schema !== null) {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties') {
        for (const [name, property] of Object.entries(value as object)) {
          found.add(`${place}/${name}`);
          addFields(property, `${place}/${name}`, found, place === 'body' ? new Set(seen) : seen);
        }
      } else if (!DATA.has(keyword)) addFields(value, place, found, seen);
    }
  }
}
