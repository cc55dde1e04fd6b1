/** The steps of a run: how calls are drawn and become requests, and how these are shown. */

import { actions } from './actions/all-actions.js';
import type { Action, Answer, Call, Fault } from './calls.js';
import { withFields } from './fields.js';
import type { Model } from './model.js';
import { Random } from './random.js';

export interface DrawnCall {
  readonly action: string;
  readonly seed: number;
  readonly instance: number;
}

export interface RunOf<Settings, Step> {
  readonly seed: number;
  readonly settings: Settings;
  readonly steps: readonly Step[];
}

export interface FailureOf<Run> {
  readonly run: Run;
  readonly message: string;
  /** The number of steps that were taken, the last of which failed. */
  readonly taken: number;
  /** The requests of the last steps, and what they got. */
  readonly log: readonly string[];
}

/** Each name as often as its weight says. */
export function weighted(all: Iterable<readonly [name: string, weight: number]>): readonly string[] {
  return [...all].flatMap(([name, weight]) => Array.from({ length: weight }, () => name));
}

/** @returns what draws a call of one of the actions, as often as their weights say, to one of the instances */
export function callDrawer(
  random: Random,
  drawn: readonly Pick<Action, 'name' | 'weight'>[],
  instances: number,
): () => DrawnCall {
  const names = weighted(drawn.map(({ name, weight }) => [name, weight] as const));
  return () => ({
    action: random.pick(names) ?? '',
    seed: random.whole(0, 2 ** 31),
    instance: random.whole(0, instances - 1),
  });
}

export interface DrawnRequest {
  readonly action: Action;
  readonly call: Call;
  readonly instance: number;
}

/** The requests of calls, without those for which the model has nothing. */
export function requestsOf(calls: readonly DrawnCall[], model: Model): readonly DrawnRequest[] {
  return calls.flatMap(({ action: name, seed, instance }) => {
    const action = actions.find((each) => each.name === name);
    const random = new Random(seed);
    const plain = action?.draw(random, model);
    const call = plain && model.hasFields ? withFields(random, model, plain) : plain;
    return action === undefined || call === undefined ? [] : [{ action, call, instance }];
  });
}

export function lineOf(
  { name }: Action,
  { method, path, sender, headers, body, unit }: Call,
  { status, text }: Answer,
): string {
  const sent = [JSON.stringify(sender), JSON.stringify(headers), JSON.stringify(body ?? unit)]
    .join(' ')
    .slice(0, 400);
  const line = `${name}: ${method} ${path} ${sent}\n    ${String(status)} ${text.slice(0, 1500)}`;
  // Version 2 says the time of the machine.
  const timeless = line.replace(/"timestamp":"[^"]*"/, '"timestamp":"now"');
  return timeless.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]{40,}?([\w-]{3})\b/g, 'token-$1');
}

export function messageOf({ message, cause }: Fault): string {
  return cause instanceof Error ? `${message}: ${String(cause.stack)}` : message;
}
