/** Requests to the service and their answers, and how a model judges an answer. */

import { isDeepStrictEqual } from 'node:util';
import { type Model, type Sender, isAfter } from './model.js';
import type { Random } from './random.js';
import type { Unit } from './unit.js';

export interface Call {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly sender: Sender;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of a request: work of the deployer's own operation. */
  readonly unit?: Unit;
  /** Whether the client sends it again, under its key, until it knows what came of it. */
  readonly isRepeated?: boolean;
  /** The turns of the event loop after which the client leaves; it sends the request again at once. */
  readonly leavesAfter?: number | undefined;
}

/** Whether a request is sent until its outcome is known. */
export const isSentAgain = ({ isRepeated, leavesAfter }: Call): boolean =>
  isRepeated === true || leavesAfter !== undefined;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined if there is none. */
  readonly body: unknown;
  readonly text: string;
  /** The id of a post that was stored, though the answer does not have it. */
  readonly postId?: string | undefined;
}

/** The answer is not what the model allows. */
export class Fault extends Error {}

/** Something that clients do. */
export interface Action {
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Whether its parts are read one after the other, so that they need not be of one moment. */
  readonly isTorn?: boolean;
  /** @returns undefined if there is nothing that it could be done with */
  readonly draw: (random: Random, model: Model) => Call | undefined;
  /**
   * Compares the answer with the model, and changes the model as the service has changed.
   *
   * @throws {@link Fault} if the model does not allow the answer
   */
  readonly judge: (model: Model, call: Call, answer: Answer) => void;
}

/** The reasons for which a request must be refused. Which of several the service names first is its own choice. */
export class Refusals {
  readonly #statuses = new Set<number>();
  readonly #possible = new Set<number>();

  /** @returns this, for the next reason */
  when(holds: boolean, ...statuses: readonly number[]): this {
    if (holds) for (const status of statuses) this.#statuses.add(status);
    return this;
  }

  /** A reason for which it may be refused. */
  perhaps(holds: boolean, status: number): this {
    if (holds) this.#possible.add(status);
    return this;
  }

  /**
   * @param success - the status without a reason
   * @returns whether the request must have succeeded
   * @throws {@link Fault} for another status, and for a refusal whose body is not one sentence
   */
  judge(answer: Answer, success: number): boolean {
    if (this.#possible.has(answer.status)) return this.#isRefusal(answer);
    const expected = this.#statuses.size === 0 ? [success] : [...this.#statuses];
    if (!expected.includes(answer.status)) {
      throw new Fault(
        `answered ${String(answer.status)} ${answer.text.slice(0, 300)}, expected ${expected.join(' or ')}`,
      );
    }
    return this.#statuses.size === 0 ? true : this.#isRefusal(answer);
  }

  #isRefusal(answer: Answer): false {
    const body = answer.body as { readonly error?: unknown } | undefined;
    if (typeof body?.error !== 'string' || Object.keys(body).length !== 1) {
      throw new Fault(`the refusal ${answer.text} is not one sentence`);
    }
    return false;
  }
}

/** @throws {@link Fault} if the values differ */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Fault(`${what} is ${shown(actual)}, expected ${shown(expected)}`);
}

/** Whether a value is made of parts of others, each of which has been at some moment: lists are of records with ids. */
export function isMixed(actual: unknown, moments: readonly unknown[]): boolean {
  if (moments.some((each) => isDeepStrictEqual(actual, each))) return true;
  if (Array.isArray(actual)) {
    const lists = moments.filter((each) => Array.isArray(each)) as (readonly unknown[])[];
    const ids = (actual as readonly unknown[]).map(idOf);
    const always = lists[0]
      ?.map(idOf)
      .filter((id) => lists.every((list) => list.some((each) => idOf(each) === id)));
    return (
      always?.every((id) => ids.includes(id)) === true &&
      (actual as readonly unknown[]).every((one, place) => {
        const same = lists.flatMap((list) => list.filter((each) => idOf(each) === idOf(one)));
        return (place === 0 || isAfter(idOf(one), ids[place - 1] ?? '')) && isMixed(one, same);
      })
    );
  }
  const records = moments.filter((each) => typeof each === 'object' && each !== null) as Fields[];
  if (typeof actual !== 'object' || actual === null || records.length === 0) return false;
  return Object.entries(actual).every(([name, value]) =>
    isMixed(
      value,
      records.map((each) => each[name]),
    ),
  );
}

type Fields = Readonly<Record<string, unknown>>;

const idOf = (record: unknown): string => String((record as { readonly id?: unknown }).id);

/** @throws {@link Fault} if a part of a record differs; parts that are undefined must be absent */
export function sameParts(what: string, actual: unknown, expected: Readonly<Record<string, unknown>>): void {
  if (typeof actual !== 'object' || actual === null) throw new Fault(`${what} is ${shown(actual)}`);
  for (const [name, value] of Object.entries(expected)) {
    same(`${what}/${name}`, (actual as Readonly<Record<string, unknown>>)[name], value);
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return (text ?? 'absent').slice(0, 400);
}

/**
 * Reads the id of a new record.
 *
 * @throws {@link Fault} if it is not greater than all earlier ones
 */
export function newId(model: Model, kind: string, record: unknown): string {
  const { id } = record as { readonly id: string };
  const last = model.last[kind] ?? '0';
  if (!/^[1-9][0-9]*$/.test(id) || !isAfter(id, last))
    throw new Fault(`${kind} got the id ${id} after ${last}`);
  model.last[kind] = id;
  return id;
}
