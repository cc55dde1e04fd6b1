/** Reads the values of requests for the records of a sandbox, and names these in answers. */

import { type DecodedRequest, type Json, Problem } from '@concordat/runtime';
import type { OperationModel } from 'concordat/contract';
import { isEntity, singular, writtenValue } from '../../running/resources.js';
import { isHidden } from '../../values/example-value.js';
import { propertyParts } from '../../values/inner-parts.js';
import { type Collection, type StoredRecord, isKey } from './collection.js';
import { type Form, closest, opened, sentForm } from './fitted.js';
import type { Role } from './role.js';

/** The header that marks an answer of a mock; the engine also sends it with the answers of handlers that are mocks. */
export const MARK = 'X-Mock';

const MOST_LEVELS = 500;

/** A request with the record that its body has, without the members that no answer may show. An engine may have converted values; records are JSON. */
export function withRecord(
  given: DecodedRequest,
  operation: OperationModel,
  names: ReadonlySet<string>,
): DecodedRequest {
  if (given.body === undefined) return given;
  const form = sentForm(operation, names);
  const json = jsonOf(given.body);
  return { ...given, body: withoutHidden((form && opened(form, json)) ?? json, form) };
}

/** @throws Problem for a value that is too deep for the functions that follow its members */
function jsonOf(value: unknown): Json {
  const plain = (_: string, each: unknown): unknown => (typeof each === 'bigint' ? Number(each) : each);
  try {
    const json = JSON.parse(JSON.stringify(value, plain)) as Json;
    if (isDeeper(json, MOST_LEVELS)) throw new RangeError();
    return json;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Problem(400, `body must not have more than ${MOST_LEVELS} levels`);
  }
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each: Json) => isDeeper(each, levels - 1));
}

/** A body without the members that no answer may show. */
function withoutHidden(body: Json, form: Form | undefined): Json {
  if (!isEntity(body) || form === undefined) return body;
  const plain = closest(form.item);
  const isShown = ([name]: readonly [string, Json]): boolean =>
    !isHidden(propertyParts(plain, name) ?? [], 'response');
  return Object.fromEntries(Object.entries(body).filter(isShown));
}

export function notFound({ parts: { name } }: Collection): string {
  return `${titled(name)} not found`;
}

/** A name at the start of a sentence: `User` for `users`. */
export function titled(name: string): string {
  const one = singular(name);
  return one.charAt(0).toUpperCase() + one.slice(1).replaceAll(/[_-]/g, ' ');
}

/** The members at any depth that have a text or a number. */
export function keysIn(value: Json, name = ''): readonly (readonly [name: string, value: string | number])[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => keysIn(each, name));
  if (isEntity(value)) return Object.entries(value).flatMap(([key, each]) => keysIn(each, key));
  return isKey(value) ? [[name, value]] : [];
}

/** The tag of a representation: of a version, in a media type, for a query. */
export function tagOf({ version }: StoredRecord, mediaType = 'application/json', query = ''): string {
  const media = mediaType === 'application/json' ? '' : `-${mediaType.replaceAll(/\W/g, '.')}`;
  return `"${version}${media}${query === '' ? '' : `-${encodeURIComponent(query)}`}"`;
}

/** The tags of a header, or `*`. @param mark - is left out: that of weak tags, for a weak comparison (RFC 9110 §13.1.2) */
export function tagsOf(
  header: string | readonly string[] = '',
  mark: RegExp | string = '',
): readonly string[] {
  return [...String(header).matchAll(/(?:W\/)?"[^"]*"|\*/g)].map(([tag]) => tag.replace(mark, ''));
}

/** Whether a record has the values of the path by which it is seen. */
export function isBound(
  { role, input }: { readonly role: Pick<Role, 'bound'>; readonly input: DecodedRequest },
  { value }: StoredRecord,
): boolean {
  const isSame = (member: string, given: unknown): boolean =>
    isEntity(value) && writtenValue(value[member]) === writtenValue(given);
  return role.bound.every(([name, member]) => isSame(member, input.path[name]));
}
