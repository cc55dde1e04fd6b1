/** Runs steps in a world and compares each answer with the model. */

import { isDeepStrictEqual } from 'node:util';
import { setImmediate as turn } from 'node:timers/promises';
import { createComment } from './actions/comments.js';
import { UNREAD_AUTHOR, addPost, graphqlActions } from './actions/graphql.js';
import { graphqlReadActions } from './actions/graphql-reads.js';
import { listActions } from './actions/lists.js';
import { orderActions } from './actions/orders.js';
import { otherActions } from './actions/others.js';
import { productActions } from './actions/products.js';
import { addUser, userActions } from './actions/users.js';
import { userListActions } from './actions/user-lists.js';
import { signInActions } from './actions/sign-in.js';
import { type Action, type Answer, type Call, Fault } from './calls.js';
import { type Model, emptyModel } from './model.js';
import { Random } from './random.js';
import { World, type WorldSettings, drawSettings } from './world.js';

export const actions = [
  ...userActions,
  ...signInActions,
  ...orderActions,
  createComment,
  ...productActions,
  ...graphqlActions,
  ...graphqlReadActions,
  ...userListActions,
  ...listActions,
  ...otherActions,
];

/** What happens in one step: calls that are sent together, or something around the service. */
export type Step =
  | {
      readonly calls: readonly {
        readonly action: string;
        readonly seed: number;
        readonly instance: number;
      }[];
    }
  | {
      readonly event: 'outage' | 'time' | 'join' | 'leave' | 'come back' | 'deliver' | 'receivers';
      readonly seed: number;
    };

export interface Run {
  readonly seed: number;
  readonly settings: WorldSettings;
  readonly steps: readonly Step[];
}

export interface Failure {
  readonly run: Run;
  readonly message: string;
  /** The requests of the last steps, and what they got. */
  readonly log: readonly string[];
}

export function drawRun(seed: number, count: number): Run {
  const random = new Random(seed);
  const settings = drawSettings(random);
  const weights = actions.flatMap(({ name, weight }) => Array.from({ length: weight }, () => name));
  const drawCall = () => ({
    action: random.pick(weights) ?? '',
    seed: random.whole(0, 2 ** 31),
    instance: random.whole(0, settings.instances - 1),
  });
  const steps = Array.from({ length: count }, (): Step => {
    if (random.chance(0.15)) {
      const event = random.pick([
        'outage',
        'time',
        'time',
        'join',
        'leave',
        'come back',
        'deliver',
        'receivers',
      ] as const);
      return { event, seed: random.whole(0, 2 ** 31) };
    }
    return { calls: Array.from({ length: random.chance(0.15) ? random.whole(2, 3) : 1 }, drawCall) };
  });
  return { seed, settings, steps };
}

/** @param log - gets the requests with their answers. @returns undefined if nothing is wrong */
export async function play(run: Run, log: string[] = []): Promise<Failure | undefined> {
  const world = new World(run.settings, run.seed);
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  try {
    await world.open();
    let models = [await firstModel(world)];
    for (const step of run.steps) {
      models = await take(step, world, models, log);
      for (const model of models) model.now = world.now;
      const [problem] = [...world.reports, ...rejections];
      if (problem !== undefined) throw new Fault('an error was masked or not handled', { cause: problem });
    }
    await settle(world, models);
    return undefined;
  } catch (error) {
    const message = error instanceof Fault ? messageOf(error) : String((error as Error).stack);
    return { run, message, log: log.slice(-12) };
  } finally {
    await world.close();
    await turn();
    process.off('unhandledRejection', onRejection);
  }
}

export function messageOf({ message, cause }: Fault): string {
  return cause instanceof Error ? `${message}: ${String(cause.stack)}` : message;
}

async function firstModel(world: World): Promise<Model> {
  await world.prepare();
  return modelOfStart(world.settings, world.now);
}

/** The first admin, whom the deployer makes, with their posts. */
export function modelOfStart({ policy, crowd }: Pick<WorldSettings, 'policy' | 'crowd'>, now: number): Model {
  const model = emptyModel(policy, now);
  const admin = {
    name: 'Root',
    email: 'root@example.com',
    password: 'password root',
    role: 'admin',
  } as const;
  addUser(model, '1', admin);
  model.last['user'] = 1;
  for (let count = 1; count <= crowd; count += 1) {
    addPost(model, String(count), { title: 'one of many', content: 'x' }, '1');
  }
  model.written.clear();
  return model;
}

async function take(step: Step, world: World, models: readonly Model[], log: string[]): Promise<Model[]> {
  const [model] = models;
  if (model === undefined) throw new Error('no model is left');
  if ('event' in step) {
    await takeEvent(step, world, model);
    log.push(step.event);
    return [...models];
  }
  const sent: { readonly action: Action; readonly call: Call; readonly answer: Promise<Answer> }[] = [];
  for (const { action: name, seed, instance } of step.calls) {
    const action = actions.find((each) => each.name === name);
    const call = action?.draw(new Random(seed), model);
    if (action !== undefined && call !== undefined)
      sent.push({ action, call, answer: world.send(call, model, instance) });
  }
  const all: Answered[] = [];
  for (const { action, call, answer } of sent) all.push({ action, call, answer: await answer });
  for (const { answer } of all) requireWait(answer);
  const wasDown = world.store.heal();
  // Nothing was stored for what was answered so.
  const answered = all.filter(({ answer }) => !wasDown || !isUnavailable(answer));
  for (const { action, call, answer } of all) log.push(lineOf(action, call, answer));
  return judged(models, answered);
}

/** @throws {@link Fault} for an outage that does not say when to try again */
export function requireWait({ status, headers, text }: Answer): void {
  const isNothing =
    status === 200 &&
    /^\{"errors":\[\{"message":"[^"]*","locations":\[[^\]]*\],"path":\["\w+"\],"extensions":\{"code":"SERVICE_UNAVAILABLE"/.test(
      text,
    );
  if (isNothing && text.endsWith('"data":null}')) throw new Fault('an outage over GraphQL is no 503');
  if (status === 503 && headers.get('retry-after') === null) throw new Fault('a 503 has no Retry-After');
}

export const isUnavailable = ({ status, text }: Answer): boolean =>
  status === 503 || (text.includes('"SERVICE_UNAVAILABLE"') && !text.includes(UNREAD_AUTHOR));

export interface Answered {
  readonly action: Action;
  readonly call: Call;
  readonly answer: Answer;
}

export function lineOf(
  { name }: Action,
  { method, path, sender, headers, body }: Call,
  { status, text }: Answer,
): string {
  const sent = [JSON.stringify(sender), JSON.stringify(headers), JSON.stringify(body)]
    .join(' ')
    .slice(0, 400);
  const line = `${name}: ${method} ${path} ${sent}\n    ${String(status)} ${text.slice(0, 1500)}`;
  // Version 2 says the time of the machine.
  const timeless = line.replace(/"timestamp":"[^"]*"/, '"timestamp":"now"');
  return timeless.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]{40,}?([\w-]{3})\b/g, 'token-$1');
}

/**
 * Requests that were sent together may have happened in any order.
 *
 * @returns the models of the orders that explain the answers
 * @throws the {@link Fault} of the first order if none does
 */
export function judged(models: readonly Model[], answered: readonly Answered[]): Model[] {
  const possible: Model[] = [];
  let first: unknown;
  for (const model of models) {
    for (const callers of answered.length === 1 ? [undefined] : [undefined, structuredClone(model)]) {
      if (callers !== undefined && possible.length > 0) break;
      for (const order of ordersOf(answered)) {
        const next = models.length === 1 && answered.length === 1 ? model : structuredClone(model);
        next.callers = callers;
        try {
          for (const { action, call, answer } of order) action.judge(next, call, answer);
          next.callers = undefined;
          if (!possible.some((other) => isDeepStrictEqual(other, next))) possible.push(next);
        } catch (error) {
          first ??= error;
        }
      }
    }
  }
  if (possible.length === 0) throw first;
  return possible;
}

function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

async function takeEvent(
  { event, seed }: Extract<Step, { event: unknown }>,
  world: World,
  model: Model,
): Promise<void> {
  const random = new Random(seed);
  const instance = random.whole(0, 9);
  world.store.heal();
  if (event === 'outage') world.store.stopAfter(random.whole(0, 6));
  else if (event === 'time') world.pass(random.pick([1, 999, 1_000, 61_000, 16 * 60_000, 25 * 3_600_000]));
  else if (event === 'join') await world.subscribers.join(model, instance);
  else if (event === 'leave') await world.subscribers.leave(instance);
  else if (event === 'come back') await world.subscribers.comeBack(model, instance);
  else if (event === 'receivers') world.receivers.change(random);
  else if (world.settings.outbox) await world.services(instance).outbox.deliverDue();
}

/** @throws the {@link Fault} of the first model unless one of them fits */
export function judgeAny(models: readonly Model[], judge: (model: Model) => void): void {
  const faults: unknown[] = [];
  for (const model of models) {
    try {
      judge(model);
      return;
    } catch (error) {
      faults.push(error);
    }
  }
  throw faults[0];
}

/** Waits for what must come in the end. */
async function settle(world: World, models: readonly Model[]): Promise<void> {
  // The posts are the same in all of them; the order of other writes need not be.
  if (models[0] !== undefined) await world.subscribers.check(models[0]);
  if (!world.settings.outbox) return;
  world.receivers.heal();
  for (let waits = 0; waits < 100; waits += 1) {
    await world.services(0).outbox.deliverDue();
    if ((await world.services(0).outbox.waiting()).count === 0) break;
    world.pass(3_600_000);
  }
  judgeAny(models, ({ written }) => {
    world.receivers.check(written);
  });
}
