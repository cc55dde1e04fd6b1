/** What clients know of a record from its answers: its tag and its body, which stay as they are until the record is written again. */

import { type Answer, type Call, Fault, type Refusals, same } from './calls.js';
import type { Model } from './model.js';
import type { Random } from './random.js';

/** A record as it was answered last. */
export interface Seen {
  readonly body: unknown;
  /** Whether nothing has been written since. */
  readonly isCurrent: boolean;
}

/**
 * Notes that a record has changed, so that its earlier tag is stale. Among requests that were sent together, the answer to another may
 * have the record as it is now.
 *
 * @param answer - with the record, if the client got it
 */
export function changed(model: Model, path: string, answer?: Answer): void {
  const known = model.seen.get(path);
  if (model.isAlone && answer?.body !== undefined) noteSeen(model, path, answer.body);
  else if (known !== undefined) model.seen.set(path, { ...known, isCurrent: false });
  const old = model.tags.get(path);
  const tag = (model.isAlone ? answer?.headers.get('etag') : undefined) ?? undefined;
  // A write that changes nothing may keep the tag.
  if (old === tag) return;
  if (old !== undefined) model.oldTags.set(path, [...(model.oldTags.get(path) ?? []), old].slice(-8));
  if (tag !== undefined) model.tags.set(path, tag);
  else model.tags.delete(path);
}

function noteSeen(model: Model, path: string, body: unknown): void {
  const known = model.seen.get(path);
  const madeAt = (record: unknown) => (record as { readonly createdAt?: unknown }).createdAt;
  if (known !== undefined) same(`${path}/createdAt`, madeAt(body), madeAt(known.body));
  model.seen.set(path, { body, isCurrent: true });
}

/** @throws {@link Fault} unless a record is what it was when it was answered last, if it has not been written since */
export function expectSeen(model: Model, path: string, body: unknown): void {
  const known = model.seen.get(path);
  if (known?.isCurrent === true) same(`the record ${path}`, body, known.body);
  else if (model.isAlone) noteSeen(model, path, body);
}

/** {@link expectSeen} for each record of a list. */
export function expectAllSeen(model: Model, collection: string, records: unknown): void {
  for (const record of records as readonly { readonly id: string }[])
    expectSeen(model, `${collection}/${record.id}`, record);
}

/** A read gives the tag, which stays the same until the next write. */
function expectTag(model: Model, path: string, answer: Answer): void {
  const tag = answer.headers.get('etag');
  if (tag === null) throw new Fault('the answer has no ETag');
  const known = model.tags.get(path);
  if (known !== undefined) same('the tag', tag, known);
  if (model.oldTags.get(path)?.includes(tag) === true)
    throw new Fault(`the tag ${tag} is that of an earlier state`);
  if (model.isAlone) model.tags.set(path, tag);
}

/** A tag that no record has. */
const otherTag = '"other"';

/** A tag in the forms in which headers name it, and those of other states. */
function drawTags(random: Random, model: Model, path: string): string {
  const old = random.pick(model.oldTags.get(path) ?? []) ?? otherTag;
  const current = model.tags.get(path) ?? old;
  const tag = random.pick([current, current, current, old, otherTag]);
  return random.pick([tag, tag, tag, '*', `${otherTag}, ${tag}`, `W/${tag}`, 'none']);
}

/** Draws the precondition of a write. */
export function condition(random: Random, model: Model, path: string): Readonly<Record<string, string>> {
  if (random.chance(0.6)) return {};
  return { [random.chance(0.75) ? 'if-match' : 'if-none-match']: drawTags(random, model, path) };
}

/** Draws whether a reader already has the record. */
export function unlessKnown(random: Random, model: Model, path: string): Readonly<Record<string, string>> {
  return random.chance(0.7) ? {} : { 'if-none-match': drawTags(random, model, path) };
}

const tagsOf = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** Whether `If-None-Match` names the record as it is: weak tags are compared too (RFC 9110 §13.1.2). */
function isNamed(model: Model, path: string, { headers }: Call): boolean {
  const header = headers?.['if-none-match'];
  const current = model.tags.get(path);
  if (header === undefined || header === '*') return header === '*';
  return current !== undefined && tagsOf(header).some((tag) => tag.replace('W/', '') === current);
}

/** Whether the precondition of a write fails. A weak tag matches nothing in `If-Match` (RFC 9110 §13.1.1). */
export function isStale(model: Model, path: string, call: Call): boolean {
  const match = call.headers?.['if-match'];
  const current = model.tags.get(path);
  const mayMatch = (tag: string): boolean =>
    current === undefined ? !tag.startsWith('W/') && isOpen(model, path, tag) : tag === current;
  return (
    isNamed(model, path, call) || (match !== undefined && match !== '*' && !tagsOf(match).some(mayMatch))
  );
}

/** Whether a tag may be that of a state that the client has not seen. */
const isOpen = (model: Model, path: string, tag: string): boolean =>
  tag !== otherTag && model.oldTags.get(path)?.includes(tag) !== true;

/**
 * Judges the read of a record that may be there.
 *
 * @param refusals - the reasons for which it is not answered
 * @returns whether the body has the record
 */
export function judgeRead(
  model: Model,
  path: string,
  call: Call,
  answer: Answer,
  refusals: Refusals,
): boolean {
  const isKnown = isNamed(model, path, call);
  if (!refusals.judge(answer, isKnown ? 304 : 200)) return false;
  expectTag(model, path, answer);
  if (isKnown) same('the body', answer.text, '');
  else expectSeen(model, path, answer.body);
  return !isKnown;
}
