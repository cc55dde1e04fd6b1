/** Reads a resource after it was written, at its own path and at its `Location`, and compares what was sent with what is read. */

import type { Json } from '@concordat/runtime';
import { writeExactJson } from '@concordat/runtime/client';
import type { OperationModel } from 'concordat/contract';
import type { RunningContract } from '../../running/running-contract.js';
import { isMocked } from '../run/server.js';
import type { Finding } from '../run/verify-report.js';
import { bodyOf, locationOf, valuesIn } from './answered-resources.js';
import { createdBy, isGone, isSuccess, ofItem, statusOf } from './lifecycle.js';
import { type PathValues, isEntity, isSameResource } from './known-resources.js';
import { plainParts } from './request-cases.js';
import type { Outcome, Session } from './session.js';

/** A finding, and the read that shows it. */
type Shown = readonly [finding: Finding, read: Outcome];

/**
 * @param written - any answer; that of a request that wrote nothing is not looked at
 * @param seen - called with each answer to a read
 */
export async function readBack(
  written: Outcome,
  { document, model: { operations } }: RunningContract,
  session: Session,
  seen: (outcome: Outcome) => Promise<void>,
): Promise<Shown | undefined> {
  const { operation, body } = written.case.parts;
  const { method, path } = operation;
  const isWrite = ['POST', 'PUT', 'PATCH'].includes(method) && written.case.tamper === undefined;
  if (!isWrite || !isSuccess(written) || 'refusal' in written.reach || isMocked(written.answer))
    return undefined;
  const isCreation = method === 'POST';
  const reader = isCreation
    ? ofItem(operations, operation, 'GET')
    : operations.find((each) => each.method === 'GET' && each.path === path);
  const item = isCreation ? createdBy(written) : written.pathValues;
  const read = async (values: PathValues, about: string): Promise<Outcome | undefined> => {
    const parts = reader && plainParts(document, reader, false);
    const found = parts && (await session.send({ about, parts }, values));
    if (found !== undefined) await seen(found);
    return found;
  };
  const found = item && (await read(item, `the resource after ${method}`));
  if (item === undefined || found === undefined || !isSuccess(found)) return undefined;
  const state = bodyOf(found.answer);
  const required = plainParts(document, operation, false)?.body?.value;
  const sent =
    body?.media.kind === 'json' && state !== undefined ? difference(body.value, state, required) : undefined;
  if (sent !== undefined) return [{ rule: 'changed', message: sent }, found];
  const location = isCreation ? locationOf(written.answer) : undefined;
  if (location === undefined) return undefined;
  const wrong = (why: string, shown: Outcome): Shown => [
    { rule: 'wrong-location', message: `the Location of what was created, ${location}, ${why}` },
    shown,
  ];
  const values = valuesIn((reader as OperationModel).path, location);
  if (values === undefined) {
    const isElsewhere =
      /^[a-z]+:/i.test(location) || operations.some((each) => valuesIn(each.path, location) !== undefined);
    return isElsewhere ? undefined : wrong('is no path of the contract', found);
  }
  if (isSameResource(values, item)) return undefined;
  const other = await read(values, 'its Location');
  if (other === undefined || (!isSuccess(other) && !isGone(other))) return undefined;
  // A resource may have two names.
  if (isSuccess(other) && writeExactJson(bodyOf(other.answer)) === writeExactJson(state)) return undefined;
  return wrong(isGone(other) ? `is answered by ${statusOf(other)}` : 'leads to another resource', other);
}

/** Members that a server decides by itself, such as the state of a process, or does not show. */
const OWN =
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
    return names
      .map((name) =>
        difference(sent[name] ?? null, read[name] ?? null, needed[name], `${place}/${name}`.trim()),
      )
      .find((each) => each !== undefined);
  }
  if (Array.isArray(sent) && Array.isArray(read)) {
    if (sent.length !== read.length || sent.every(isScalar)) return undefined;
    const [needed] = Array.isArray(required) ? (required as readonly Json[]) : [];
    const theirs = read as readonly Json[];
    return (sent as readonly Json[])
      .map((each, index) => difference(each, theirs[index] ?? null, needed, `${place}/${String(index)}`))
      .find((each) => each !== undefined);
  }
  if (!isScalar(sent) || !(isScalar(read) || read === null) || isSame(sent, read)) return undefined;
  if (required === undefined && !resembles(sent, read)) return undefined;
  const shown = (value: Json): string => writeExactJson(value).slice(0, 100);
  return `${place.slice(1)} was sent as ${shown(sent)}, and is read as ${shown(read)}`;
}

/** Whether one value comes from the other: by another case, a shorter text, or rounding. */
function resembles(sent: Json, read: Json): boolean {
  if (typeof sent === 'string' && typeof read === 'string') {
    const [a, b] = [plain(sent).toLowerCase(), plain(read).toLowerCase()];
    return b.length > 3 && a.startsWith(b);
  }
  return (
    typeof sent === typeof read &&
    Math.abs(Number(sent)) > 2 ** 31 &&
    Math.abs(Number(sent) / Number(read) - 1) < 1e-6
  );
}

export function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

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
function withDigits(value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

/** Many servers trim texts, compose their characters and leave out control characters. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
}
