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
import { once } from '@concordat/runtime/parts';
import { byStatus } from 'concordat/contract';
import { type Entity, isEntity, namesOf, singular, writtenValue } from '../../running/resources.js';
import type { RunningContract } from '../../running/running-contract.js';
import { mediaTypeWithin, statusWithin } from '../../running/wire-request.js';
import { type Collection, type StoredRecord, inForm, merged } from './collection.js';
import { requiredNames } from '../../values/inner-parts.js';
import { closest, enclosed, fitted, formsOf, opened, sentForm, successOf } from './fitted.js';
import { type Candidate, listAnswers } from './lists.js';
import { MARK, isBound, keysIn, notFound, tagOf, tagsOf, titled, withRecord } from './record-values.js';
import { MISSING, type Role, type Roles } from './roles.js';

/** The answers that the contract shows, which a mock without state gives. */
export interface Examples {
  readonly answer: (operationId: string, wish: object) => Answer | undefined;
  readonly refusal: (
    operationId: string,
    status: number,
    problem: Entity,
    mediaType: string | undefined,
  ) => Answer | undefined;
}

/** The part of a call's context that a sandbox reads. */
export type SandboxContext = Pick<CallContext<unknown>, 'request' | 'mediaType'>;

interface RecordAnswersParts {
  /** The path before those of the document, with which the addresses of records begin. */
  readonly prefix: string;
  /** Whether collections begin with the records of examples. */
  readonly isPlanted: () => boolean;
  /** What is wrong with a record for an operation that shows it. */
  readonly faultOf: (collection: Collection, record: StoredRecord) => string | undefined;
}

interface Call extends SandboxContext {
  readonly role: Role;
  readonly input: DecodedRequest;
}

/** A call that is refused. */
interface Refused {
  readonly role: Pick<Role, 'operation'>;
  readonly mediaType?: string | undefined;
}

/** Members of which no two records have the same, where the operation declares 409. */
const UNIQUE = /^(?:e-?mail(?:[_-]?address)?|user[_-]?name|login|slug|sku)$/i;

export class RecordAnswers {
  constructor(
    private readonly running: RunningContract,
    private readonly examples: Examples,
    private readonly roles: Roles,
    private readonly parts: RecordAnswersParts,
  ) {}

  /** Once, gives a collection that no operation adds to the records of its list's example. */
  plant(collection: Collection, above: readonly unknown[]): void {
    const place = JSON.stringify(above.map(String));
    if (collection.planted.has(place) || !this.parts.isPlanted() || this.roles.isAdded(collection)) return;
    collection.planted.add(place);
    for (const each of this.roles.byId.values()) {
      const { operation, at } = each;
      if (each.collection !== collection || each.action !== 'list' || at.length !== above.length) continue;
      const body = this.examples.answer(operation.id, {})?.body as Json | undefined;
      const lists = formsOf(operation, 'list').map((form) => opened(form, body));
      for (const item of lists.find(Array.isArray) ?? []) collection.create(item as Json, above);
      return;
    }
  }

  /** The answer of an operation; undefined if it has nothing to do with records, or declares no answer that fits them. */
  answer(
    operationId: string,
    given: DecodedRequest,
    { request, mediaType }: SandboxContext,
  ): Answer | undefined {
    const role = this.roles.byId.get(operationId);
    if (role === undefined) return this.#refusedAction(operationId, given, mediaType);
    const { action, collection, operation } = role;
    const input = withRecord(given, operation, collection.names);
    const { body } = input as { readonly body?: Json };
    const call = { role, input, request, mediaType };
    const all = namesOf(operation.path).map((name) => input.path[name]);
    const missing = role.parents.find((parent) => !parent.collection.get(all.slice(0, parent.depth)));
    const refusal = missing && this.#refusal(call, MISSING, notFound(missing.collection));
    if (refusal !== undefined) return refusal;

    const at = role.at.map((name) => input.path[name]);
    const isAll = action === 'list' || action === 'clear';
    if (action !== 'create') this.plant(collection, isAll ? at : at.slice(0, -1));
    const records = isAll ? collection.below(at).filter((each) => isBound(call, each)) : [];
    if (action === 'clear') {
      const answer = this.#answer(call, [{ body: undefined, header: () => undefined }]);
      if (answer !== undefined) for (const each of records) this.roles.remove(collection, each);
      return answer;
    }
    if (action === 'list') {
      const { host = 'localhost' } = request.headers;
      const origin = `http://${String(host)}`;
      const address = { path: this.parts.prefix + request.path, query: request.query, origin };
      return this.#answer(call, listAnswers(role, records, input.query, address));
    }
    if (action === 'create') return this.#create(call, at);
    const record = this.#record(call, at);
    if (record !== undefined)
      return action === 'read' ? this.#read(call, record) : this.#change(call, record);
    const creates = operation.responses.some(({ status }) => status === '201');
    const isPut = creates || !MISSING.some((each) => this.#declares(call, each));
    if (action !== 'replace' || !isPut || !isEntity(body)) return this.#missing(call, collection);
    const created = collection.create(collection.accepted(body), at.slice(0, -1), at.at(-1) as Json);
    return this.#written(call, created, undefined, creates ? 201 : undefined);
  }

  /** The refusal of an operation without a role, such as an action, below a record that is missing. */
  #refusedAction(id: string, { path }: DecodedRequest, mediaType: string | undefined): Answer | undefined {
    const operation = this.running.model.operations.find((each) => each.id === id);
    if (operation === undefined) return undefined;
    const all = namesOf(operation.path).map((name) => path[name]);
    for (const { collection, depth } of this.roles.above.get(id) ?? []) {
      this.plant(collection, all.slice(0, depth - 1));
      if (collection.get(all.slice(0, depth)) !== undefined) continue;
      const call = { role: { operation }, mediaType };
      // Other answers than that of an action do not say that something was done to the record.
      return operation.method !== 'GET' && depth === all.length
        ? this.#missing(call, collection)
        : this.#refusal(call, MISSING, notFound(collection));
    }
    return undefined;
  }

  #create(call: Call, above: readonly unknown[]): Answer | undefined {
    const { collection, bound, operation } = call.role;
    const body = collection.accepted((call.input.body ?? {}) as Json);
    if (!isEntity(body)) return undefined;
    const sent = { ...body };
    for (const [name, member] of bound) sent[member] = call.input.path[name] as Json;
    // A client that must name the record chooses its id; where no 409 is declared, the new record takes the place of another.
    const id = collection.parts.idMember ?? '';
    const isChosen = requiredNames(closest(sentForm(operation, collection.names)?.item ?? [])).has(id);
    const refusal = this.#conflict(call, sent);
    if (refusal !== undefined) return refusal;
    return this.#written(call, collection.create(sent, above, isChosen ? sent[id] : undefined));
  }

  /** The record that a path names; a single resource has its example until it is written. */
  #record(call: Call, at: readonly unknown[]): StoredRecord | undefined {
    const { collection } = call.role;
    const record = at.length === 0 ? [...collection.records.values()][0] : collection.find(at);
    if (record !== undefined || !collection.parts.isSingle)
      return record !== undefined && isBound(call, record) ? record : undefined;
    const isReader = (each: Role): boolean => each.collection === collection && each.action === 'read';
    const reader = [...this.roles.byId.values()].find(isReader);
    const example = (reader && this.examples.answer(reader.operation.id, {}))?.body as Json | undefined;
    return collection.create(Array.isArray(example) ? [] : (example ?? {}), at);
  }

  #read(call: Call, record: StoredRecord): Answer | undefined {
    const { request } = call;
    const answer = this.#shown(call, record);
    const ETag = answer?.headers?.['ETag'];
    const tags = tagsOf(request.headers['if-none-match'], /^W\//);
    const isKnown = tags.some((tag) => tag === '*' || tag === ETag) && this.#declares(call, 304);
    return isKnown && ETag !== undefined ? { status: 304, headers: { ETag } } : answer;
  }

  #change(call: Call, record: StoredRecord): Answer | undefined {
    const { role, input, request } = call;
    const { action, collection } = role;
    const ifMatch = request.headers['if-match'];
    const ifNoneMatch = tagsOf(request.headers['if-none-match'], /^W\//);
    // The tags of all representations match, because a change is one of the record.
    const isVersion = (tag: string): boolean => /^"(\d+)[-"]/.exec(tag)?.[1] === String(record.version);
    const isNamed = (tag: string): boolean => tag === '*' || isVersion(tag);
    if ((ifMatch !== undefined && !tagsOf(ifMatch).some(isNamed)) || ifNoneMatch.some(isNamed)) {
      const detail = `${titled(collection.parts.name)} does not meet the condition of the request: read it again`;
      const refusal = this.#refusal(call, [412], detail);
      if (refusal !== undefined) return refusal;
    }
    if (action === 'remove') {
      this.roles.remove(collection, record);
      return this.#shown(call, record);
    }
    const sent = role.set ?? (input.body as Json | undefined);
    if (sent === undefined || (action !== 'replace' && !isEntity(sent))) return undefined;
    const { value } = record;
    const isDone = Object.entries(role.set ?? {}).every(
      ([name, each]) => isEntity(value) && value[name] === each,
    );
    if (action === 'change' && isDone) return this.#shown(call, record);
    const refusal = this.#conflict(call, sent, record);
    if (refusal !== undefined) return refusal;
    const before = { ...record };
    collection.replace(record, action === 'replace' ? sent : merged(collection.parts.item, value, sent));
    return this.#written(call, record, before);
  }

  /** The answer that shows what was written; what no operation could show is taken back. */
  #written(call: Call, record: StoredRecord, before?: StoredRecord, status?: number): Answer | undefined {
    const { collection } = call.role;
    if (this.parts.faultOf(collection, record) === undefined) return this.#shown(call, record, status);
    collection.takeBack(record, before);
    return undefined;
  }

  /** The refusal of a reference to a missing record, or of a value that another record has. */
  #conflict(call: Call, sent: Json, own?: StoredRecord): Answer | undefined {
    const { collection, operation } = call.role;
    for (const [name, value] of keysIn(sent)) {
      const referred = this.roles.referredBy(name);
      if (referred === undefined || referred === collection || referred.get([value]) !== undefined) continue;
      const detail = `body/${name} must be the id of a ${singular(referred.parts.name)}`;
      return this.#refusal(call, [400, 422, 404], detail);
    }
    if (!operation.responses.some(({ status }) => status === '409') || !isEntity(sent)) return undefined;
    const lower = (value: unknown): string => writtenValue(value).toLowerCase();
    const taken = Object.keys(sent).find((name) => {
      if (!UNIQUE.test(name) && (name !== collection.parts.idMember || own !== undefined)) return false;
      const others = [...collection.records.values()].filter((each) => each !== own);
      return others.some(({ value }) => isEntity(value) && lower(value[name]) === lower(sent[name]));
    });
    return taken === undefined ? undefined : this.#refusal(call, [409], `${titled(taken)} already in use`);
  }

  /** The answer that shows a record. */
  #shown(call: Call, record: StoredRecord, status?: number): Answer | undefined {
    const { role, request, mediaType } = call;
    const { collection, operation } = role;
    const [form] = formsOf(operation, 'record');
    const { value } = record;
    const own = form && inForm(record, form.item);
    const body = form?.member === undefined ? own : fitted(form.parts, enclosed(form, value));
    const header = (name: string): Json | undefined => {
      if (/^etag$/i.test(name)) return tagOf(record, mediaType, request.query);
      const isAddress = /^location$/i.test(name) && collection.parts.isAddressed;
      return isAddress ? this.parts.prefix + collection.pathOf(record) : undefined;
    };
    return this.#answer(call, [{ body, header }], status);
  }

  /** The first of some answers that the contract declares. */
  #answer(call: Call, candidates: Iterable<Candidate>, given?: number): Answer | undefined {
    const { id, responses } = call.role.operation;
    const declared = once(responses, byStatus);
    const found = given === undefined ? successOf(call.role.operation) : findByStatus(declared, given);
    if (found === undefined) return undefined;
    const isOf = (each: number): boolean => findByStatus(declared, each) === found;
    const status = given ?? statusWithin(found.status, isOf, 2) ?? 200;
    const media =
      found.content.find(({ mediaType }) => mediaType === call.mediaType) ??
      found.content.find(({ kind }) => kind === 'json') ??
      found.content[0];
    for (const { body, header } of candidates) {
      if (media !== undefined && body === undefined) return undefined;
      const headers: Record<string, Json> = {};
      for (const { name, required } of found.headers) {
        const example = required ? this.examples.answer(id, {})?.headers?.[name] : undefined;
        const value = header(name) ?? (example as Json | undefined);
        if (value !== undefined) headers[name] = value;
      }
      const content = media && { contentType: mediaTypeWithin(media.mediaType), body: body as Json };
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
      if (this.running.declares(id, { status, headers: Object.fromEntries(lower), ...content }))
        return { status, headers, ...content };
    }
    return undefined;
  }

  #declares({ role }: Refused, status: number): boolean {
    return findByStatus(once(role.operation.responses, byStatus), status) !== undefined;
  }

  /** @throws Problem with 404 where the operation declares no answer for a missing record: another record would be worse */
  #missing(call: Refused, collection: Collection): Answer {
    const detail = notFound(collection);
    const declared = this.#refusal(call, MISSING, detail);
    if (declared === undefined) throw new Problem(404, detail, { [MARK]: 'state' });
    return declared;
  }

  /** The refusal with the first of some statuses that the operation declares. */
  #refusal(call: Refused, statuses: readonly number[], detail: string): Answer | undefined {
    const status = statuses.find((each) => this.#declares(call, each));
    if (status === undefined) return undefined;
    const problem = problemDetails.body(new Problem(status, detail)) as Entity;
    return this.examples.refusal(call.role.operation.id, status, problem, call.mediaType);
  }
}
