/** Chooses the records of a list by the parameters that the contract describes, and writes the page in the form that was asked for. */

import type { Json } from '@concordat/runtime';
import type { OperationModel, ParameterModel } from 'concordat/contract';
import {
  type Entity,
  firstPageOf,
  isEntity,
  isSameName,
  listParametersOf,
  writtenValue,
} from '../../running/resources.js';
import { namesIn, propertyParts } from '../../values/inner-parts.js';
import { type PlainPart, typesOf } from '../../values/parts.js';
import type { Collection, StoredRecord } from './collection.js';
import { type Fill, type Form, closest, fitted, fittedObject, formsOf } from './fitted.js';

type Query = Readonly<Record<string, unknown>>;

export interface Page {
  readonly records: readonly StoredRecord[];
  readonly total: number;
  readonly size: number;
  /** From 1. */
  readonly number: number;
  /** The number of records before it. */
  readonly start: number;
  readonly hasNext: boolean;
  /** The value of the cursor that asks for what comes after it. */
  readonly next: Json;
  /** The address of a page with a relation to this one. */
  readonly address: (relation: string) => string | undefined;
}

/** An answer: its body, and the values of its headers by their names. */
export interface Candidate {
  readonly body?: Json;
  readonly header: (name: string) => Json | undefined;
}

/** The sizes of a page where neither the request nor the contract names one: with a parameter of paging, and without. */
const SIZE = 10;
const MOST = 100;

const SORT = /^(?:sort|(?:sort|order)[_-]?by)$/i;
const DIRECTION = /^(?:order|direction|sort[_-]?(?:order|dir|direction))$/i;
const NEWEST_FIRST = /\b(?:newest|latest|most recent)\b.*\bfirst\b/i;

/**
 * The answers of a list, in the order in which their forms fit the request.
 *
 * @param address - the path of the request, and its query
 */
export function* listAnswers(
  operation: OperationModel,
  collection: Collection,
  records: readonly StoredRecord[],
  query: Query,
  address: { readonly path: string; readonly query: string },
): Generator<Candidate> {
  const page = pageOf(operation, collection, records, query, address);
  const asked = Object.keys(query).filter((name) => query[name] !== undefined);
  const isBare = Object.entries(query).some(([name, value]) => /^envelope$/i.test(name) && value === false);
  const forms = formsOf(operation, 'list').map((form) => ({ form, score: fitOf(form, asked, isBare) }));
  for (const { form } of forms.toSorted((a, b) => b.score - a.score)) {
    const { parts, member, item } = form;
    const items = page.records.map(({ value }) => fitted(item, value));
    if (member === undefined) yield { body: items, header: (name) => valueOf(name, [], page) };
    else {
      const envelope = fittedObject(closest(parts), {}, pageFill(page));
      yield { body: { ...envelope, [member]: items }, header: () => undefined };
    }
  }
}

/** How well a form fits a request: `cursor` asks for one with a `nextCursor`. */
function fitOf({ parts, member }: Form, asked: readonly string[], isBare: boolean): number {
  if (member === undefined) return isBare ? asked.length : 0;
  const plain = closest(parts);
  const names = namesIn(plain, 'properties').flatMap((name) => {
    const inner = name === member ? [] : namesIn(closest(propertyParts(plain, name) ?? []), 'properties');
    return [name, ...inner];
  });
  return asked.filter((each) =>
    names.some((name) => isSameName(name, each) || isSameName(name, `next${each}`)),
  ).length;
}

export function pageOf(
  operation: Pick<OperationModel, 'parameters' | 'summary'>,
  collection: Collection,
  records: readonly StoredRecord[],
  query: Query,
  request: { readonly path: string; readonly query: string },
): Page {
  const parameters = listParametersOf(operation, collection.names);
  const { filters, limit, offset, page, cursor, keyset } = parameters;
  const valueFor = (each: ParameterModel | undefined): unknown => each && query[each.name];
  const filtered = records.filter(({ value }) =>
    filters.every((each) => isMatch(each, valueFor(each), value)),
  );
  const sorted = ordered(operation, filtered, query);

  const place = keyset ?? cursor;
  const isTime = keyset?.node.certain.some(({ object }) => /^date/.test(String(object['format'])));
  const member = isTime === true ? collection.timeMember : collection.parts.idMember;
  const keyFor = ({ at, value }: StoredRecord): Json =>
    (member !== undefined && isEntity(value) ? value[member] : at.at(-1)) ?? null;
  const after = valueFor(place);
  const rest = after === undefined || after === '' ? sorted : following(sorted, after as Json, keyFor);

  const isPaged = [limit, page, offset, cursor].some((each) => valueFor(each) !== undefined);
  const usual = isPaged ? (limit?.lenient?.fallback ?? limit?.default ?? SIZE) : MOST;
  const isWhole = limit === undefined && page === undefined;
  const size = Math.max(1, Number(valueFor(limit) ?? (isWhole ? Math.max(1, rest.length) : usual)));
  const first = page === undefined ? 0 : firstPageOf(page);
  const number = Number(valueFor(page) ?? first);
  const start = (number - first) * size + Number(valueFor(offset) ?? 0);
  const shown = rest.slice(start, start + size);
  const hasNext = start + size < rest.length;
  const last = shown.at(-1);
  const next = last !== undefined && (hasNext || keyset !== undefined) ? keyFor(last) : null;

  const address = (relation: string): string | undefined => {
    if (relation === 'self') return request.path + (request.query === '' ? '' : `?${request.query}`);
    const isBefore = relation === 'prev' || relation === 'first';
    if (isBefore ? start === 0 : !hasNext) return undefined;
    const steps = { first: 0, prev: start / size - 1, next: start / size + 1 }[relation];
    const step = Math.max(0, Math.floor(steps ?? (rest.length - 1) / size));
    const parameter = page ?? offset ?? (relation === 'next' ? place : undefined);
    if (parameter === undefined) return undefined;
    const others = new URLSearchParams(request.query);
    for (const each of [parameter, limit]) if (each !== undefined) others.delete(each.name);
    const value = parameter === page ? step + first : parameter === offset ? step * size : next;
    const own = new URLSearchParams({
      [parameter.name]: writtenValue(value),
      ...(limit && { [limit.name]: String(size) }),
    });
    return `${request.path}?${[own, others].filter((each) => each.size > 0).join('&')}`;
  };
  const shownNumber = page === undefined ? Math.floor(start / size) + 1 : number;
  return { records: shown, total: filtered.length, size, number: shownNumber, start, hasNext, next, address };
}

/** The records in the order that the request, or else the contract, asks for. */
function ordered(
  operation: Pick<OperationModel, 'summary'>,
  records: readonly StoredRecord[],
  query: Query,
): readonly StoredRecord[] {
  const named = (pattern: RegExp): string => {
    const value = Object.entries(query).find(([name]) => pattern.test(name))?.[1];
    return typeof value === 'string' ? value : '';
  };
  const [, sign, member = '', direction = named(DIRECTION)] =
    /^([-+]?)(\w+)(?:[:,. ](\w+))?$/.exec(named(SORT)) ?? [];
  const keyFor = ({ value }: StoredRecord): Json | undefined => (isEntity(value) ? value[member] : undefined);
  if (!records.some((each) => keyFor(each) !== undefined))
    return NEWEST_FIRST.test(operation.summary) ? records.toReversed() : records;
  const sorted = records.toSorted((a, b) => compare(keyFor(a), keyFor(b)));
  return sign === '-' || /^desc/i.test(direction) ? sorted.toReversed() : sorted;
}

/** The records after the one with a key, or after its place if there is none. */
function following(
  records: readonly StoredRecord[],
  key: Json,
  keyFor: (record: StoredRecord) => Json,
): readonly StoredRecord[] {
  const at = records.findIndex((each) => compare(keyFor(each), key) === 0);
  if (at !== -1) return records.slice(at + 1);
  const [first, last] = [records[0], records.at(-1)];
  const direction = first && last && compare(keyFor(first), keyFor(last)) > 0 ? -1 : 1;
  return records.filter((each) => compare(keyFor(each), key) * direction > 0);
}

function compare(a: Json | undefined, b: Json | undefined): number {
  const timeOf = (value: unknown): number =>
    /^\d{4}-\d\d-\d\d/.test(String(value)) ? Date.parse(String(value)) : NaN;
  const difference = [timeOf, Number]
    .map((measure) => measure(a) - measure(b))
    .find((each) => !Number.isNaN(each));
  return difference ?? writtenValue(a).localeCompare(writtenValue(b), 'en');
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
    const inner: Entity = fittedObject(parts, {}, pageFill(page), depth + 1);
    return Object.keys(inner).length > 0 ? inner : undefined;
  };
}

/** What members of an envelope, and headers, say of a page: by their names in lower case, without separators and `x-`. */
const PAGE_VALUES: readonly (readonly [RegExp, (page: Page) => Json])[] = [
  [/^total(?:count|items|results|elements|records)?$/, ({ total }) => total],
  [/^count$/, ({ records }) => records.length],
  [/^(?:current)?page(?:number|no)?$/, ({ number }) => number],
  [/^(?:limit|size|pagesize|perpage|itemsperpage)$/, ({ size }) => size],
  [/^(?:offset|skip|start)$/, ({ start }) => start],
  [/^(?:(?:total|num)pages|pages|pagecount|lastpage)$/, ({ total, size }) => Math.ceil(total / size)],
  [/^(?:hasnext(?:page)?|hasmore)$/, ({ hasNext }) => hasNext],
  [/^hasprev(?:ious)?(?:page)?$/, ({ start }) => start > 0],
  [/^(?:next|end)?(?:cursor|(?:page)?token|since|after)$|^lastid$/, ({ next }) => next],
];

/** What a member or a header says of a page, by its name. */
export function valueOf(name: string, parts: readonly PlainPart[], page: Page): Json | undefined {
  const plain = name.toLowerCase().replaceAll(/^x-|[_-]/g, '');
  if (/^(?:self|first|prev(?:ious)?|next|last)$/.test(plain)) return page.address(plain.replace('ious', ''));
  if (plain === 'link') {
    const links = ['prev', 'first', 'next', 'last'].flatMap((relation) => {
      const address = page.address(relation);
      return address === undefined ? [] : [`<${address}>; rel="${relation}"`];
    });
    return links.length === 0 ? undefined : links.join(', ');
  }
  const value = PAGE_VALUES.find(([pattern]) => pattern.test(plain))?.[1](page);
  return value === null && typesOf(parts)?.includes('null') !== true ? undefined : value;
}
