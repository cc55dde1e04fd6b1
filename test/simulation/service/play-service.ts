/** Runs steps in a world of the whole service, and compares each answer with the model. */

import { setTimeout as sleep } from 'node:timers/promises';
import { redisAbsence } from '../../support/redis-server.js';
import { until } from '../../support/until.js';
import { type Action, type Answer, type Call, Fault } from '../calls.js';
import type { Model } from '../model.js';
import { Random } from '../random.js';
import { type Shrinking } from '../shrink.js';
import {
  type Answered,
  actions,
  isUnavailable,
  judgeAny,
  judged,
  lineOf,
  messageOf,
  modelOfStart,
  requireWait,
} from '../simulate.js';
import { expectContents, readContents } from './contents.js';
import { type Lost, judgedWithLost, possibleAnswers } from './lost.js';
import { type ServiceSettings, ServiceWorld } from './service-world.js';
import { UNKNOWN_OUTCOME } from './watch.js';

const events = [
  ...(['join', 'join', 'join by socket', 'join by socket', 'leave', 'leave by socket', 'come back'] as const),
  ...([
    'stall',
    'read again',
    'receivers',
    'receivers',
    'rude client',
    'rude client',
    'rude client',
  ] as const),
  ...(['restart', 'kill', 'start', 'back up', 'restore', 'move', 'broker ends', 'broker comes'] as const),
] as const;

interface DrawnCall {
  readonly action: string;
  readonly seed: number;
  readonly instance: number;
}

export type ServiceStep =
  | {
      readonly calls: readonly DrawnCall[];
      /** What is killed while they are on their way, after so many milliseconds. */
      readonly kill?: { readonly what: 'service' | 'database'; readonly afterMs: number };
    }
  | { readonly event: (typeof events)[number]; readonly seed: number };

export interface ServiceRun {
  readonly seed: number;
  readonly settings: ServiceSettings;
  readonly steps: readonly ServiceStep[];
}

export interface ServiceFailure {
  readonly run: ServiceRun;
  readonly message: string;
  readonly log: readonly string[];
}

/** A call whose answer is lost must be repeated or be found in what is stored, which a new key's secret is not. */
const isLosable = (name: string): boolean => name !== 'createApiKey';

export function drawServiceRun(store: ServiceSettings['store'], seed: number, count: number): ServiceRun {
  const random = new Random(seed);
  const redis = random.chance(0.6) && redisAbsence === undefined;
  const most = store === 'postgres' || redis ? 3 : 1;
  const settings: ServiceSettings = {
    store,
    redis,
    policy: random.pick(['open', 'protected']),
    instances: random.whole(1, most),
    outbox: random.chance(0.7),
    signInForm: random.pick(['pair', 'single']),
    crowd: random.pick([0, 0, 60, 400]),
  };
  const weights = actions.flatMap(({ name, weight }) => Array.from({ length: weight }, () => name));
  const drawCall = (names: readonly string[]): DrawnCall => ({
    action: random.pick(names) ?? '',
    seed: random.whole(0, 2 ** 31),
    instance: random.whole(0, settings.instances - 1),
  });
  const calls = (least: number, most: number, names: readonly string[]): readonly DrawnCall[] =>
    Array.from({ length: random.whole(least, most) }, () => drawCall(names));
  const losable = weights.filter(isLosable);
  const steps = Array.from({ length: count }, (): ServiceStep => {
    const chosen = random.next();
    if (chosen < 0.15) return { event: random.pick(events), seed: random.whole(0, 2 ** 31) };
    if (chosen > 0.04 + 0.15)
      return { calls: random.chance(0.15) ? calls(2, 3, weights) : calls(1, 1, weights) };
    const what = store === 'postgres' && random.chance(0.4) ? 'database' : 'service';
    return { calls: calls(1, 3, losable), kill: { what, afterMs: random.whole(0, 40) } };
  });
  return { seed, settings, steps };
}

/** A backup with the models of its moment. */
interface Backup {
  readonly file: string;
  readonly models: readonly Model[];
}

/** @param report - gets the longest time of an answer, in milliseconds */
export async function playService(
  run: ServiceRun,
  log: string[] = [],
  report: (slowestMs: number) => void = () => undefined,
): Promise<ServiceFailure | undefined> {
  const world = new ServiceWorld(run.settings);
  try {
    await world.open();
    const start = modelOfStart(run.settings, world.now);
    // The key that reads all.
    start.last['key'] = 1;
    const player = new Player(world, [start], log);
    for (const step of run.steps) {
      await player.take(step);
      world.watch.check();
      world.checkTimes();
      world.receivers.checkRequests();
    }
    await player.settle();
    report(world.slowest);
    return undefined;
  } catch (error) {
    const message = error instanceof Fault ? messageOf(error) : String((error as Error).stack);
    return { run, message, log: [...log.slice(-12), ...world.watch.lines.slice(-15)] };
  } finally {
    await world.close();
  }
}

class Player {
  #backup: Backup | undefined;
  #isBrokerDown = false;

  constructor(
    private readonly world: ServiceWorld,
    private models: Model[],
    private readonly log: string[],
  ) {}

  /** The model that requests are drawn from. */
  #model(): Model {
    const [model] = this.models;
    if (model === undefined) throw new Error('no model is left');
    return model;
  }

  async take(step: ServiceStep): Promise<void> {
    for (const model of this.models) model.now = this.world.now;
    if ('event' in step) {
      const random = new Random(step.seed);
      const detail = await this.#happen(step.event, random);
      this.log.push(`${step.event} ${detail ?? ''}`);
      return;
    }
    const sent: { readonly action: Action; readonly call: Call; readonly instance: number }[] = [];
    for (const { action: name, seed, instance } of step.calls) {
      const action = actions.find((each) => each.name === name);
      const call = action?.draw(new Random(seed), this.#model());
      if (action !== undefined && call !== undefined) sent.push({ action, call, instance });
    }
    const sending = sent.map(({ call, instance }) => this.world.send(call, this.#model(), instance));
    if (step.kill !== undefined) {
      await sleep(step.kill.afterMs);
      this.log.push(`kill ${step.kill.what} ${String(step.kill.afterMs)} ms after the next`);
      if (step.kill.what === 'database') await this.world.killServer('database');
      else await this.world.kill(step.calls[0]?.instance ?? 0);
    }
    const answers = await Promise.all(sending);
    for (const [index, { action, call }] of sent.entries())
      this.log.push(
        answers[index] ? lineOf(action, call, answers[index]) : `no answer to ${shown(action, call)}`,
      );
    if (step.kill === undefined) this.#judge(sent, answers);
    else await this.#judgeKilled(step.kill.what, sent, answers);
  }

  #judge(sent: readonly Pick<Answered, 'action' | 'call'>[], answers: readonly (Answer | undefined)[]): void {
    const answered = sent.map(({ action, call }, index) => {
      const answer = answers[index];
      if (answer === undefined) throw new Fault(`${shown(action, call)} got no answer`);
      return { action, call, answer };
    });
    this.models = judged(this.models, answered);
  }

  /** What was not answered was done or not; what is stored now tells. */
  async #judgeKilled(
    what: 'service' | 'database',
    sent: readonly (Pick<Answered, 'action' | 'call'> & { readonly instance: number })[],
    answers: readonly (Answer | undefined)[],
  ): Promise<void> {
    if (what === 'database') {
      await this.#noteUnready();
      await this.world.restartServer('database');
    }
    await this.world.startAll();
    await this.#untilReady();
    const model = this.#model();
    const [answered, lost]: [Answered[], Lost[]] = [[], []];
    const unanswered: (typeof sent)[number][] = [];
    for (const [index, each] of sent.entries()) {
      const { action, call, instance } = each;
      const answer = answers[index];
      if (answer !== undefined && what === 'database') requireWait(answer);
      if (answer !== undefined && !answer.text.includes(UNKNOWN_OUTCOME)) {
        // Nothing was stored for what was answered so.
        if (what !== 'database' || !isUnavailable(answer)) answered.push({ action, call, answer });
      } else if (call.headers?.['idempotency-key'] !== undefined) {
        const again = await this.#repeat(call, instance);
        this.log.push(`again ${lineOf(action, call, again)}`);
        answered.push({ action, call, answer: again });
      } else unanswered.push(each);
    }
    const contents = await readContents(this.world.read);
    for (const { action, call } of unanswered) {
      lost.push({ action, call, answers: await possibleAnswers(call, model, contents, this.world.read) });
      // It may have counted.
      if (call.path.startsWith('/api/auth/login'))
        for (const each of this.models) each.failed.push({ email: '', at: each.now });
    }
    this.models = judgedWithLost(this.models, answered, lost, contents);
  }

  /** Sends a request with its key again until it is not in flight any more. */
  async #repeat(call: Call, instance: number): Promise<Answer> {
    const answer = await this.world.send(call, this.#model(), instance);
    if (answer === undefined) throw new Fault(`the repeat of ${call.path} got no answer`);
    return answer;
  }

  async #noteUnready(): Promise<void> {
    await until('/readyz says that the database does not answer', async () =>
      (await this.world.readiness()).every(([status]) => status === 503),
    );
  }

  async #untilReady(): Promise<void> {
    await until('the service is ready', async () =>
      (await this.world.readiness()).every(([status]) => status === 200),
    );
  }

  async #happen(event: (typeof events)[number], random: Random): Promise<string | undefined> {
    const { world } = this;
    const [model, index] = [this.#model(), random.whole(0, 9)];
    switch (event) {
      case 'join':
        return void (await world.events.join(model, index));
      case 'join by socket':
        return void (await world.sockets.join(model, index));
      case 'leave':
        return void (await world.events.leave(index));
      case 'leave by socket':
        return void (await world.sockets.leave(index));
      case 'come back':
        await world.events.comeBack(model, index);
        return void (await world.sockets.comeBack(model, index));
      case 'stall':
        return void world.sockets.stall(index);
      case 'read again':
        return void world.sockets.resume();
      case 'receivers':
        return void world.receivers.change(random);
      case 'rude client':
        return await world.rude.come(random, world.instance(index).url);
      case 'restart':
        return void (await world.restart(index));
      case 'kill':
        await world.kill(index);
        // With others, it may be away for a while.
        if (world.settings.instances === 1 || random.chance(0.5)) await world.startAll();
        return undefined;
      case 'start':
        return void (await world.startAll());
      case 'broker ends':
        if (!world.hasServer.broker || this.#isBrokerDown) return 'not';
        this.#isBrokerDown = true;
        await world.killServer('broker');
        // Requests succeed without it.
        await until('/readyz warns of the broker', async () =>
          (await world.readiness()).every(([status, text]) => status === 200 && text.includes('warnings')),
        );
        return undefined;
      case 'broker comes':
        return void (await this.#bringBroker());
      case 'back up':
        return await this.#backUp();
      case 'restore':
        return await this.#restore();
      case 'move':
        if (this.#isBrokerDown) await this.#bringBroker();
        return void (await world.move());
    }
  }

  async #bringBroker(): Promise<void> {
    if (!this.#isBrokerDown) return;
    this.#isBrokerDown = false;
    await this.world.restartServer('broker');
    await this.#untilReady();
  }

  async #backUp(): Promise<string> {
    if (this.world.settings.store !== 'sqlite') return 'not';
    const file = this.world.file(`backup-${String(Math.random()).slice(2)}.db`);
    await this.world.command('backup', file);
    this.#backup = { file, models: structuredClone(this.models) };
    return '';
  }

  async #restore(): Promise<string> {
    if (this.#backup === undefined) return 'not';
    const { file, models } = this.#backup;
    await this.#bringBroker();
    await this.world.stopAll();
    await this.world.command('restore', file);
    this.models = structuredClone([...models]);
    // What they got since is undone, and its ids are given again.
    await this.world.events.close();
    await this.world.sockets.close();
    this.world.receivers.restore(this.#model().written);
    await this.world.startAll();
    return '';
  }

  /** Waits for what must come in the end. */
  async settle(): Promise<void> {
    const { world } = this;
    await this.#bringBroker();
    await world.startAll();
    await world.probe();
    world.receivers.heal();
    world.sockets.resume();
    await world.events.check(this.#model());
    await world.sockets.check(this.#model());
    const contents = await readContents(world.read);
    judgeAny(this.models, (model) => {
      expectContents(model, contents);
    });
    await this.#leave();
    await world.stopAll();
    world.watch.check();
    if (!world.settings.outbox) return;
    await world.deliverAll();
    world.receivers.checkRequests();
    judgeAny(this.models, ({ written }) => {
      world.receivers.check(written);
    });
  }

  /** All clients leave, and the processes have no more open than in the beginning, but for the connections to their servers. */
  async #leave(): Promise<void> {
    const { world } = this;
    world.rude.leave();
    await world.events.close();
    await world.sockets.close();
    await until('the connections are closed', () => {
      for (let index = 0; index < world.settings.instances; index += 1) {
        for (const [, more] of world.leftOpen(index)) if (more > 12) return false;
      }
      return true;
    });
  }
}

function shown({ name }: Action, { method, path, body }: Call): string {
  return `${name}: ${method} ${path} ${JSON.stringify(body)}`.slice(0, 400);
}

const plainerWorlds: readonly Partial<ServiceSettings>[] = [
  { instances: 1 },
  { outbox: false },
  { redis: false },
  { crowd: 0 },
  { policy: 'open' },
  { signInForm: 'pair' },
];

export const shrinkingOfService: Shrinking<ServiceRun> = { play: playService, plainer: plainerWorlds };
