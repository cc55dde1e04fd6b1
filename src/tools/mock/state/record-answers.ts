/** Answers operations from the records of a sandbox, with what their contract declares. */

import {
  type Answer,
  type CallContext,
  type DecodedRequest,
  type Json,
  Problem,
  findByStatus,
  problemDetails,
} from '@concordat/runtime';
import { byStatus } from 'concordat/contract';
import { type Entity, isEntity, namesOf, singular, writtenValue } from '../../running/resources.js';
import type { RunningContract } from '../../running/running-contract.js';
import { mediaTypeWithin, statusWithin } from '../../running/wire-request.js';
import { type Collection, type StoredRecord, isKey } from './collection.js';
import { fitted, formsOf, successOf } from './fitted.js';
import { type Candidate, listAnswers } from './lists.js';
import type { Role, Roles } from './roles.js';

/** The part of a call's context that a sandbox reads. */
export type SandboxContext = Pick<CallContext<unknown>, 'request' | 'mediaType'>;

/** The answers that the contract shows, which a mock without state gives. */
export interface Examples {
  readonly answer: (operationId: string, wish: object) => Answer | undefined;
  readonly refusal: (operationId: string, status: number, problem: Entity) => Answer | undefined;
}

/** Members of which no two records have the same, where the operation declares 409. */
const UNIQUE = /^(?:e-?mail(?:[_-]?address)?|user[_-]?name|login|slug|sku)$/i;

export class RecordAnswers {
  readonly #running: RunningContract;
  readonly #examples: Examples;
  readonly #roles: Roles;
  readonly #prefix: string;

  /** @param prefix - the path before those of the document, with which the addresses of records begin */
  constructor(running: RunningContract, examples: Examples, roles: Roles, prefix: string) {
    this.#running = running;
    this.#examples = examples;
    this.#roles = roles;
    this.#prefix = prefix;
  }

  /** The answer of an operation; undefined if it has nothing to do with records, or declares no answer that fits them. */
  answer(operationId: string, input: unknown, context: SandboxContext): Answer | undefined {
    const role = this.#roles.byId.get(operationId);
    if (role === undefined) return undefined;
    const request = input as DecodedRequest;
    const values = namesOf(role.operation.path).map((name) => request.path[name]);
    const missing = role.parents.find(({ collection, depth }) => !collection.get(values.slice(0, depth)));
    const refusal = missing && this.#notFound(role, missing.collection);
    if (refusal !== undefined) return refusal;
    if (role.action === 'list') return this.#list(role, request, context);
    if (role.action === 'create') return this.#create(role, request, context);
    const record = this.#recordOf(role, request);
    if (record === undefined) return this.#absent(role, request, context);
    if (role.action === 'read') return this.#read(role, record, context);
    return this.#precondition(role, record, context) ?? this.#change(role, record, request, context);
  }

  #list(
    role: Role,
    { path, query }: DecodedRequest,
    { request, mediaType }: SandboxContext,
  ): Answer | undefined {
    const { operation, collection } = role;
    const records = collection.below(valuesOf(role, path)).filter((each) => isBound(role, each, path));
    const address = { path: this.#prefix + request.path, query: request.query };
    return this.#answer(role, mediaType, listAnswers(operation, collection, records, query, address));
  }

  #create(role: Role, { path, body = {} }: DecodedRequest, context: SandboxContext): Answer | undefined {
    if (!isEntity(body as Json)) return undefined;
    const bound = role.bound.map(([name, member]) => [member, path[name] as Json]);
    const sent = {
      ...(role.collection.accepted(body as Json) as Entity),
      ...Object.fromEntries(bound),
    } as Entity;
    const refusal = this.#conflict(role, sent);
    return refusal ?? this.#shown(role, role.collection.create(sent, valuesOf(role, path)), context);
  }

  /** The answer for a record that is missing: a PUT that declares 201 creates it. */
  #absent(role: Role, { path, body }: DecodedRequest, context: SandboxContext): Answer | undefined {
    const { action, collection, operation } = role;
    const isCreated = action === 'replace' && operation.responses.some(({ status }) => status === '201');
    if (!isCreated) return this.#notFound(role, collection);
    const at = valuesOf(role, path);
    return this.#shown(
      role,
      collection.create(body as Json, at.slice(0, -1), at.at(-1) as Json),
      context,
      201,
    );
  }

  #read(role: Role, record: StoredRecord, context: SandboxContext): Answer | undefined {
    const { headers, query } = context.request;
    const key = `${role.operation.id} ${context.mediaType ?? ''}`;
    const known = query === '' ? record.answers.get(key) : undefined;
    const answer = known ?? this.#shown(role, record, context);
    if (answer === undefined) return undefined;
    if (query === '') record.answers.set(key, answer);
    const ifNoneMatch = headers['if-none-match'];
    const tag = answer.headers?.['ETag'];
    if (ifNoneMatch === undefined || typeof tag !== 'string') return answer;
    // By weak comparison (RFC 9110 §13.1.2).
    const isKnown = tagsOf(ifNoneMatch).some((each) => each === '*' || each.replace(/^W\//, '') === tag);
    return isKnown && this.#declares(role, 304) ? { status: 304, headers: { ETag: tag } } : answer;
  }

  /** The refusal of a change to another version of a record than `If-Match` names. */
  #precondition(role: Role, { version }: StoredRecord, { request }: SandboxContext): Answer | undefined {
    const ifMatch = request.headers['if-match'];
    // The tags of all representations match, because a change is one of the record.
    const isMatch = (tag: string): boolean => tag === '*' || /^"(\d+)[-"]/.exec(tag)?.[1] === String(version);
    if (ifMatch === undefined || tagsOf(ifMatch).some(isMatch)) return undefined;
    return this.#refusal(
      role,
      [412],
      `${titled(role.collection.parts.name)} has changed since it was read: read it again`,
    );
  }

  #change(
    role: Role,
    record: StoredRecord,
    { body }: DecodedRequest,
    context: SandboxContext,
  ): Answer | undefined {
    const { action, collection, set } = role;
    if (action === 'remove') {
      for (const each of this.#roles.collections)
        if (each.parts.path.startsWith(`${collection.parts.path}/`))
          each.below(record.at).forEach((inner) => {
            each.remove(inner);
          });
      collection.remove(record);
      return this.#shown(role, record, context);
    }
    const sent = set ?? (body as Json | undefined);
    if (sent === undefined) return undefined;
    const refusal = this.#conflict(role, sent, record);
    if (refusal !== undefined) return refusal;
    if (action === 'replace') collection.replace(record, sent);
    else if (isEntity(sent)) collection.update(record, sent);
    else return undefined;
    return this.#shown(role, record, context);
  }

  /** The record that a path names; a single resource has its example until it is written. */
  #recordOf(role: Role, { path }: DecodedRequest): StoredRecord | undefined {
    const { collection } = role;
    const at = valuesOf(role, path);
    const record = at.length === 0 ? [...collection.records.values()][0] : collection.get(at);
    if (record !== undefined) return isBound(role, record, path) ? record : undefined;
    if (!collection.parts.isSingle) return undefined;
    const reader = [...this.#roles.byId.values()].find(
      (each) => each.collection === collection && each.action === 'read',
    );
    const example = (reader && this.#examples.answer(reader.operation.id, {}))?.body as Json | undefined;
    return collection.create(Array.isArray(example) ? [] : (example ?? {}), at);
  }

  /** The refusal of a reference to a missing record, or of a value that another record has. */
  #conflict(role: Role, sent: Json, own?: StoredRecord): Answer | undefined {
    const { collection, operation } = role;
    for (const [name, value] of keysIn(sent)) {
      const referred = this.#roles.referredBy(name);
      if (referred === undefined || referred === collection || referred.get([value]) !== undefined) continue;
      return this.#refusal(
        role,
        [400, 422, 404],
        `body/${name} must be the id of a ${singular(referred.parts.name)}`,
      );
    }
    if (!operation.responses.some(({ status }) => status === '409')) return undefined;
    const isTaken = ([name, value]: readonly [string, Json | undefined]): boolean => {
      const isId = name === collection.parts.idMember && own === undefined;
      if (!isKey(value) || !(isId || UNIQUE.test(name))) return false;
      const sameText = (each: unknown): string => writtenValue(each).toLowerCase();
      const same = (each: StoredRecord): boolean =>
        isEntity(each.value) && sameText(each.value[name]) === sameText(value);
      return [...collection.records.values()].some((each) => each !== own && same(each));
    };
    const taken = Object.entries(isEntity(sent) ? sent : {}).find(isTaken);
    return taken && this.#refusal(role, [409], `${titled(taken[0])} already in use`);
  }

  /** The answer that shows a record. */
  #shown(
    role: Role,
    record: StoredRecord,
    { request, mediaType }: SandboxContext,
    status?: number,
  ): Answer | undefined {
    const [form] = formsOf(role.operation, 'record');
    const { value } = record;
    const body = form && fitted(form.parts, form.member === undefined ? value : { [form.member]: value });
    const { collection } = role;
    const header = (name: string): Json | undefined => {
      if (/^etag$/i.test(name)) return tagOf(record, mediaType, request.query);
      if (!/^location$/i.test(name) || !this.#roles.hasPath(collection.parts.path)) return undefined;
      return this.#prefix + collection.pathOf(record);
    };
    return this.#answer(role, mediaType, [{ ...(body !== undefined && { body }), header }], status);
  }

  /** The first of some answers that the contract declares. */
  #answer(
    { operation }: Role,
    mediaType: string | undefined,
    candidates: Iterable<Candidate>,
    given?: number,
  ): Answer | undefined {
    const { id, responses } = operation;
    const declared = byStatus(responses);
    const found = given === undefined ? successOf(operation) : findByStatus(declared, given);
    if (found === undefined) return undefined;
    const isOf = (each: number): boolean => findByStatus(declared, each) === found;
    const status = given ?? statusWithin(found.status, isOf, 2) ?? 200;
    const media =
      found.content.find((each) => each.mediaType === mediaType) ??
      found.content.find(({ kind }) => kind === 'json') ??
      found.content[0];
    for (const { body, header } of candidates) {
      if (media !== undefined && body === undefined) return undefined;
      const values = found.headers.map(({ name, required }) => {
        const example = required ? this.#examples.answer(id, {})?.headers?.[name] : undefined;
        return [name, header(name) ?? (example as Json | undefined)] as const;
      });
      const headers = Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Entity;
      const content = media && { contentType: mediaTypeWithin(media.mediaType), body: body as Json };
      const answer = { status, headers, ...content };
      const lower = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      if (this.#running.declares(id, { ...answer, headers: lower })) return answer;
    }
    return undefined;
  }

  #declares({ operation: { responses } }: Role, status: number): boolean {
    return findByStatus(byStatus(responses), status) !== undefined;
  }

  #notFound(role: Role, collection: Collection): Answer | undefined {
    return this.#refusal(role, [404, 410], `${titled(collection.parts.name)} not found`);
  }

  /** The refusal with the first of some statuses that the operation declares. */
  #refusal(role: Role, statuses: readonly number[], detail: string): Answer | undefined {
    const status = statuses.find((each) => this.#declares(role, each));
    if (status === undefined) return undefined;
    const problem = problemDetails.body(new Problem(status, detail)) as Entity;
    return this.#examples.refusal(role.operation.id, status, problem);
  }
}

function valuesOf({ at }: Role, path: DecodedRequest['path']): readonly unknown[] {
  return at.map((name) => path[name]);
}

function isBound({ bound }: Role, { value }: StoredRecord, path: DecodedRequest['path']): boolean {
  return bound.every(
    ([name, member]) => isEntity(value) && writtenValue(value[member]) === writtenValue(path[name]),
  );
}

/** The name of a record at the start of a sentence: `User` for `users`. */
function titled(name: string): string {
  const one = singular(name);
  return one.charAt(0).toUpperCase() + one.slice(1).replaceAll(/[_-]/g, ' ');
}

/** The members at any depth that have a text or a number. */
function keysIn(value: Json, name = ''): readonly (readonly [name: string, value: string | number])[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => keysIn(each, name));
  if (isEntity(value)) return Object.entries(value).flatMap(([key, each]) => keysIn(each, key));
  return isKey(value) ? [[name, value]] : [];
}

/** The tag of a representation: of a version, in a media type, for a query. */
function tagOf({ version }: StoredRecord, mediaType = 'application/json', query = ''): string {
  const media = mediaType === 'application/json' ? '' : `-${mediaType.replaceAll(/\W/g, '.')}`;
  return `"${String(version)}${media}${query === '' ? '' : `-${encodeURIComponent(query)}`}"`;
}

/** The tags of a header, or `*`. */
function tagsOf(header: string | readonly string[]): readonly string[] {
  return [...String(header).matchAll(/(?:W\/)?"[^"]*"|\*/g)].map(([tag]) => tag);
}
