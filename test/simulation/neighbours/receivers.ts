/** Receivers of webhooks that take events, refuse them, answer strangely, late or not at all. */

import { createHmac } from 'node:crypto';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { WebhookSender } from '@concordat/core';
import { Fault } from '../calls.js';
import type { Model } from '../model.js';
import type { Webhook } from '../webhook-model.js';
import type { Random } from '../random.js';
import { type Neighbour, forEver } from './neighbour.js';

export interface Sent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
}

/** An event is tried eleven times before its webhook is disabled. */
const mostAttempts = 11;

export class Receivers implements Neighbour, WebhookSender {
  /** The events that each host has taken, in their order; one that came twice is there twice. */
  readonly #taken = new Map<string, Sent[]>();
  /** How a host that misbehaves does so. */
  readonly #moods = new Map<string, string>();
  readonly #refused = new Map<string, number>();
  /** The hosts that may have been disabled: they said that they are gone, or refused an event too often. */
  readonly gone = new Set<string>();
  /** All bodies, for checks of what they may not have. */
  readonly bodies: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly now: () => number,
  ) {}

  change(random: Random): void {
    const moods = [
      'well',
      'well',
      '500',
      '101',
      '302',
      '410',
      'throws',
      'sometimes',
      'twice',
      'late',
      'hangs',
      'hangs',
    ];
    for (const host of this.#taken.keys()) this.#moods.set(host, random.pick(moods) ?? 'well');
  }

  heal(): void {
    this.#moods.clear();
  }

  refusal(url: string): Promise<string | undefined> {
    return Promise.resolve(url.includes('private') ? 'must not be private' : undefined);
  }

  async send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
    const { host } = new URL(url);
    if (!this.#taken.has(host)) this.#taken.set(host, []);
    let mood = this.#moods.get(host) ?? 'well';
    await turn();
    if (mood === 'sometimes') mood = this.random.pick(['well', '500', 'throws']);
    if (mood === 'late') await sleep(9_000, undefined, { ref: false });
    if (mood === 'hangs') {
      this.#refuse(host, body);
      await forEver;
    }
    // It has taken the event, and the sender does not learn of it.
    if (mood === 'twice') this.#take(host, headers, body);
    if (mood === 'well' || mood === 'late') {
      this.#take(host, headers, body);
      return 204;
    }
    this.#refuse(host, body);
    if (mood === 'throws' || mood === 'twice') throw new Error('the connection was reset');
    if (mood === '410') this.gone.add(host);
    return Number(mood);
  }

  close(): void {
    this.#moods.clear();
  }

  #refuse(host: string, body: string): void {
    const key = `${host} ${(JSON.parse(body) as Sent).id}`;
    const count = (this.#refused.get(key) ?? 0) + 1;
    this.#refused.set(key, count);
    if (count >= mostAttempts) this.gone.add(host);
  }

  #take(host: string, headers: Readonly<Record<string, string>>, body: string): void {
    this.bodies.push(body);
    const event = JSON.parse(body) as Sent;
    this.#taken.get(host)?.push(event);
    if (headers['webhook-id'] !== event.id)
      throw new Error('the header webhook-id is not the id of the event');
    this.#signed.push({ host, headers, body, at: this.now() });
  }

  readonly #signed: {
    readonly host: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly at: number;
  }[] = [];

  /** @throws {@link Fault} unless each webhook of the model got what it must, and of one record in the order of its writes */
  check({ webhooks }: Model): void {
    for (const webhook of webhooks.values()) {
      const { host } = new URL(webhook.url);
      checkTaken(host, webhook, this.#taken.get(host) ?? []);
      this.#checkSignatures(webhook, host);
    }
  }

  #checkSignatures({ secrets }: Webhook, host: string): void {
    for (const { headers, body, at } of this.#signed.filter((sent) => sent.host === host)) {
      const valid = secrets.filter(({ since, until }) => since <= at && at <= until + 60_000);
      if (!valid.some(({ secret }) => isSigned(headers, body, secret)))
        throw new Fault(`${host} got an event that none of its secrets has signed`);
    }
  }
}

/** By the specification of Standard Webhooks, not by the code of the service. */
export function isSigned(
  headers: Readonly<Record<string, unknown>>,
  body: string | Buffer,
  secret: string,
): boolean {
  const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  hmac.update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`);
  const expected = `v1,${hmac.update(body).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

/** @throws {@link Fault} unless a receiver has taken what its webhook must get, and of one record in the order of its writes */
export function checkTaken(host: string, { isRepeated, due: allDue }: Webhook, taken: readonly Sent[]): void {
  const events = taken.filter(({ type }) => type !== 'webhook.test');
  // A repeat of a delivered event comes late; without one, an event comes again only before the next of its record.
  const once = isRepeated ? firstOf(events) : lastOf(events);
  const subjects = new Set([...once, ...allDue].map(({ subject }) => subject));
  for (const subject of subjects) {
    const got = once.filter((event) => event.subject === subject).map(({ type }) => type);
    const due = allDue.filter((event) => event.subject === subject);
    if (!explains(due, got)) {
      const expected = due.map(({ type, isSure }) => type + (isSure ? '' : '?')).join(', ');
      throw new Fault(`${host} got ${got.join(', ')} about ${subject}, expected ${expected}`);
    }
  }
}

/** The last of each event. */
export const lastOf = (events: readonly Sent[]): Sent[] => firstOf([...events].reverse()).reverse();

/** The first of each event. */
function firstOf(events: readonly Sent[]): Sent[] {
  const seen = new Set<string>();
  return events.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Whether events are those that were due, perhaps without those that are not sure. */
function explains(
  due: readonly { readonly type: string; readonly isSure: boolean }[],
  got: readonly string[],
): boolean {
  let places = new Set([0]);
  for (const { type, isSure } of due) {
    const next = [...places].filter((place) => got[place] === type).map((place) => place + 1);
    places = new Set([...next, ...(isSure ? [] : places)]);
  }
  return places.has(got.length);
}
