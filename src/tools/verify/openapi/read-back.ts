/** Reads a resource after it was written, at its own path and at its `Location`, and compares what was sent with what is read. */

import type { Json } from '@concordat/runtime';
import { writeExactJson } from '@concordat/runtime/client';
import { type OperationModel, joinPointer } from 'concordat/contract';
import { isMocked } from '../run/server.js';
import type { Rule } from '../run/verify-report.js';
import { plainParts } from '../../running/plain-parts.js';
import { type Entity, type Resource, isEntity, namesOf } from '../../running/resources.js';
import { type PathValues, bodyOf, isSameResource, locationOf, valuesIn } from './named-resources.js';
import { type Outcome, type Sender, statusOf } from './session.js';

/** Compares what is written with what is read, and remembers which members the server keeps as they were sent. */
export class ReadBack {
  /** The members that the server has kept, with the value as JSON, or `''` for several: one alone may be by chance what it decides. */
  readonly #kept = new Map<string, string>();
  /** The members that it has changed at first, so that they are its own. */
  readonly #own = new Set<string>();

  constructor(
    private readonly operations: readonly OperationModel[],
    private readonly resources: readonly Resource[],
    private readonly run: Sender,
  ) {}

  /** @param written - any answer; that of a request that wrote nothing is not looked at */
  async check(written: Outcome): Promise<void> {
    const { run, operations } = this;
    const { operation, body } = written.case.parts;
    const writes = ({ create, replace, update }: Resource): boolean =>
      [create, replace, update].includes(operation);
    const reader = this.resources.find(writes)?.read;
    if (reader === undefined || written.case.tamper !== undefined || !written.isSuccess) return;
    if ('refusal' in written.expected || isMocked(written.answer)) return;
    const isCreation = operation.method === 'POST';
    const item = isCreation ? createdBy(written) : written.pathValues;
    const read = async (values: PathValues, about: string): Promise<Outcome | undefined> => {
      const parts = plainParts(reader, false);
      return parts && run.attempt({ about, parts }, true, values);
    };
    const found = item && (await read(item, `the resource after ${operation.method}`));
    if (item === undefined || found === undefined || !found.isSuccess) return;
    const add = (rule: Rule, message: string, shown: Outcome, isUncertain = false): void => {
      run.add(`${rule} ${operation.id}`, { rule, message, isUncertain }, shown, [written]);
    };
    const state = bodyOf(found.answer);
    const required = plainParts(operation, false)?.body?.value;
    if (body?.media.kind === 'json' && state !== undefined) {
      const shown = bodyOf(written.answer);
      const changed = this.#changedMember(reader, body.value, state);
      const sent =
        difference(body.value, state, required) ??
        (changed?.isUncertain === false ? changed.message : undefined) ??
        changedMember(shown ?? null, state, `the answer of ${operation.method} has`);
      const reason = 'the server has kept it before, but may decide it here by members beside it';
      const message = sent ?? (changed && `${changed.message}; ${reason}`);
      if (message !== undefined) {
        add('changed', message, found, sent === undefined);
        return;
      }
    }
    const location = isCreation ? locationOf(written.answer) : undefined;
    if (location === undefined) return;
    const wrong = (why: string, shown: Outcome): void => {
      add('wrong-location', `the Location of what was created, ${location}, ${why}`, shown);
    };
    const values = valuesIn(reader.path, location);
    if (values === undefined) {
      const isElsewhere =
        /^[a-z]+:/i.test(location) || operations.some(({ path }) => valuesIn(path, location) !== undefined);
      if (!isElsewhere) wrong('is no path of the contract', found);
      return;
    }
    const other = isSameResource(values, item) ? undefined : await read(values, 'its Location');
    if (other === undefined) return;
    if (other.isGone) wrong(`is answered by ${statusOf(other)}`, other);
    // A resource may have two names.
    else if (other.isSuccess && writeExactJson(bodyOf(other.answer)) !== writeExactJson(state))
      wrong('leads to another resource', other);
  }

  /** The first optional member that is read differently, although the server has kept it before. */
  #changedMember({ id: reader, path }: OperationModel, sent: Json, read: Json): Changed | undefined {
    if (!isEntity(sent) || !isEntity(read)) return undefined;
    const names = Object.keys(sent).filter((name) => !namesOf(path).includes(name));
    if (!names.some((name) => Object.hasOwn(read, name))) return undefined;
    const kept = names.filter((name) => this.#kept.has(joinPointer('', reader, name)));
    const lost = kept.find((name) => sent[name] !== null && !Object.hasOwn(read, name));
    if (lost === undefined) return this.#changedIn([reader], sent, read, names);
    return {
      message: `${lost} was sent as ${short(sent[lost] ?? null)}, and is not read`,
      isUncertain: false,
    };
  }

  /** The same in a part of the resource. Its members are known by their place, so that what a server adds to an item is its own. */
  #changedIn(
    place: readonly string[],
    sent: Entity,
    read: Entity,
    names = Object.keys(sent),
  ): Changed | undefined {
    for (const name of names) {
      const [value, now] = [sent[name] ?? null, read[name] ?? null];
      const inner = [...place, name];
      const key = joinPointer('', ...inner);
      // A client may suggest an id. A member that was not kept once may be one that the server decides, such as a slug.
      if (OWN.test(name) || value === null || this.#own.has(key) || !Object.hasOwn(read, name)) continue;
      const parts = partsOf(value, now);
      if (isSameValue(value, now)) {
        const text = writeExactJson(value);
        this.#kept.set(key, [text, undefined].includes(this.#kept.get(key)) ? text : '');
      } else if (parts.length === 0) {
        if (this.#kept.has(key)) return changedAt(inner, value, now, this.#kept.get(key) === '');
        this.#own.add(key);
      }
      for (const [part, other] of parts) {
        const changed = this.#changedIn(inner, part, other);
        if (changed !== undefined) return changed;
      }
    }
    return undefined;
  }
}

/** A member that is read differently. */
interface Changed {
  readonly message: string;
  /** Whether it is a member of a part of the resource, or was kept with one value only. */
  readonly isUncertain: boolean;
}

/** @param place - the operation that reads, and the names that lead to the member */
function changedAt([, ...names]: readonly string[], sent: Json, read: Json, isSure: boolean): Changed {
  const isInside = names.length > 1;
  const shown = isInside ? joinPointer('', ...names) : names[0];
  const message = `${String(shown)} was sent as ${short(sent)}, and is read as ${short(read)}`;
  return { message, isUncertain: isInside || !isSure };
}

/** The objects in a value that was sent, each beside the one that is read in its place; none where these cannot be told. */
function partsOf(sent: Json, read: Json): readonly (readonly [Entity, Entity])[] {
  const [list, others] = [listOf(sent), listOf(read)];
  if (list.length !== others.length) return [];
  return list.flatMap((each, index) => {
    const other = others.find((one) => isSameValue(each, one)) ?? others[index];
    return isEntity(each) && isEntity(other) ? [[each, other] as const] : [];
  });
}

const listOf = (value: Json): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : isEntity(value) ? [value] : [];

const short = (value: Json): string => writeExactJson(value).slice(0, 100);

/** The first member that two states of a resource show differently. @param names - those that are compared; all unless given */
export function changedMember(
  before: Json,
  after: Json,
  how: string,
  isCompared: (name: string) => boolean = () => true,
): string | undefined {
  if (!isEntity(before) || !isEntity(after)) return undefined;
  const names = Object.keys(before).filter((each) => !OWN.test(each) && isCompared(each));
  const shown = names.filter((each) => Object.hasOwn(after, each));
  const name = shown.find((each) => !isSameValue(before[each] ?? null, after[each] ?? null));
  if (name === undefined) return undefined;
  return `${how} ${name} ${short(before[name] ?? null)}, and it is read as ${short(after[name] ?? null)}`;
}

/** Whether two values are the same, apart from other forms and the order of lists. Members that are missing in one are not compared. */
export function isSameValue(a: Json, b: Json): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const [one, other] = [a, b] as unknown as readonly (readonly Json[])[];
    const isIn = (each: Json): boolean => (other ?? []).some((same) => isSameValue(each, same));
    const sizes = new Set([one, other].map((list) => new Set((list ?? []).map(writeExactJson)).size));
    return sizes.size === 1 && (one ?? []).every(isIn);
  }
  if (isEntity(a) && isEntity(b)) {
    const names = Object.keys(a).filter((name) => Object.hasOwn(b, name));
    const isLost = names.length === 0 && Object.keys(a).length > 0;
    return !isLost && names.every((name) => OWN.test(name) || isSameValue(a[name] ?? null, b[name] ?? null));
  }
  if (isScalar(a) && (isScalar(b) || b === null)) return isSame(a, b);
  return a === null || typeof a !== typeof b || Array.isArray(a) !== Array.isArray(b);
}

/** The path values of the resource that a request created. */
export const createdBy = ({ created, case: { parts } }: Outcome): PathValues | undefined =>
  created.find(({ length }) => length === namesOf(parts.operation.path).length + 1);

/** Members that a server decides by itself, such as the state of a process, or does not show. */
export const OWN =
  /^(?:_?id|status|state)$|links?$|version|revision|etag|created|updated|modified|passw|secret|token/i;

/**
 * The first value that is read differently. Members that are not read, and values of another kind, such as a resource for its id, are
 * not compared. Nor are optional members that a server may compute by itself, unless what is read resembles what was sent.
 *
 * @param required - a body with the required members alone
 */
function difference(sent: Json, read: Json, required?: Json, place = ''): string | undefined {
  if (isEntity(sent) && isEntity(read)) {
    const names = Object.keys(sent).filter((name) => Object.hasOwn(read, name) && !OWN.test(name));
    // The resource may be wrapped: `{ "data": { … } }`.
    const [inner, ...others] = Object.values(read).filter(isEntity);
    if (names.length === 0 && place === '' && inner !== undefined && others.length === 0)
      return difference(sent, inner, required, ' ');
    const needed = isEntity(required) ? required : {};
    const differences = names.map((name) =>
      difference(sent[name] ?? null, read[name] ?? null, needed[name], `${place}/${name}`.trim()),
    );
    return differences.find((each) => each !== undefined);
  }
  if (Array.isArray(sent) && Array.isArray(read)) {
    if (sent.every(isScalar) && sent.length !== read.length && isPart(sent, read))
      return `${place.slice(1)} was sent as ${short(sent)}, and is read as ${short(read)}`;
    if (sent.length !== read.length || sent.every(isScalar)) return undefined;
    const [needed] = Array.isArray(required) ? (required as readonly Json[]) : [];
    const theirs = read as readonly Json[];
    return (sent as readonly Json[])
      .map((each, index) => difference(each, theirs[index] ?? null, needed, `${place}/${index}`))
      .find((each) => each !== undefined);
  }
  if (!isScalar(sent) || !(isScalar(read) || read === null) || isSame(sent, read)) return undefined;
  if (required === undefined && !resembles(sent, read)) return undefined;
  return `${place.slice(1)} was sent as ${short(sent)}, and is read as ${short(read)}`;
}

/** Whether one of two lists without repeated items is a part of the other. */
function isPart(a: readonly unknown[], b: readonly unknown[]): boolean {
  const [small, large] = [a, b].map((list) => new Set(list)).sort((one, other) => one.size - other.size);
  return new Set(a).size === a.length && [...(small ?? [])].every((each) => large?.has(each));
}

/** Whether one value comes from the other: by another case, a shorter text, or rounding. */
function resembles(sent: Json, read: Json): boolean {
  if (typeof sent === 'string' && typeof read === 'string') {
    const [a, b] = [plain(sent).toLowerCase(), plain(read).toLowerCase()];
    return b.length > 3 && a.startsWith(b);
  }
  const isNear = Math.abs(Number(sent) / Number(read) - 1) < 1e-6;
  return typeof sent === typeof read && Math.abs(Number(sent)) > 2 ** 31 && isNear;
}

export const isScalar = (value: unknown): boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\dT/i;
const IGNORES_CASE = /@|^[a-z][a-z\d+.-]*:|^[\da-f]{8}-/i;

/** Whether two scalars are the same, apart from another form of the same text, time, address or number. */
function isSame(sent: Json, read: Json): boolean {
  if (typeof sent === 'string' && typeof read === 'string') {
    const [a, b] = [plain(sent), plain(read)];
    if (a === b || a === '') return true;
    if (TIME.test(a) && TIME.test(b)) return Date.parse(a) === Date.parse(b) || Number.isNaN(Date.parse(a));
    if (DECIMAL.test(a) && DECIMAL.test(b)) return Number(a) === Number(b);
    return IGNORES_CASE.test(a) && a.toLowerCase().replace(/\/$/, '') === b.toLowerCase().replace(/\/$/, '');
  }
  if (read === null) return typeof sent === 'string' && plain(sent) === '';
  if (typeof sent === 'boolean' || typeof read === 'boolean')
    return sent === read || typeof sent !== typeof read;
  if (typeof sent === 'string' || typeof read === 'string') return true;
  const [a, b] = [withDigits(sent), withDigits(read)];
  // A `float` has 24 bits.
  return a === b || (typeof a === 'number' && Math.abs(a - Number(b)) <= Math.abs(a) * 1e-6);
}

/** An integer as a bigint: it is a number or a bigint, depending on where it came from. */
const withDigits = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;

/** Many servers trim texts, compose their characters and leave out control characters. */
function plain(text: string): string {
  const composed = text.normalize('NFC');
  return composed.replaceAll(/\p{Cc}/gu, '').trim();
}
