/** Brings known values into the form of schemas: without members that these have no place for, and with those that they require. */

import { type Json, findByStatus } from '@concordat/runtime';
import { canonical, once } from '@concordat/runtime/parts';
import { type MediaTypeModel, type OperationModel, type ResponseModel, byStatus } from 'concordat/contract';
import { type Entity, isEntity } from '../../running/resources.js';
import { statusWithin } from '../../running/wire-request.js';
import { partsOf } from '../../values/document-parts.js';
import { exampleItemParts, exampleValue, isHidden } from '../../values/example-value.js';
import { allChoices, namesIn, propertyParts, requiredNames } from '../../values/inner-parts.js';
import { type Part, type PlainPart, listedValues, remembered, typesOf } from '../../values/parts.js';

/** The value of a member that is not known; undefined leaves it to the schema. @param depth - 0 for members of the value itself */
export type Fill = (name: string, parts: readonly PlainPart[], depth: number) => Json | undefined;

/** The most alternatives that are compared. */
const MOST_CHOICES = 30;

/** A value that the schemas probably accept; the caller must check it. */
export function fitted(parts: readonly Part[], known: Json, fill: Fill = () => undefined, depth = 0): Json {
  const plain = closest(parts, known);
  if (Array.isArray(known))
    return known.map((item: Json, index) => fitted(exampleItemParts(plain, index), item, fill, depth + 1));
  return isEntity(known) ? fittedObject(plain, known, fill, depth) : known;
}

export function fittedObject(plain: readonly PlainPart[], known: Entity, fill: Fill, depth = 0): Entity {
  const required = once(plain, requiredNames);
  const declared = once(plain, membersOf);
  // What no schema names is not shown, unless one says that there may be more.
  const isOpen =
    declared.size === 0 ||
    plain.some(({ schema }) => schema['additionalProperties'] ?? schema['patternProperties']);
  const isClosed = plain.some(({ schema }) => schema['unevaluatedProperties'] === false);
  const others = isOpen && !isClosed ? Object.keys(known).filter((name) => !declared.has(name)) : [];
  const undeclared = others.map((each) => [each, memberOf(plain, each)] as const);
  const value: Record<string, Json> = {};
  for (const [name, member] of [...declared, ...undeclared]) {
    if (member === undefined) continue;
    const given = known[name];
    const made =
      given === undefined ? fill(name, member.plain, depth) : fitted(member.parts, given, fill, depth + 1);
    const whole = made === undefined && required.has(name) ? exampleOf(member.parts) : made;
    if (whole !== undefined) value[name] = whole;
  }
  return value;
}

interface Member {
  readonly parts: readonly Part[];
  readonly plain: readonly PlainPart[];
}

/** The members that schemas name; undefined for those that no answer has. */
const membersOf = (plain: readonly PlainPart[]): ReadonlyMap<string, Member | undefined> =>
  new Map(namesIn(plain, 'properties').map((name) => [name, memberOf(plain, name)]));

function memberOf(plain: readonly PlainPart[], name: string): Member | undefined {
  const parts = propertyParts(plain, name);
  return parts === undefined || isHidden(parts, 'response') ? undefined : { parts, plain: closest(parts) };
}

function exampleOf(parts: readonly Part[]): Json | undefined {
  const options = { direction: 'response', full: false } as const;
  return exampleValue(parts, { ...options, own: 'leaves' }) ?? exampleValue(parts, options);
}

/** The choice among the alternatives of schemas that a value fits best, or the first one. */
export function closest(parts: readonly Part[], known?: Json): readonly PlainPart[] {
  const [first = [], ...others] = once(parts, choicesOf);
  if (known === undefined || others.length === 0) return first;
  let [best, highest] = [first, likeness(first, known)];
  for (const plain of others) {
    const score = likeness(plain, known);
    if (score > highest) [best, highest] = [plain, score];
  }
  return best;
}

/** The first alternatives of schemas. Many values have the same schemas. */
function choicesOf(parts: readonly Part[]): readonly (readonly PlainPart[])[] {
  return remembered(parts, `choices ${parts.map(({ at }) => at).join(' ')}`, () => {
    const found: (readonly PlainPart[])[] = [];
    for (const plain of allChoices(parts, 'alternations')) {
      found.push(plain);
      if (found.length === MOST_CHOICES) break;
    }
    return found;
  });
}

function likeness(plain: readonly PlainPart[], known: Json): number {
  const type = known === null ? 'null' : Array.isArray(known) ? 'array' : typeof known;
  const types = typesOf(plain) ?? [type];
  if (!types.includes(type) && !(type === 'number' && types.includes('integer'))) return -1000;
  if (!isEntity(known)) return 0;
  const missing = [...requiredNames(plain)].filter((name) => !Object.hasOwn(known, name)).length;
  return Object.entries(known).reduce((sum, [name, value]) => {
    const property = propertyParts(plain, name) ?? [];
    if (property.length === 0) return sum;
    const isOther = listedValues(closest(property))?.every((each) => canonical(each) !== canonical(value));
    return isOther === true ? sum - 100 : sum + 1;
  }, -missing / 100);
}

/** A JSON Merge Patch (RFC 7396) that keeps null where the schema allows or requires a value. */
export function merged(parts: readonly Part[], value: Json, patch: Json): Json {
  if (!isEntity(patch)) return patch;
  const before = isEntity(value) ? value : {};
  const plain = closest(parts, before);
  const required = requiredNames(plain);
  const changed = Object.entries(patch).map(
    ([name, each]) => [name, merged(propertyParts(plain, name) ?? [], before[name] ?? null, each)] as const,
  );
  const isKept = ([name, each]: readonly [string, Json]): boolean =>
    each !== null ||
    required.has(name) ||
    typesOf(closest(propertyParts(plain, name) ?? [], null))?.includes('null') !== false;
  return Object.fromEntries(Object.entries({ ...before, ...Object.fromEntries(changed) }).filter(isKept));
}

/** The response of an operation that does what it is asked. */
export const successOf = ({ responses }: OperationModel): ResponseModel | undefined =>
  responses.find(({ status }) => status.startsWith('2')) ?? findByStatus(byStatus(responses), 200);

/** A status that a response of an operation describes: a success, if it describes one. */
export function statusOf({ responses }: OperationModel, response: ResponseModel): number {
  const declared = once(responses, byStatus);
  return statusWithin(response.status, (each) => findByStatus(declared, each) === response, 2) ?? 200;
}

/** A form of a body: a record or a list, or an object that has it in a member. */
export interface Form {
  readonly parts: readonly Part[];
  readonly member: string | undefined;
  /** The member of that member, as in `_embedded` of HAL. */
  readonly inner?: string;
  /** The schema of the record, or of an item of the list. */
  readonly item: readonly Part[];
}

/** The forms of an operation's success. */
export function formsOf(operation: OperationModel, of: 'list' | 'record'): readonly Form[] {
  const media = successOf(operation)?.content.find(({ kind }) => kind === 'json');
  return media?.node === undefined ? [] : once(media, of === 'list' ? listForms : recordForms);
}

function listForms(media: MediaTypeModel): readonly Form[] {
  const itemOf = (plain: readonly PlainPart[]): readonly Part[] | undefined => {
    const item = typesOf(plain)?.[0] === 'array' ? exampleItemParts(plain, 0) : [];
    return namesIn(closest(item), 'properties').length > 0 ? item : undefined;
  };
  return choicesOf(partsOf(media)).flatMap((plain) => {
    const own = itemOf(plain);
    if (own !== undefined) return [{ parts: plain, member: undefined, item: own }];
    if (isRecord(plain)) return [];
    const found = onlyMember(plain, itemOf);
    if (found.length > 0) return found;
    return onlyMember(plain, (each) => onlyMember(each, itemOf)[0]?.item).map((form) => {
      const [within] = onlyMember(closest(propertyParts(plain, form.member ?? '') ?? []), itemOf);
      return within?.member === undefined ? form : { ...form, inner: within.member };
    });
  });
}

/** A record or a list in its form. */
export function enclosed({ member, inner }: Form, value: Json): Json {
  const own = inner === undefined ? value : { [inner]: value };
  return member === undefined ? own : { [member]: own };
}

/** The record or the list in a body of a form. */
export function opened({ member, inner }: Form, body: Json | undefined): Json | undefined {
  return [member, inner].reduce(
    (value, name) => (name === undefined ? value : isEntity(value) ? value[name] : undefined),
    body,
  );
}

/** The form in which a client sends a record: in an envelope if its schema has one. @param names - the members of a record */
export function sentForm(operation: OperationModel, names: ReadonlySet<string>): Form | undefined {
  // Among several members, the envelope is that of the answer.
  const answered = formsOf(operation, 'record')[0]?.member ?? '';
  const forms = (operation.requestBody?.content ?? []).flatMap((media) => {
    if (media.node === undefined) return [];
    const item = partsOf(media);
    const same = names.has(answered) ? undefined : propertyParts(closest(item), answered);
    if (same !== undefined && same.length > 0) return [{ parts: item, member: answered, item: same }];
    const [own] = once(media, recordForms);
    const isOwn = own?.member !== undefined && !names.has(own.member);
    return [isOwn ? own : { parts: item, member: undefined, item }];
  });
  return forms.find(({ member }) => member !== undefined) ?? forms[0];
}

function recordForms(media: MediaTypeModel): readonly Form[] {
  const whole = partsOf(media);
  return choicesOf(whole).flatMap((plain, index) => {
    const item = index === 0 ? whole : plain;
    const names = namesIn(plain, 'properties');
    const inner = onlyMember(plain, (each, parts) => (typesOf(each)?.[0] === 'object' ? parts : undefined));
    return names.length <= 3 && !isRecord(plain) && inner.length > 0
      ? inner
      : [{ parts: item, member: undefined, item }];
  });
}

/** Whether an object is a record itself, and no envelope of others. */
const isRecord = (plain: readonly PlainPart[]): boolean =>
  namesIn(plain, 'properties').some((name) => /^_?id$|name$/i.test(name));

const CONTENT = /^(?:data|items|results|content|records|_embedded)$/i;

/** The only member that has a record or a list, if it is the only one, else that with the name of a content. */
function onlyMember(
  plain: readonly PlainPart[],
  itemOf: (plain: readonly PlainPart[], parts: readonly Part[]) => readonly Part[] | undefined,
): readonly Form[] {
  const found = [...new Set(namesIn(plain, 'properties'))].flatMap((member) => {
    const parts = propertyParts(plain, member) ?? [];
    const item = /links|meta/i.test(member) ? undefined : itemOf(closest(parts), parts);
    return item === undefined ? [] : [{ parts: plain, member, item }];
  });
  if (found.some(({ item }) => isSame(item, plain))) return [];
  return found.length === 1 ? found : found.filter(({ member }) => CONTENT.test(member)).slice(0, 1);
}

/** Whether a schema is the one that it is in: a record may have others of its kind as members, and an envelope has no envelopes. */
const isSame = (item: readonly Part[], plain: readonly PlainPart[]): boolean =>
  choicesOf(item).some((each) => plain.every(({ at }) => each.some((part) => part.at === at)));
