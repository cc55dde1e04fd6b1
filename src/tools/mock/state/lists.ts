/** Chooses the records of a list by the parameters that the contract describes, and writes the page in the form that was asked for. */

import type { HttpRequest, Json } from '@concordat/runtime';
import type { ParameterModel } from 'concordat/contract';
import {
  type Entity,
  type ListParameters,
  firstPageOf,
  isEntity,
  isSameName,
  listParametersOf,
  writtenValue,
} from '../../running/resources.js';
import { namesIn, propertyParts } from '../../values/inner-parts.js';
import { type PlainPart, typesOf } from '../../values/parts.js';
import { partsOf } from '../../values/document-parts.js';
import { type Collection, type StoredRecord, inForm, isKey } from './collection.js';
import { fitsId, idOf } from './ids.js';
import { type Fill, closest, enclosed, fittedObject, formsOf } from './fitted.js';
import type { Role } from './role.js';

type Query = Readonly<Record<string, unknown>>;

/** The address of a request. */
type Address = Pick<HttpRequest, 'path' | 'query'> & {
  /** Such as `http://localhost:3000`. */ readonly origin?: string;
};

/** An answer: its body, and the values of its headers by their names. */
export interface Candidate {
  readonly body?: Json | undefined;
  readonly header: (name: string) => Json | undefined;
}

/** The sizes of a page where neither the request nor the contract names one: with a parameter of paging, and without. */
const SIZE = 10;
const MOST = 100;

const SORT = /^(?:sort|(?:sort|order)[_-]?by)$/i;
const NEWEST_FIRST = /\b(?:newest|latest|most recent)\b.*\bfirst\b/i;

/** Other names of the facts about a page in envelopes and headers, in lower case, without separators and `x-`. */
const PAGE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^total(?:count|items|results|elements|records)?$/, 'total'],
  [/^(?:current)?page(?:number|no)?$/, 'number'],
  [/^(?:limit|size|pagesize|perpage|itemsperpage)$/, 'size'],
  [/^(?:offset|skip|start)$/, 'start'],
  [/^(?:(?:total|num)pages|pages|pagecount|lastpage)$/, 'pages'],
  [/^(?:hasnext(?:page)?|hasmore)$/, 'hasNext'],
  [/^hasprev(?:ious)?(?:page)?$/, 'hasPrev'],
  [/^(?:next|end)?(?:cursor|(?:page)?token|since|after)$|^lastid$/, 'cursor'],
  [/^prev(?:ious)?(?:page)?(?:uri|url)?$/, 'prev'],
  [/^next(?:page)?(?:uri|url)$/, 'next'],
  [/^numberofelements$/, 'shown'],
  [/^(?:is)?empty$/, 'isEmpty'],
];

export interface Page {
  readonly records: readonly StoredRecord[];
  readonly total: number;
  /** What envelopes and headers say of it. */
  readonly facts: Readonly<Record<string, Json | undefined>>;
}

/** The answers of a list, in the order in which their forms fit the request. @param path - that of the request */
export function* listAnswers(
  { operation, collection }: Role,
  records: readonly StoredRecord[],
  query: Query,
  request: Address,
): Generator<Candidate> {
  const inOrder = NEWEST_FIRST.test(operation.summary) ? records.toReversed() : records;
  const page = pageOf(listParametersOf(operation, collection.names), collection, inOrder, query, request);
  const asked = Object.keys(query).filter((name) => query[name] !== undefined);
  const isBare = Object.entries(query).some(([name, value]) => /^envelope$/i.test(name) && value === false);
  const forms = formsOf(operation, 'list').map((form) => {
    const plain = closest(form.parts);
    const inner = namesIn(plain, 'properties').flatMap((name) =>
      name === form.member ? [] : [name, ...namesIn(closest(propertyParts(plain, name) ?? []), 'properties')],
    );
    // `cursor` asks for a form with a `nextCursor`.
    const fits = asked.filter((each) =>
      inner.some((name) => [each, `next${each}`].some((own) => isSameName(name, own))),
    );
    // Beside a total, `count` is that of the page.
    const counted = inner.some((name) => isSameFact(name, 'total')) ? page.records.length : page.total;
    const score = form.member === undefined ? (isBare ? Infinity : 0) : fits.length;
    return { ...form, plain, page: { ...page, facts: { ...page.facts, count: counted } }, score };
  });
  for (const form of forms.toSorted((a, b) => b.score - a.score)) {
    const { plain, member, page: shown } = form;
    const items = page.records.map((record) => inForm(record, form.item));
    if (member === undefined) yield { body: items, header: (name) => valueOf(name, [], page) };
    else {
      const envelope = fittedObject(plain, {}, pageFill(shown));
      yield { body: { ...envelope, ...(enclosed(form, items) as Entity) }, header: () => undefined };
    }
  }
}

export function pageOf(
  parameters: ListParameters,
  collection: Collection,
  records: readonly StoredRecord[],
  query: Query,
  request: Address,
): Page {
  const { limit, offset, page, cursor, keyset = cursor } = parameters;
  const valueFor = (each: ParameterModel | undefined): unknown => each && query[each.name];
  const filtered = records.filter(({ value }) =>
    parameters.filters.every((each) => isMatch(each, valueFor(each), value)),
  );
  const sorted = ordered(filtered, query);

  const isTime = keyset?.node.certain.some(({ object }) => /^date/.test(String(object['format'])));
  const member = (isTime === true ? collection.timeMember : collection.parts.idMember) ?? '';
  const keyFor = ({ at, value }: StoredRecord): Json =>
    (isEntity(value) ? value[member] : undefined) ?? at.at(-1) ?? null;
  const after = valueFor(keyset) ?? '';
  // The arguments of a GraphQL schema have no schemas.
  const tokens = cursor === undefined || cursor.node.certain.length === 0 ? [] : closest(partsOf(cursor));
  const tokenAt = (index: number): Json => idOf(tokens, index);
  const isOpaque =
    keyset === cursor && cursor !== undefined && sorted.some((each) => !isToken(tokens, keyFor(each)));
  const place = isOpaque
    ? sorted.findIndex((_, index) => writtenValue(tokenAt(index + 1)) === writtenValue(after))
    : -1;
  const rest = after === '' ? sorted : isOpaque ? sorted.slice(place + 1) : following(sorted, after, keyFor);

  const isPaged = [limit, page, offset, cursor].some((each) => valueFor(each) !== undefined);
  const usual = isPaged ? (limit?.lenient?.fallback ?? limit?.default ?? SIZE) : MOST;
  const whole = limit === undefined && page === undefined ? rest.length : usual;
  const size = Math.max(1, Number(valueFor(limit) ?? whole) || SIZE);
  const first = page === undefined ? 0 : firstPageOf(page);
  const step = Number(valueFor(page) ?? first) - first;
  const start = Math.max(0, step * size + Number(valueFor(offset) ?? 0)) || 0;
  const shown = valueFor(limit) === 0 ? [] : rest.slice(start, start + size);
  const hasNext = start + size < rest.length;
  const last = shown.at(-1);
  const isShown = last !== undefined && (hasNext || keyset !== cursor);
  const key = isShown ? (isOpaque ? tokenAt(sorted.indexOf(last) + 1) : keyFor(last)) : null;

  const total = filtered.length;
  const pages = Math.ceil(total / size);
  const address = (parameter: ParameterModel | undefined, value: Json): string | undefined => {
    if (parameter === undefined) return undefined;
    const own = { [parameter.name]: writtenValue(value), ...(limit && { [limit.name]: String(size) }) };
    const others = [...new URLSearchParams(request.query)].filter(([name]) => !Object.hasOwn(own, name));
    return `${request.path}?${new URLSearchParams([...Object.entries(own), ...others]).toString()}`;
  };
  const number = page === undefined ? Math.floor(start / size) : step;
  const at = (to: number): string | undefined => address(page ?? offset, page ? to + first : to * size);
  const links = {
    prev: start > 0 ? at(number - 1) : undefined,
    first: start > 0 ? at(0) : undefined,
    next: hasNext ? (at(number + 1) ?? address(keyset, key)) : undefined,
    last: hasNext ? at(pages - 1) : undefined,
  };
  const link = Object.entries(links).flatMap(([relation, to]) => (to ? [`<${to}>; rel="${relation}"`] : []));
  const facts = {
    ...{ total, pages, size, start, hasNext, count: total, hasPrev: start > 0 },
    ...{ shown: shown.length, isEmpty: shown.length === 0, isFirst: start === 0, isLast: !hasNext },
    number: number + (page === undefined ? 1 : first),
    isCursor: (page ?? offset) === undefined && keyset !== undefined,
    origin: request.origin ?? '',
    ...{ cursor: key, ...links, link: link.length > 0 ? link.join(', ') : undefined },
    self: request.path + (request.query === '' ? '' : `?${request.query}`),
  };
  return { records: shown, total, facts };
}

/** The records in the order that the request asks for: by `sort=-name` and the like. */
function ordered(records: readonly StoredRecord[], query: Query): readonly StoredRecord[] {
  const [, wanted] =
    Object.entries(query).find(([name, value]) => SORT.test(name) && value !== undefined) ?? [];
  const [, sign, member = '', direction] = /^([-+]?)(\w+)(?:[:,. ](\w+))?$/.exec(writtenValue(wanted)) ?? [];
  const keyFor = ({ value }: StoredRecord): Json | undefined => (isEntity(value) ? value[member] : undefined);
  if (!records.some((each) => keyFor(each) !== undefined)) return records;
  const sorted = records.toSorted((a, b) => compare(keyFor(a), keyFor(b)));
  return sign === '-' || direction === 'desc' || query['order'] === 'desc' ? sorted.toReversed() : sorted;
}

/** The records after the one with a key, or after its place if there is none. */
function following(
  records: readonly StoredRecord[],
  key: unknown,
  keyFor: (record: StoredRecord) => Json,
): readonly StoredRecord[] {
  const at = records.findIndex((each) => compare(keyFor(each), key) === 0);
  if (at !== -1) return records.slice(at + 1);
  const [first, last] = [records[0], records.at(-1)];
  const direction = first && last && compare(keyFor(first), keyFor(last)) > 0 ? -1 : 1;
  return records.filter((each) => compare(keyFor(each), key) * direction > 0);
}

function compare(a: unknown, b: unknown): number {
  const [one, other] = [a, b].map((value) => {
    const text = writtenValue(value);
    const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
    return Number.isNaN(time) ? text : String(time);
  });
  return (one ?? '').localeCompare(other ?? '', 'en', { numeric: true });
}

/** Whether a record has the value of a filter, or one of its values. `all` among listed values asks for every record. */
function isMatch({ name, node }: ParameterModel, wanted: unknown, value: Json): boolean {
  if (wanted === undefined || !isEntity(value)) return true;
  if (wanted === 'all' && node.certain.some(({ object }) => object.enum !== undefined)) return true;
  const own = [value[name] ?? []].flat().map(writtenValue);
  return [wanted].flat().some((each) => own.includes(writtenValue(each)));
}

function pageFill(page: Page): Fill {
  return (name, parts, depth) => {
    if (typesOf(parts)?.[0] !== 'object' || depth > 1) return valueOf(name, parts, page);
    // A link is an address, or an object that has one.
    const facts = { ...page.facts, isCursor: false };
    const isLink = /^(?:next|prev|previous|first|last|self)$/.test(name);
    const link = isLink ? valueOf(name, STRING, { ...page, facts }) : undefined;
    if (link !== undefined && link !== null && namesIn(parts, 'properties').includes('href'))
      return { href: link };
    const isLinks = /^_?links$/i.test(name);
    const inner = fittedObject(parts, {}, pageFill(isLinks ? { ...page, facts } : page), depth + 1);
    return Object.keys(inner).length > 0 ? inner : undefined;
  };
}

const STRING: readonly PlainPart[] = [{ schema: { type: 'string' }, at: '' }];

/** What a member or a header says of a page, by its name and its type. */
export function valueOf(name: string, parts: readonly PlainPart[], page: Page): Json | undefined {
  const types = typesOf(parts);
  const plain = name.toLowerCase().replaceAll(/^x-|[_-]/g, '');
  const named = PAGE_NAMES.find(([pattern]) => pattern.test(plain))?.[1] ?? plain;
  const isFlag = types?.[0] === 'boolean' && (named === 'first' || named === 'last');
  const isUri = parts.some(({ schema }) => /^(?:uri|iri|url)/.test(String(schema['format'])));
  const isToken = named === 'next' && plain === 'next' && page.facts['isCursor'] === true && !isUri;
  const fact = isFlag ? (named === 'first' ? 'isFirst' : 'isLast') : isToken ? 'cursor' : named;
  if (!Object.hasOwn(page.facts, fact)) return undefined;
  const value = page.facts[fact] ?? (types?.includes('null') === true ? null : undefined);
  const isRelative = isUri && typeof value === 'string' && value.startsWith('/');
  const isWhole = parts.some(({ schema }) => schema['format'] !== 'uri-reference');
  return isRelative && isWhole ? writtenValue(page.facts['origin']) + value : value;
}

function isSameFact(name: string, fact: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  return PAGE_NAMES.some(([pattern, own]) => own === fact && pattern.test(plain)) || plain === fact;
}

/** Whether a cursor may be the key of a record. */
const isToken = (parts: readonly PlainPart[], key: Json): boolean => isKey(key) && fitsId(parts, key);
