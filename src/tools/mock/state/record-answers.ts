/** Answers operations from the records of a sandbox, with what their contract declares. */

import type { Answer, CallContext, DecodedRequest, Json } from '@concordat/runtime';
import { type Entity, isEntity, namesOf, singular, writtenValue } from '../../running/resources.js';
import type { RunningContract } from '../../running/running-contract.js';
import { requiredNames } from '../../values/inner-parts.js';
import { type Collection, type StoredRecord, inForm } from './collection.js';
import { DeclaredAnswers, type Examples } from './declared-answers.js';
import { closest, enclosed, fitted, formsOf, merged, opened, sentForm } from './fitted.js';
import { shownForm } from './kinds.js';
import { listAnswers } from './lists.js';
import { isBound, keysIn, notFound, tagOf, tagsOf, titled, withRecord } from './record-values.js';
import { adopt, carriedTo, join } from './relations.js';
import { MISSING, type Role } from './role.js';
import type { Roles } from './roles.js';

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

/** Members of which no two records have the same, where the operation declares 409. */
const UNIQUE = /^(?:e-?mail(?:[_-]?address)?|user[_-]?name|login|slug|sku)$/i;

export class RecordAnswers {
  readonly #declared: DeclaredAnswers;

  constructor(
    private readonly running: RunningContract,
    private readonly examples: Examples,
    private readonly roles: Roles,
    private readonly parts: RecordAnswersParts,
  ) {
    this.#declared = new DeclaredAnswers(running, examples);
  }

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
    if (missing !== undefined) {
      // A record below one that is missing would be shown by no operation, where others can be added.
      const isKnown = operation.method !== 'GET' && this.roles.isAdded(missing.collection);
      const refusal = isKnown
        ? this.#declared.missing(call, missing.collection)
        : this.#declared.refusal(call, MISSING, notFound(missing.collection));
      if (refusal !== undefined) return refusal;
    }

    const at = role.at.map((name) => input.path[name]);
    const isAll = action === 'list' || action === 'clear';
    const place = isAll || action === 'create' ? at : at.slice(0, -1);
    if (action !== 'create') this.plant(collection, place);
    adopt(collection, place);
    const records = isAll ? collection.below(at).filter((each) => isBound(call, each)) : [];
    if (action === 'clear') {
      const answer = this.#declared.answer(call, [{ body: undefined, header: () => undefined }]);
      if (answer !== undefined) for (const each of records) this.roles.remove(collection, each);
      return answer;
    }
    if (action === 'list') {
      const { host = 'localhost' } = request.headers;
      const origin = `http://${String(host)}`;
      const address = { path: this.parts.prefix + request.path, query: request.query, origin };
      return this.#declared.answer(call, listAnswers(role, records, input.query, address));
    }
    if (action === 'create') return this.#create(call, at);
    const record = this.#record(call, at);
    if (record !== undefined)
      return action === 'read' ? this.#read(call, record) : this.#change(call, record);
    const creates = operation.responses.some(({ status }) => status === '201');
    const isPut = creates || !MISSING.some((each) => this.#declared.declares(call, each));
    if (action !== 'replace' || !isPut || !isEntity(body)) return this.#declared.missing(call, collection);
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
      return operation.method !== 'GET' && (depth === all.length || this.roles.isAdded(collection))
        ? this.#declared.missing(call, collection)
        : this.#declared.refusal(call, MISSING, notFound(collection));
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
    if (call.role.isResult !== true)
      return this.#written(call, collection.create(sent, above, isChosen ? sent[id] : undefined));
    const carried = carriedTo(collection, this.#source(call, sent));
    const whole = this.#written(call, collection.create({ ...carried, ...sent }));
    return whole ?? this.#written(call, collection.create(sent));
  }

  /** The record of which another one is made: the nearest one in the path, else one that the request names. */
  #source({ role, input }: Call, sent: Entity): StoredRecord | undefined {
    const all = namesOf(role.operation.path).map((name) => input.path[name]);
    const [above] = role.parents.toReversed();
    if (above !== undefined) return above.collection.get(all.slice(0, above.depth));
    const named = Object.entries(sent).map(([name, value]) => this.roles.referredBy(name)?.get([value]));
    return named.find((each) => each !== undefined);
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
    const isKnown = tags.some((tag) => tag === '*' || tag === ETag) && this.#declared.declares(call, 304);
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
      const refusal = this.#declared.refusal(call, [412], detail);
      if (refusal !== undefined) return refusal;
    }
    if (action === 'remove') {
      this.roles.remove(collection, record);
      return this.#shown(call, record);
    }
    const sent = role.set ?? (input.body as Json | undefined);
    if (sent === undefined || (action !== 'replace' && !isEntity(sent))) return undefined;
    const { value } = record;
    const members = Object.entries(role.set ?? {});
    const isDone = members.every(([name, each]) => isEntity(value) && value[name] === each);
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
    const { faultOf } = this.parts;
    if (faultOf(collection, record) === undefined) {
      const isJoined = join(collection, record, before === undefined ? 'created' : 'changed', faultOf);
      if (isJoined || call.role.shows === undefined) return this.#shown(call, record, status);
    }
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
      return this.#declared.refusal(call, [400, 422, 404], detail);
    }
    if (!operation.responses.some(({ status }) => status === '409') || !isEntity(sent)) return undefined;
    const lower = (value: unknown): string => writtenValue(value).toLowerCase();
    const taken = Object.keys(sent).find((name) => {
      if (!UNIQUE.test(name) && (name !== collection.parts.idMember || own !== undefined)) return false;
      const others = [...collection.records.values()].filter((each) => each !== own);
      return others.some(({ value }) => isEntity(value) && lower(value[name]) === lower(sent[name]));
    });
    if (taken === undefined) return undefined;
    return this.#declared.refusal(call, [409], `${titled(taken)} already in use`);
  }

  /** The answer that shows a record. */
  #shown(call: Call, written: StoredRecord, status?: number): Answer | undefined {
    const { role, request, mediaType } = call;
    const { operation, shows } = role;
    const record = shows?.get(written.at.slice(0, -1)) ?? written;
    const collection = record === written ? role.collection : (shows ?? role.collection);
    const form = shownForm(operation, collection.parts.item);
    const { value } = record;
    const own = form && inForm(record, form.item);
    const body = form?.member === undefined ? own : fitted(form.parts, enclosed(form, value));
    const header = (name: string): Json | undefined => {
      if (/^etag$/i.test(name)) return tagOf(record, mediaType, request.query);
      const isAddress = /^location$/i.test(name) && collection.parts.isAddressed;
      return isAddress ? this.parts.prefix + collection.pathOf(record) : undefined;
    };
    return this.#declared.answer(call, [{ body, header }], status);
  }
}
