/** Makes arbitraries of the requests of a contract, for fast-check. */

import fc from 'fast-check';
import type {
  BodyCodec,
  Check,
  Convert,
  OperationContract,
  PathMatch,
  PathNode,
  RestContract,
  Signatures,
} from '@concordat/runtime';
import { writeParameters } from '@concordat/runtime/client';
import { type GivenRequest, compilePaths, copied } from '@concordat/runtime/parts';
import { namesInPath, once, valueOf } from '@concordat/runtime/parts';
import type { Schema } from '../values/parts.js';
import { fitting } from './scalars.js';
import { eventSchema, fieldsSchema, parametersSchema } from './sent-schema.js';
import { valuesOf } from './values-of-schemas.js';

/** A part of a request that has a schema. */
type Part = 'path' | 'query' | 'headers' | 'cookies' | 'body';

/** The parts of an operation's request; `item` is one item of a body that is a stream. */
export type RequestPart<Request> = Request extends unknown
  ? (keyof Request & Part) | ([ItemOf<Request>] extends [never] ? never : 'item')
  : never;

/** The type of a part's values; of a body with several media types, the union of theirs. */
type PartOf<Request, Name> = Request extends unknown
  ? Name extends keyof Request
    ? Exclude<Request[Name], undefined>
    : Name extends 'item'
      ? ItemOf<Request>
      : never
  : never;

type ItemOf<Request> = Request extends { readonly body?: infer Body }
  ? Body extends AsyncIterable<infer Item>
    ? Item
    : never
  : never;

/**
 * Makes the arbitrary of the requests that an operation accepts, or of one part of them. Its values have passed the contract's
 * own checks, and have the form that the handler gets. They cover the bounds of their schemas, and shrink to the smallest value
 * that fits.
 *
 * @param operation - its operationId
 * @param part - the whole request by default. `body` is a body of the first media type; a whole request may have any of them
 * @throws when no value fits the schemas, for a body that is a stream (only its `item` has values), and for an `item` of a form
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
  { operations, paths }: Pick<RestContract, 'operations' | 'paths'>,
  operation: string,
  part?: Part | 'item',
): fc.Arbitrary<unknown> {
  const contract = operations[operation];
  if (contract === undefined) throw new TypeError(`the contract has no operation ${operation}`);
  if (part === 'body') {
    const [first] = bodiesOf(operation, contract);
    if (first === undefined) throw new TypeError(`${operation} has no body`);
    return first.map(({ body }) => body);
  }
  if (part === 'item') return itemOf(operation, contract);
  const parameters = parametersOf(operation, contract, paths);
  if (part !== undefined) return parameters.map((all) => all[part]);
  const bodies = bodiesOf(operation, contract);
  if (contract.requestBody?.required !== true) bodies.unshift(fc.constant({}));
  return fc
    .tuple(parameters, fc.oneof({ withCrossShrink: true }, ...bodies))
    .map(([others, body]) => ({ ...others, ...body }));
}

type Given = Readonly<Record<string, unknown>>;

function parametersOf(operation: string, contract: OperationContract, paths: PathNode): fc.Arbitrary<Given> {
  const { checkParameters, decodeParameters } = contract;
  const schemas = [parametersSchema(contract)];
  return accepted(`the parameters of ${operation}`, schemas, checkParameters, decodeParameters, (value) =>
    isRouted(paths, operation, contract, value as GivenRequest),
  ) as fc.Arbitrary<Given>;
}

const routerOf = (paths: PathNode): ((path: string) => PathMatch<string> | undefined) =>
  compilePaths(paths, (operation) => operation);

/** Whether the path of a request leads to its operation, with its values, and not to another operation. */
function isRouted(
  paths: PathNode,
  id: string,
  { method, path, parameters = [] }: OperationContract,
  request: GivenRequest,
): boolean {
  const inPath = parameters.filter((each) => each.in === 'path');
  const written = (template: string, own = inPath): string =>
    writeParameters(template, own, (each) => valueOf(request, each)).path;
  const match = once(paths, routerOf)(written(path));
  if (match?.targets.get(method) !== id) return false;
  const found = (name: string): string => `/${match.values[namesInPath(path).indexOf(name)] ?? ''}`;
  return inPath.every((each) => written(`/{${each.name}}`, [each]) === found(each.name));
}

/** The bodies with their media types, in the order of the contract. */
function bodiesOf(operation: string, { requestBody }: OperationContract): fc.Arbitrary<Given>[] {
  const entries = Object.entries(requestBody?.content ?? {});
  return entries.map(([mediaType, codec]) => {
    const bodies = bodyOf(`the body of ${operation} in ${mediaType}`, codec);
    const isNamed = entries.length > 1 || mediaType.includes('*');
    // A range is not a media type, so a media type within it is sent.
    const contentType = mediaType.replace('*/*', 'application/octet-stream').replace('*', 'x-any');
    return bodies.map((body) => ({ ...(isNamed && { contentType }), body }));
  });
}

/** The values of a body. It is never empty, because a body without bytes counts as absent. */
function bodyOf(name: string, codec: BodyCodec): fc.Arbitrary<unknown> {
  switch (codec.kind) {
    case 'json':
      return accepted(name, [true], codec.check, codec.decode);
    case 'text':
      return accepted(name, [{ type: 'string', minLength: 1 }], codec.check, codec.decode);
    case 'form':
      return accepted(name, [fieldsSchema(codec.fields), { minProperties: 1 }], codec.check, codec.decode);
    case 'multipart':
      return accepted(name, [fieldsSchema(codec.fields)], codec.check, codec.decode);
    case 'bytes':
      return fc.uint8Array({ minLength: 1 });
    default:
      throw new TypeError(`${name} is a stream, which has no arbitrary; its items may have one`);
  }
}

function itemOf(operation: string, { requestBody }: OperationContract): fc.Arbitrary<unknown> {
  const [codec] = Object.values(requestBody?.content ?? {});
  const name = `an item of the body of ${operation}`;
  if (codec?.kind === 'byte-stream') return fc.uint8Array();
  if (codec?.kind !== 'items') throw new TypeError(`the body of ${operation} has no items of a schema`);
  const { items, check, decode } = codec;
  const fittingOf = (schema: Schema): fc.Arbitrary<unknown> => accepted(name, [schema], check, decode);
  switch (items.format) {
    case 'events':
      return fittingOf(eventSchema(items.data));
    case 'multipart': {
      // No schema describes bytes.
      const values = {
        bytes: () => fc.uint8Array(),
        text: () => fittingOf({ type: 'string' }),
        json: () => fittingOf(true),
      };
      const kinds = [items.part, ...(items.first ?? [])].map(({ kind }) => kind);
      return fc.oneof(...[...new Set(kinds)].map((kind) => values[kind]()));
    }
    default:
      return fittingOf(true);
  }
}

/**
 * The values that a check accepts, with its defaults inserted, and converted as for a handler.
 *
 * @param isSent - whether a value arrives unchanged, as far as schemas cannot decide this
 */
function accepted(
  name: string,
  schemas: readonly Schema[],
  check: Check | undefined,
  convert: Convert | undefined,
  isSent: (value: unknown) => boolean = () => true,
): fc.Arbitrary<unknown> {
  const values = valuesOf([...schemas, ...(check === undefined ? [] : [{ $ref: check }])]);
  const isTaken = (whole: unknown): boolean => (check === undefined || check(whole)) && isSent(whole);
  const taken = fitting(values.map(copied), isTaken, () => name);
  return convert === undefined ? taken : taken.map(convert);
}

/**
 * Makes the arbitrary of the values that a generated check accepts, such as one of `response-validators.js`.
 *
 * @throws when no value fits its schema
 * @example
 * ```ts
 * const bodies = arbitraryOfCheck(responseChecks.userResponse);
 * ```
 */
export function arbitraryOfCheck(check: Check): fc.Arbitrary<unknown> {
  return accepted('the schema', [], check, undefined);
}
