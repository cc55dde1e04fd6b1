/** The sandbox of a contract: it remembers what was created, and answers operations from what it remembers. */

import { EventEmitter } from 'node:events';
import type { Answer, DecodedRequest, Json } from '@concordat/runtime';
import { usageFailure } from '@concordat/runtime/terminal';
import { isEntity, namesOf } from '../../running/resources.js';
import type { RunningContract } from '../../running/running-contract.js';
import type { Collection, StoredRecord } from './collection.js';
import { enclosed, fitted, formsOf, statusOf, successOf } from './fitted.js';
import { shownForm } from './kinds.js';
import { listAnswers } from './lists.js';
import { type Explanation, explanationText } from './explanation.js';
import type { Examples } from './declared-answers.js';
import { RecordAnswers, type SandboxContext } from './record-answers.js';
import { join } from './relations.js';
import { Roles } from './roles.js';

/** The records of collections by their names; for those below another record, followed by the values of its path: `rooms/1`. */
export type Snapshot = Readonly<Record<string, readonly Json[]>>;

export interface SandboxOptions {
  /** The path before those of the document, with which the addresses of records begin. */
  readonly prefix?: string;
  /** The time in milliseconds since 1970; that of the computer unless given. */
  readonly now?: () => number;
}

/** The most records, and the most characters of them as JSON. The oldest records of the largest collection make room. */
const MOST_RECORDS = 10_000;
const MOST_CHARACTERS = 64 * 2 ** 20;

export class Sandbox {
  readonly #roles: Roles;
  readonly #records: RecordAnswers;
  /** `created`, `changed` and `removed`, each with the collection and the record. */
  readonly events = new EventEmitter().setMaxListeners(0);
  /** The collections to which members refer whose names do not say so: `posts.authorId`. */
  readonly references = new Map<string, Collection>();
  /** The fields of a GraphQL schema, for `explanations`. */
  readonly fields: Explanation[] = [];
  /** The records to which `reset` leads back. */
  start: Snapshot | undefined;
  #time = 0;
  #isLoaded = false;

  /** @throws CommandFailure if an `x-sandbox` of the document is not understood */
  constructor(
    private readonly running: RunningContract,
    examples: Examples,
    { prefix = '', now = Date.now }: SandboxOptions = {},
  ) {
    this.#roles = new Roles(running.model.operations, {
      now: () => (this.#time = Math.max(now(), this.#time + 1)),
      events: this.events,
      makeRoom: () => this.#makeRoom(),
      referred: (member) => [...(this.#roles.referredBy(member)?.records.values() ?? [])].at(-1)?.at.at(-1),
    });
    this.#records = new RecordAnswers(running, examples, this.#roles, {
      prefix,
      isPlanted: () => this.start === undefined && !this.#isLoaded,
      faultOf: (collection, record) => this.faultOf(collection, record),
    });
    this.reset();
  }

  /** The records by kind. */
  get collections(): readonly Collection[] {
    return this.#roles.collections;
  }

  /** Leads back to the first records: `start`, or else those of the document's examples where no operation adds others. */
  reset(): void {
    if (this.start !== undefined) {
      this.load(this.start);
      return;
    }
    for (const each of this.collections) each.clear();
    this.#isLoaded = false;
    for (const { action, collection, operation } of this.#roles.byId.values())
      if (action === 'list' && !operation.path.includes('{')) this.#records.plant(collection, []);
  }

  /** All records, as `load` takes them. */
  snapshot(): Snapshot {
    const groups: Record<string, Json[]> = {};
    for (const { parts, records } of this.collections) {
      for (const { at, value } of records.values()) {
        const above = parts.isSingle ? at : at.slice(0, -1);
        (groups[[parts.name, ...above.map(encodeURIComponent)].join('/')] ??= []).push(value);
      }
    }
    return groups;
  }

  /**
   * Replaces all records.
   *
   * @param about - begins the sentence about a fault
   * @throws CommandFailure that names the fault; the records are then as before
   */
  load(snapshot: Snapshot, about = 'The records'): void {
    const takeBack = this.collections.map((each) => each.clear());
    try {
      this.#fill(snapshot, about);
    } catch (error) {
      for (const each of takeBack) each();
      throw error;
    }
    this.#isLoaded = true;
  }

  #fill(snapshot: Snapshot, about: string): void {
    for (const [group, values] of Object.entries(snapshot)) {
      const [name = '', ...above] = decoded(group);
      const collection = this.collections.find(
        ({ parts: { path, isSingle, ...parts } }) =>
          parts.name === name && namesOf(path).length === above.length + (isSingle ? 0 : 1),
      );
      const names = this.collections.map(({ parts }) => parts.name).join(', ');
      if (collection === undefined)
        throw usageFailure(`${about}: the sandbox has no collection ${group}: it has ${names}`);
      for (const [index, value] of values.entries()) {
        const { idMember = '' } = collection.parts;
        const isTaken = isEntity(value) && collection.get([...above, value[idMember]]) !== undefined;
        const record = collection.create(value, above);
        join(collection, record, 'created');
        const fault = isTaken ? `/${idMember} is that of another record` : this.faultOf(collection, record);
        if (fault !== undefined) throw usageFailure(`${about}: ${group}/${index}${fault}`);
      }
    }
  }

  /** What is wrong with a record for an operation that shows it: `/email must match format "email"`. */
  faultOf(collection: Collection, record: StoredRecord): string | undefined {
    for (const role of this.#roles.byId.values()) {
      const { operation, action } = role;
      const isList = action === 'list';
      const form = isList ? formsOf(operation, 'list')[0] : shownForm(operation, collection.parts.item);
      const success = successOf(operation);
      const contentType = success?.content.find(({ kind }) => kind === 'json')?.mediaType;
      if (role.collection !== collection || role.shows !== undefined) continue;
      if (form === undefined || success === undefined || contentType === undefined) continue;
      const { parts, member, inner } = form;
      const body = isList
        ? [...listAnswers(role, [record], {}, { path: '', query: '' })][0]?.body
        : fitted(parts, enclosed(form, record.value));
      const place = ['body', member ?? [], inner ?? [], isList ? '0' : []].flat().join('/');
      const answer = { status: statusOf(operation, success), headers: {}, contentType, body: body ?? null };
      for (const each of this.running.objectionsTo(operation.id, answer))
        if (each.kind === 'unfit' && each.detail.startsWith(place)) return each.detail.slice(place.length);
    }
    return undefined;
  }

  /** What each operation and each field does to which records, and why. */
  explanations(): readonly Explanation[] {
    const operations = this.running.model.operations.map(({ id, method, path, tags }): Explanation => {
      const role = this.#roles.byId.get(id);
      const why = role?.why ?? this.#roles.refusals.get(id) ?? 'its path is that of no resource';
      const action = role?.action === 'remove' ? 'delete' : role?.action;
      const does = role && { action: String(action), collection: role.collection };
      return { about: `${method} ${path}`, tags, does, why };
    });
    return [...operations, ...this.fields];
  }

  /** The same, one line each. */
  explained(): readonly string[] {
    return this.explanations().map(explanationText);
  }

  /** The answer of an operation; undefined if it has nothing to do with records, or declares no answer that fits them. */
  answer(operationId: string, input: unknown, context: SandboxContext): Answer | undefined {
    return this.#records.answer(operationId, input as DecodedRequest, context);
  }

  #makeRoom(): void {
    const total = (of: (each: Collection) => number): number =>
      this.collections.reduce((sum, each) => sum + of(each), 0);
    const isFull = (): boolean =>
      total(({ records }) => records.size) > MOST_RECORDS || total(({ size }) => size) > MOST_CHARACTERS;
    while (isFull()) {
      const [largest] = this.collections.toSorted((a, b) => b.size - a.size);
      const [oldest] = largest?.records.values() ?? [];
      if (largest === undefined || oldest === undefined) return;
      largest.remove(oldest);
    }
  }
}

/** `rooms` and `1` of `rooms/1`; nothing if it cannot be decoded. */
function decoded(group: string): readonly string[] {
  try {
    return group.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}
