/** Runs steps in a world and compares each answer with the model. */

import { actions, pageActions, raceActions, ruleActions } from './actions/all-actions.js';
import { type Answer, type Call, Fault, isSentAgain } from './calls.js';
import { modelOf } from './crowd.js';
import { deliver, events } from './events.js';
import { type Answered, isUnavailable, judgeAny, judged, requireWait } from './judge.js';
import type { Model } from './model.js';
import { requireSentence } from './sentences.js';
import { disable } from './webhook-model.js';
import { Random } from './random.js';
import {
  type WorldSettings,
  drawListSettings,
  drawRuleSettings,
  drawSettings,
  mostSteps,
} from './settings.js';
import {
  type DrawnCall,
  type FailureOf,
  type RunOf,
  callDrawer,
  lineOf,
  messageOf,
  requestsOf,
  weighted,
} from './steps.js';
import { Watch, requireFewCalls, requireNoLeak } from './watch.js';
import { World } from './world.js';

/** What happens in one step: calls that are sent together, or something around the service. */
export type Step =
  { readonly calls: readonly DrawnCall[] } | { readonly event: string; readonly seed: number };

export type Run = RunOf<WorldSettings, Step>;
export type Failure = FailureOf<Run>;

export function drawRun(seed: number, count: number): Run {
  const random = new Random(seed);
  const settings = drawSettings(random);
  const drawCall = callDrawer(random, actions, settings.instances);
  const eventNames = weighted(Object.entries(events).map(([name, { weight }]) => [name, weight] as const));
  const steps = Array.from({ length: mostSteps(settings, count) }, (): Step => {
    if (random.chance(0.15)) return { event: random.pick(eventNames) ?? '', seed: random.whole(0, 2 ** 31) };
    return { calls: Array.from({ length: random.chance(0.15) ? random.whole(2, 3) : 1 }, drawCall) };
  });
  return { seed, settings, steps };
}

/** What brings about callers of all kinds, and records of theirs. */
const beginning = [
  ...['login', 'login', 'createApiKey', 'createApiKey'],
  ...Array.from({ length: 5 }, () => 'createUser'),
  ...Array.from({ length: 6 }, () => 'login'),
  ...['createProduct', 'createProduct'],
  ...Array.from({ length: 5 }, () => 'createOrder'),
];

/** Draws a world for the rules: who may do what, in which state, and what each answer has. */
export const drawRuleRun = (seed: number, count: number): Run =>
  drawDense(seed, count, drawRuleSettings, ruleActions);

/** Draws a world for the pages of lists. */
export const drawListRun = (seed: number, count: number): Run =>
  drawDense(seed, count, drawListSettings, pageActions);

function drawDense(
  seed: number,
  count: number,
  draw: (random: Random) => WorldSettings,
  drawn: typeof ruleActions,
): Run {
  const random = new Random(seed);
  const settings = draw(random);
  const drawCall = callDrawer(random, drawn, settings.instances);
  const drawRace = callDrawer(random, raceActions, settings.instances);
  const start = beginning.map((action) => ({ action, seed: random.whole(0, 2 ** 31), instance: 0 }));
  const steps = Array.from({ length: count }, (_, place): Step => {
    const first = start[place];
    if (first !== undefined) return { calls: [first] };
    if (random.chance(0.01)) return { event: 'time', seed: random.whole(0, 2 ** 31) };
    // The same write several times at once: of those from one state, one is done.
    if (random.chance(0.06)) return { calls: Array<DrawnCall>(3).fill(drawRace()) };
    const call = drawCall();
    return { calls: random.chance(0.06) ? [call, drawCall()] : [call] };
  });
  return { seed, settings, steps };
}

/**
 * @param log - gets the requests with their answers
 * @param observe - gets each request, and again with its answer
 * @returns undefined if nothing is wrong
 */
export async function play(
  run: Run,
  log: string[] = [],
  observe?: (call: Call, answer?: Answer) => void,
): Promise<Failure | undefined> {
  const watch = new Watch();
  const world = new World(run.settings, run.seed);
  world.observe = observe;
  let taken = 0;
  try {
    await world.open();
    let models: readonly Model[] = [modelOf(run.settings, world.webhooks, world.now)];
    for (const step of run.steps) {
      taken += 1;
      models = await take(step, world, models, log, observe);
      for (const model of models) {
        model.now = world.now;
        noteGone(world, model);
      }
      watch.check(world);
    }
    await settle(world, models);
    watch.check(world);
    await world.close();
    await watch.end(world);
    return undefined;
  } catch (error) {
    const message = error instanceof Fault ? messageOf(error) : String((error as Error).stack);
    return { run, message, taken, log: log.slice(-12) };
  } finally {
    await world.close();
    watch.close();
  }
}

/** A webhook whose receiver has given a reason may be disabled. */
function noteGone({ receivers }: World, { webhooks }: Model): void {
  for (const webhook of webhooks.values())
    if (webhook.status === 'active' && receivers.gone.has(new URL(webhook.url).host))
      disable(webhook, 'unsure');
}

async function take(
  step: Step,
  world: World,
  models: readonly Model[],
  log: string[],
  observe: Parameters<typeof play>[2],
): Promise<readonly Model[]> {
  const [model] = models;
  if (model === undefined) throw new Error('no model is left');
  if ('event' in step) {
    world.store.heal();
    const event = events[step.event];
    const outcome = await event?.take(world, model, new Random(step.seed));
    if (event?.changes !== undefined) models.forEach(event.changes);
    log.push(step.event);
    judgeAny(models, (each) => event?.judge?.(each, outcome));
    return models;
  }
  const requests = requestsOf(step.calls, model);
  const isAlone = requests.length === 1;
  // Beside others, what is sent again may be refused although it was done: its caller's session has ended in between.
  const drawn = requests.map((each) => (isAlone ? each : { ...each, call: staying(each.call) }));
  world.hooks.mayChange = drawn.every(({ call }) => call.headers?.['idempotency-key'] === undefined);
  if (isAlone && drawn[0]?.call.isRepeated === true) {
    world.store.heal();
    world.store.loseAnswerAfter(0);
  }
  // Nothing of the steps before is left to do. A slow store of the deployer gets its calls later than they are made.
  const isRead = isAlone && isQuery(drawn[0]?.call) && world.settings.ownStores.length === 0;
  if (isRead) await world.pass(0);
  const began = world.now;
  world.store.takeCalls();
  const known = models.map(({ sessions }) => new Set(sessions.keys()));
  const sent = drawn.map(({ action, call, instance }) => {
    return { action, call, answer: world.send(call, model, instance) };
  });
  const all: Answered[] = [];
  for (const { action, call, answer } of sent) {
    const answered = await world.answered(answer);
    if (answered === 'late') throw new Fault(`no answer to ${call.method} ${call.path} in a minute`);
    all.push({ action, call, answer: answered });
  }
  for (const { action, call, answer } of all) log.push(lineOf(action, call, answer));
  for (const { call, answer } of all) observe?.(call, answer);
  for (const { call, answer } of all) {
    requireWait(answer);
    requireNoLeak(call, answer);
  }
  if (all.length > 0) requireFewCalls(world.store.takeCalls(), all.length, model);
  if (isRead) {
    await world.pass(0);
    const calls = world.store.takeCalls();
    if (calls > 0) throw new Fault(`${String(calls)} calls of the store after the answer to a query`);
  }
  const wasDown = world.store.heal();
  const { failed, changed } = world.hooks.take();
  const byHooks = all.filter(({ answer }) => failed > 0 && world.hooks.explains(answer.status, answer.text));
  const isRepeated = all.some(({ call }) => isSentAgain(call));
  // A unit of work may catch that, and fails for that or for another reason.
  const isUndone = all.some(({ call, answer }) => call.unit !== undefined && answer.status >= 400);
  if (failed > 0 && byHooks.length === 0 && !wasDown && !isRepeated && !isUndone)
    throw new Fault('a write went on although its hook had failed');
  // Nothing was stored for what was answered so.
  const answered = all
    .filter((each) => !byHooks.includes(each) && (!wasDown || !isUnavailable(each.answer)))
    .map((each) => ({ ...each, call: asChanged(each.call, changed) }));
  for (const { call, answer } of answered) requireSentence(call, answer);
  const next = judged(models, answered);
  // When exactly it was issued is not known, so when it ends is not either.
  if (world.now !== began) for (const each of next) forgetOthers(each, known);
  return next;
}

const staying = (call: Call): Call => ({ ...call, leavesAfter: undefined });

/** Whether a request is a query over GraphQL, after whose answer there is nothing to do. */
const isQuery = (call: Call | undefined): boolean =>
  call?.path === '/graphql' && !(call.body as { readonly query: string }).query.includes('mutation');

function forgetOthers({ sessions }: Model, known: readonly ReadonlySet<string>[]): void {
  for (const key of sessions.keys()) if (!known.some((keys) => keys.has(key))) sessions.delete(key);
}

/** A request as the hooks have changed its texts. */
function asChanged(call: Call, changed: ReadonlyMap<string, string>): Call {
  if (changed.size === 0) return call;
  const replaced = (_: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || 'quantity' in value)
      return value;
    const { name, title } = value as { readonly name?: unknown; readonly title?: unknown };
    const [newName, newTitle] = [changed.get(String(name)), changed.get(String(title))];
    return {
      ...value,
      ...(newName !== undefined && { name: newName }),
      ...(newTitle !== undefined && { title: newTitle }),
    };
  };
  const { body, unit } = JSON.parse(JSON.stringify({ body: call.body, unit: call.unit }), replaced) as Call;
  return { ...call, ...(body !== undefined && { body }), ...(unit !== undefined && { unit }) };
}

/** Waits for what must come in the end. */
async function settle(world: World, models: readonly Model[]): Promise<void> {
  for (const neighbour of Object.values(world.neighbours)) neighbour.heal();
  world.store.heal();
  // The posts are the same in all of them; the order of other writes need not be.
  if (models[0] !== undefined) await world.subscribers.check(models[0]);
  judgeAny(models, (model) => {
    world.hooks.check(model);
  });
  if (!world.settings.outbox) return;
  for (let waits = 0; waits < 100; waits += 1) {
    await deliver(world, 0);
    if ((await world.services(0).outbox.waiting()).count === 0) break;
    await world.timers.pass(3_600_000);
  }
  judgeAny(models, (model) => {
    world.receivers.check(model);
  });
}
