/** Receivers of webhooks that take events, refuse them, answer strangely or not at all. */

import { setImmediate as turn } from 'node:timers/promises';
import type { WebhookSender } from '@concordat/core';
import { Fault } from './calls.js';
import type { Random } from './random.js';

export interface Sent {
  readonly eventId: string;
  readonly type: string;
  readonly subject: string;
}

export class Receivers implements WebhookSender {
  /** The events that each receiver has taken, in their order; one that came twice is there twice. */
  readonly #taken = new Map<string, Sent[]>();
  /** How a receiver that misbehaves does so. */
  readonly #moods = new Map<string, string>();

  constructor(private readonly random: Random) {}

  /** Makes some receivers misbehave, and others take what they get. */
  change(random: Random): void {
    for (const url of this.#taken.keys()) {
      this.#moods.set(
        url,
        random.pick(['well', 'well', '500', '101', '302', 'throws', 'sometimes', 'twice']),
      );
    }
  }

  heal(): void {
    this.#moods.clear();
  }

  add(url: string): void {
    this.#taken.set(url, []);
  }

  refusal(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async send(url: string, _headers: Readonly<Record<string, string>>, body: string): Promise<number> {
    let mood = this.#moods.get(url) ?? 'well';
    await turn();
    if (mood === 'sometimes') mood = this.random.pick(['well', '500', 'throws']);
    // It has taken the event, and the sender does not learn of it.
    if (mood === 'twice') this.#take(url, body);
    if (mood === 'throws' || mood === 'twice') throw new Error('the connection was reset');
    if (mood !== 'well') return Number(mood);
    this.#take(url, body);
    return 204;
  }

  close(): void {
    this.#moods.clear();
  }

  #take(url: string, body: string): void {
    this.#taken.get(url)?.push(JSON.parse(body) as Sent);
  }

  check(expected: ReadonlyMap<string, readonly string[]>): void {
    for (const [url, taken] of this.#taken) checkTaken(url, taken, expected);
  }
}

/** Each event where it came first. */
export function firstOfEach(taken: readonly Sent[]): readonly Sent[] {
  return [...new Map([...taken].reverse().map((event) => [event.eventId, event])).values()].reverse();
}

/** @throws {@link Fault} unless a receiver got each event of what was written, and those of one record in their order */
export function checkTaken(
  url: string,
  taken: readonly Sent[],
  expected: ReadonlyMap<string, readonly string[]>,
): void {
  const first = new Map<string, string[]>();
  for (const { type, subject } of firstOfEach(taken))
    first.set(subject, [...(first.get(subject) ?? []), type]);
  for (const subject of new Set([...first.keys(), ...expected.keys()])) {
    const [got, due] = [first.get(subject) ?? [], expected.get(subject) ?? []];
    if (got.join() !== due.join())
      throw new Fault(`${url} got ${got.join(', ')} about ${subject}, expected ${due.join(', ')}`);
  }
}
