/**
 * Names the parts of an operation that requests and responses can use (parameters, statuses, media types, members and listed values), and
 * finds those that one uses. Of values, only those are named that the contract lists.
 */

import { type Check, type OperationContract, type ResponseChecks, PLACES } from '../contract/contract.js';
import { once } from '../contract/once.js';
import { canonical, isObject, memberPointer, parsedJson } from '../failures/json-value.js';
import { essenceOf, findByMediaType } from '../http/media-type.js';
import { Mismatch } from './decode/mismatch.js';
import type { DecodedRequest } from './operation/handler.js';
import { splitItems } from './responses/received-items.js';
import { findByStatus } from './responses/response-checker.js';

/** The kinds of parts, as reports and options name them. */
export const PART_KINDS = [
  'operations',
  'statuses',
  'parameters',
  'media-types',
  'members',
  'enum-values',
] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** A part of a contract. Its name is the same in each process, and in each version of the contract that has the part. */
export interface ContractPart {
  readonly kind: PartKind;
  /** `POST /users request application/json /address/city`, as the files of usage have it. */
  readonly name: string;
  /** The name of the part that it belongs to; absent for an operation. */
  readonly within?: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** A place for values in a parameter or a body. */
interface Place {
  /** The name of the parameter or the body. */
  readonly root: string;
  /** The JSON Pointer below `root`. A `*` in it means any item of a list, or any member whose name is not in the contract. */
  readonly pointer: string;
  /** The schemas that may apply to the value, at any depth of references and alternatives. */
  readonly schemas: readonly Schema[];
  readonly around?: Place;
}

/** The parts of one operation, to find those that are used. */
export type OperationParts = ReturnType<typeof operationParts>;

/** @param checks - those of the responses */
export function operationParts(contract: OperationContract, checks: ResponseChecks) {
  const { method, path, parameters = [], checkParameters, requestBody, responses } = contract;
  const name = `${method} ${path}`;
  const all = rootPlace(name, checkParameters);
  return {
    name,
    parameters: parameters.map((parameter) => {
      const location = memberOf(all, PLACES[parameter.in]);
      const { schemas = [] } = (location && memberOf(location, parameter.name)) ?? {};
      const place: Place = { root: `${name} ${parameter.in} ${parameter.name}`, pointer: '', schemas };
      return { in: parameter.in, name: parameter.name, place };
    }),
    /** By media type. */
    bodies: new Map(
      Object.entries(requestBody?.content ?? {}).map(([type, body]) => [
        type,
        rootPlace(`${name} request ${type}`, 'check' in body ? body.check : undefined),
      ]),
    ),
    /** By status, range or `default`; then by media type. With `items`, a place is that of an item. */
    statuses: new Map(
      Object.entries(responses).map(([status, { content = {} }]) => {
        const own = `${name} ${status}`;
        const bodies = Object.entries(content).map(([type, { check = '', ...body }]) => {
          // The text of another kind is an encoder's, in which no members are found.
          const place = rootPlace(`${own} ${type}`, body.kind === 'other' ? undefined : checks[check]);
          return [type, { place, items: body.kind === 'items' ? body.items : undefined }] as const;
        });
        return [status, { name: own, bodies: new Map(bodies) }];
      }),
    ),
  };
}

/** The most members of one body or parameter that are listed, the outermost first. */
const MOST_MEMBERS = 1000;

/** All parts of an operation, each after the one that it belongs to. A schema within itself is listed once. */
export function* declaredParts(parts: OperationParts): Generator<ContractPart> {
  const { name } = parts;
  yield { kind: 'operations', name };
  for (const { place } of parts.parameters) yield* placeParts('parameters', place, name);
  for (const place of parts.bodies.values()) yield* placeParts('media-types', place, name);
  for (const { name: status, bodies } of parts.statuses.values()) {
    yield { kind: 'statuses', name: status, within: name };
    for (const { place } of bodies.values()) yield* placeParts('media-types', place, status);
  }
}

function* placeParts(kind: PartKind, top: Place, within: string): Generator<ContractPart> {
  yield { kind, name: top.root, within };
  const places = new Set([top]);
  let left = MOST_MEMBERS;
  for (const place of places) {
    const { root, pointer, schemas } = place;
    const own = partName(root, pointer.replace(/(?:\/\*)+$/, ''));
    for (const text of listedIn(place))
      yield { kind: 'enum-values', name: partName(root, pointer, text), within: own };
    const names = schemas.flatMap(({ properties = {} }) => Object.keys(properties as Schema));
    for (const name of new Set(names)) {
      const inner = memberOf(place, name);
      if (inner === undefined) continue;
      if ((left -= 1) < 0) return;
      yield { kind: 'members', name: partName(root, pointer + memberPointer(name)), within: own };
      places.add(inner);
    }
    for (const inner of [itemOf(place), otherOf(place)]) if (inner !== undefined) places.add(inner);
  }
}

/** The name of a member, of the whole parameter or body, or of a value that is listed there. @param value - in JSON */
export function partName(root: string, pointer: string, value?: string): string {
  return [root, ...(pointer === '' ? [] : [pointer]), ...(value === undefined ? [] : ['=', value])].join(' ');
}

/** The values of `enum` and `const` that are neither objects nor lists, in JSON. */
function listedIn({ schemas }: Place): ReadonlySet<string> {
  return once(schemas, listedValues);
}

function listedValues(schemas: readonly Schema[]): ReadonlySet<string> {
  const values = schemas.flatMap((schema): readonly unknown[] => [
    ...('const' in schema ? [schema['const']] : []),
    ...listOf(schema['enum']),
  ]);
  return new Set(values.filter((value) => typeof value !== 'object' || value === null).map(canonical));
}

/** The place of a member that the contract names; undefined for others. */
function memberOf(place: Place, name: string): Place | undefined {
  const found = place.schemas.flatMap(({ properties }): readonly unknown[] =>
    isObject(properties) && Object.hasOwn(properties, name) && !isHidden(properties[name])
      ? [properties[name]]
      : [],
  );
  return innerPlace(place, name, found);
}

/** The place of members whose names the contract does not have. */
function otherOf(place: Place): Place | undefined {
  const found = place.schemas.flatMap((schema) => [
    schema['additionalProperties'],
    schema['unevaluatedProperties'],
    ...Object.values((schema['patternProperties'] ?? {}) as Schema),
  ]);
  return innerPlace(place, '*', found.filter(isObject));
}

/** The place of the items of a list. */
function itemOf(place: Place): Place | undefined {
  const found = place.schemas.flatMap((schema) => [schema['items'], ...listOf(schema['prefixItems'])]);
  return innerPlace(place, '*', found.filter(isObject));
}

/** @returns a place around it if that has the same schemas, so that values of a recursive schema have few places */
function innerPlace(place: Place, step: string, found: readonly unknown[]): Place | undefined {
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const schemas =
    isObject(first) && others.length === 0 ? once(first, plainSchemasOf) : plainSchemasIn(found);
  for (let each: Place | undefined = place; each !== undefined; each = each.around) {
    const own = each.schemas;
    if (own.length === schemas.length && schemas.every((schema, index) => schema === own[index])) return each;
  }
  return { root: place.root, pointer: place.pointer + memberPointer(step), schemas, around: place };
}

function plainSchemasOf(schema: Schema): readonly Schema[] {
  return plainSchemasIn([schema]);
}

function plainSchemasIn(found: readonly unknown[]): readonly Schema[] {
  const seen = new Set<unknown>();
  return found.flatMap((schema) => plainSchemas(schema, seen));
}

function rootPlace(root: string, check: Check | undefined): Place {
  return { root, pointer: '', schemas: plainSchemasIn([check]) };
}

/** A schema, and those that apply to the same value: behind references, in alternatives and under conditions. */
function plainSchemas(given: unknown, seen: Set<unknown>): readonly Schema[] {
  // A check returns a new schema at each call. Places are compared by their schemas, so each check is asked once.
  const schema = typeof given === 'function' ? once(given as Check, describedSchema) : given;
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas = {} } = schema;
  const others = [
    ...[$ref, then, otherwise],
    ...[allOf, anyOf, oneOf].flatMap(listOf),
    ...Object.values(dependentSchemas as Schema),
  ];
  // A reference by itself says nothing; with it, a place within a recursive schema would differ from the place around it.
  const own = Object.keys(schema).join() === '$ref' ? [] : [schema];
  return [...own, ...others.flatMap((each) => plainSchemas(each, seen))];
}

/** The schema of a check; `true` for a check without one. */
export function describedSchema(check: Check): unknown {
  return check.schema?.() ?? true;
}

/** Whether the value must not be there: a check has the flags of a direction only where that excludes the property. */
function isHidden(schema: unknown): boolean {
  if (!isObject(schema)) return schema === false;
  const { not } = schema;
  return 'readOnly' in schema || 'writeOnly' in schema || (isObject(not) && Object.keys(not).length === 0);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** @param decoded - before the check that adds defaults to it */
export function* usedInRequest(parts: OperationParts, decoded: DecodedRequest): Generator<string> {
  for (const { in: location, name, place } of parts.parameters) {
    const values = decoded[PLACES[location]];
    if (!Object.hasOwn(values, name)) continue;
    yield place.root;
    yield* usedIn(place, values[name]);
  }
  yield* usedInBody(parts, decoded.contentType, decoded.body);
}

/** @param value - the body, or an item of a sequence */
export function* usedInBody(
  { bodies }: OperationParts,
  contentType: string | undefined,
  value: unknown,
): Generator<string> {
  const place = contentType === undefined ? undefined : findByMediaType(bodies, contentType);
  if (place === undefined) return;
  yield place.root;
  yield* usedIn(place, value);
}

/** The parts that a response uses, with the operation. */
export function* usedInResponse(
  { name, statuses }: OperationParts,
  sent: { readonly status: number; header(name: string): number | string | readonly string[] | undefined },
  body: { readonly text: string; readonly isCut: boolean } | 'unread',
): Generator<string> {
  yield name;
  const contentType = String(sent.header('content-type') ?? '');
  const status = findByStatus(statuses, sent.status);
  if (status === undefined) return;
  yield status.name;
  const mediaType = essenceOf(contentType);
  const declared = findByMediaType(status.bodies, mediaType);
  if (declared === undefined) return;
  const { place, items } = declared;
  yield place.root;
  if (body === 'unread') return;
  const { text, isCut } = body;
  if (items !== undefined) {
    for (const [, item] of splitItems(items, () => true, { text, contentType, isCut }))
      if (!(item instanceof Mismatch)) yield* usedIn(place, item);
  } else if (!isCut) yield* usedIn(place, /[/+]json$/.test(mediaType) ? parsedJson(text) : text);
}

/** Deeper values are not read: each of their names would pass through all levels above it. */
const MOST_LEVELS = 50;

function* usedIn(place: Place, value: unknown, level = 0): Generator<string> {
  if (level > MOST_LEVELS) return;
  if (Array.isArray(value)) {
    const inner = itemOf(place);
    if (inner !== undefined) for (const item of value) yield* usedIn(inner, item, level + 1);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const inner = memberOf(place, name);
      if (inner !== undefined) yield partName(place.root, place.pointer + memberPointer(name));
      const known = inner ?? otherOf(place);
      if (known !== undefined) yield* usedIn(known, member, level + 1);
    }
  } else if (value !== undefined && listedIn(place).size > 0) {
    const text = canonical(value);
    if (listedIn(place).has(text)) yield partName(place.root, place.pointer, text);
  }
}
