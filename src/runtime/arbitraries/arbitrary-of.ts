/** Arbitraries of the requests of a contract, for fast-check. */

import fc from 'fast-check';
import type {
  BodyCodec,
  Check,
  Convert,
  OperationContract,
  RestContract,
  Signatures,
} from '../contract/contract.js';
import type { Schemas } from './conjunction.js';
import { copied } from './fitting.js';
import { only } from './lazy.js';
import { fieldsSchema, parametersSchema } from './sent-schema.js';
import { Values } from './values.js';

/** A part of a request that has a schema. */
type Part = 'path' | 'query' | 'headers' | 'cookies' | 'body';

/** The parts that the request of an operation has. */
export type RequestPart<Request> = Request extends unknown ? keyof Request & Part : never;

/** The value of a part; with several media types, that of any of them. */
type PartOf<Request, Name> = Request extends unknown
  ? Name extends keyof Request
    ? Exclude<Request[Name], undefined>
    : never
  : never;

/**
 * Makes the arbitrary of the requests that an operation takes, or of one part of them: values as its handler gets them, which
 * the contract's own checks have taken. They cover the bounds of their schemas, and shrink to the smallest that fits.
 *
 * @param operation - its operationId
 * @param part - of a body with several media types, it is that of the first; a whole request has any of them
 * @throws where no value fits the schemas, and for a body that is a stream
 *
 * @example
 * ```ts
 * await fc.assert(
 *   fc.asyncProperty(arbitraryOf(contract, 'createUser', 'body'), async (body) => {
 *     const { status } = await client.createUser({ body });
 *     return status === 201 || status === 409;
 *   }),
 * );
 * ```
 */
export function arbitraryOf<
  Id extends string,
  Scheme extends string,
  Handlers extends Signatures<Handlers>,
  Name extends keyof Handlers & string,
>(contract: RestContract<Id, Scheme, Handlers>, operation: Name): fc.Arbitrary<Parameters<Handlers[Name]>[0]>;
export function arbitraryOf<
  Id extends string,
  Scheme extends string,
  Handlers extends Signatures<Handlers>,
  Name extends keyof Handlers & string,
  Of extends RequestPart<Parameters<Handlers[Name]>[0]>,
>(
  contract: RestContract<Id, Scheme, Handlers>,
  operation: Name,
  part: Of,
): fc.Arbitrary<PartOf<Parameters<Handlers[Name]>[0], Of>>;
export function arbitraryOf(
  { operations }: Pick<RestContract, 'operations'>,
  operation: string,
  part?: Part,
): fc.Arbitrary<unknown> {
  const contract = operations[operation];
  if (contract === undefined) throw new TypeError(`the contract has no operation ${operation}`);
  if (part === 'body') {
    const [first] = bodiesOf(operation, contract);
    if (first === undefined) throw new TypeError(`${operation} has no body`);
    return first.map(({ body }) => body);
  }
  const parameters = parametersOf(operation, contract);
  if (part !== undefined) return parameters.map((all) => all[part]);
  return fc
    .tuple(parameters, bodyPart(operation, contract))
    .map((parts) => Object.assign({}, ...parts) as unknown);
}

type Given = Readonly<Record<string, unknown>>;

function parametersOf(operation: string, contract: OperationContract): fc.Arbitrary<Given> {
  const { checkParameters, decodeParameters } = contract;
  const schemas = [parametersSchema(contract)];
  return accepted(
    `the parameters of ${operation}`,
    schemas,
    checkParameters,
    decodeParameters,
  ) as fc.Arbitrary<Given>;
}

function bodyPart(operation: string, contract: OperationContract): fc.Arbitrary<Given> {
  const bodies = bodiesOf(operation, contract);
  if (contract.requestBody?.required !== true) bodies.unshift(fc.constant({}));
  return fc.oneof({ withCrossShrink: true }, ...bodies);
}

/** The bodies with their media types, in the order of the contract. */
function bodiesOf(operation: string, { requestBody }: OperationContract): fc.Arbitrary<Given>[] {
  const entries = Object.entries(requestBody?.content ?? {});
  return entries.map(([mediaType, codec]) => {
    const bodies = bodyOf(`the body of ${operation} in ${mediaType}`, codec);
    const isNamed = entries.length > 1 || mediaType.includes('*');
    // A range is not a media type: one within it is sent.
    const contentType = mediaType.replace('*/*', 'application/octet-stream').replace('*', 'x-any');
    return bodies.map((body) => (isNamed ? { contentType, body } : { body }));
  });
}

function bodyOf(name: string, codec: BodyCodec): fc.Arbitrary<unknown> {
  switch (codec.kind) {
    case 'json':
      return accepted(name, [true], codec.check, codec.decode);
    case 'text':
      return accepted(name, [{ type: 'string' }], codec.check, codec.decode);
    case 'form':
    case 'multipart':
      return accepted(name, [fieldsSchema(codec.fields)], codec.check, codec.decode);
    case 'bytes':
      return fc.uint8Array();
    default:
      throw new TypeError(`${name} is a stream, which has no arbitrary`);
  }
}

/** The values that a check takes, with its defaults inserted, converted as for a handler. */
function accepted(
  name: string,
  schemas: Schemas,
  check: Check | undefined,
  convert: Convert | undefined,
): fc.Arbitrary<unknown> {
  const values = new Values().of([...schemas, ...(check === undefined ? [] : [{ $ref: check }])]);
  return only(
    values.map((value) => {
      const whole = copied(value);
      return { whole, isTaken: check === undefined || check(whole) };
    }),
    ({ isTaken }) => isTaken,
    () => name,
  ).map(({ whole }) => (convert === undefined ? whole : convert(whole)));
}

/**
 * Makes the arbitrary of the values that a generated check takes, such as one of `response-validators.js`.
 *
 * @throws where no value fits its schema
 * @example
 * ```ts
 * const bodies = arbitraryOfCheck(responseChecks.userResponse);
 * ```
 */
export function arbitraryOfCheck(check: Check): fc.Arbitrary<unknown> {
  return accepted('the schema', [], check, undefined);
}
