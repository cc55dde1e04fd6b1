/** Runs steps in a world of the whole service, and compares each answer with the model. */

import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.js';
import { type Action, type Answer, type Call, Fault } from '../calls.js';
import { UNREAD_AUTHOR } from '../actions/graphql.js';
import { modelOf } from '../crowd.js';
import { type Answered, isUnavailable, judgeAny, judged, requireWait } from '../judge.js';
import { type Model, isAfter } from '../model.js';
import { Random } from '../random.js';
import type { Shrinking } from '../shrink.js';
import { type DrawnRequest, lineOf, messageOf, requestsOf } from '../steps.js';
import { requireNoLeak } from '../watch.js';
import { expectContents, readContents } from './contents.js';
import {
  type Kill,
  type ServiceFailure,
  type ServiceRun,
  type ServiceStep,
  plainServiceSettings,
} from './draw-service.js';
import { Happenings } from './happenings.js';
import { type Lost, judgedWithLost, possibleAnswers } from './lost.js';
import { ServiceWorld, keyName } from './service-world.js';
import { UNKNOWN_OUTCOME } from './watch.js';

/** @param report - gets the longest time of an answer, in milliseconds */
export async function playService(
  run: ServiceRun,
  log: string[] = [],
  report: (slowestMs: number) => void = () => undefined,
): Promise<ServiceFailure | undefined> {
  const world = new ServiceWorld(run.settings);
  let taken = 0;
  try {
    await world.open();
    const player = new Player(world, [modelOf(run.settings, world.webhooks, world.now)], log);
    for (const step of run.steps) {
      taken += 1;
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
    return { run, message, taken, log: [...log.slice(-12), ...world.watch.lines.slice(-15)] };
  } finally {
    await world.close();
  }
}

class Player {
  readonly #around: Happenings;
  /** Whether a post may be stored that was not announced, because its process or its database ended: it comes with the next, or on return. */
  #isUnannounced = false;

  constructor(
    private readonly world: ServiceWorld,
    private models: Model[],
    private readonly log: string[],
  ) {
    this.#around = new Happenings(world);
  }

  /** The model that requests are drawn from. */
  #model(): Model {
    const [model] = this.models;
    if (model === undefined) throw new Error('no model is left');
    return model;
  }

  /** The keys of the deployer are keys as others. */
  #noteKeys(): void {
    for (const { id, key } of this.world.keys) {
      for (const { keys, last } of this.models) {
        if (!isAfter(id, last['key'] ?? '0')) continue;
        keys.set(id, { id, key, name: keyName, ownerId: '', isActive: true });
        last['key'] = id;
      }
    }
  }

  async take(step: ServiceStep): Promise<void> {
    for (const model of this.models) model.now = this.world.now;
    this.#noteKeys();
    if ('event' in step) {
      const random = new Random(step.seed);
      const [, ...others] = this.models;
      const { detail, models } = await this.#around.happen(step.event, random, [this.#model(), ...others]);
      this.models = models ?? this.models;
      this.log.push(`${step.event} ${detail}`);
      return;
    }
    const sent = requestsOf(step.calls, this.#model());
    const leaving = new AbortController();
    const sending = sent.map(({ call, instance }) =>
      this.world.send(call, this.#model(), instance, leaving.signal),
    );
    if (step.kill !== undefined) {
      const { what, afterMs } = step.kill;
      await sleep(afterMs);
      this.log.push(`${what}, ${String(afterMs)} ms after the next`);
      if (what === 'clients') leaving.abort();
      else if (what === 'service') await this.world.kill(step.calls[0]?.instance ?? 0);
      else if (what === 'database') await this.world.killServer('database');
      else if (!(what === 'broker hangs' && this.#around.isBrokerDown))
        await this.world.hang(what === 'broker hangs' ? 'broker' : 'database', 20 * afterMs);
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
      requireNoLeak(call, answer);
      return { action, call, answer };
    });
    this.models = judged(this.models, answered);
  }

  /** What was not answered was done or not; what is stored now tells. */
  async #judgeKilled(
    what: Kill['what'],
    sent: readonly DrawnRequest[],
    answers: readonly (Answer | undefined)[],
  ): Promise<void> {
    const isOfDatabase = what.startsWith('database');
    if (what === 'database') {
      await this.#around.untilUnready();
      await this.world.servers.restart('database');
    }
    if (what === 'service') await this.#around.startAll();
    await this.#around.untilReady();
    const model = this.#model();
    const [answered, lost]: [Answered[], Lost[]] = [[], []];
    const unanswered: DrawnRequest[] = [];
    for (const [index, each] of sent.entries()) {
      const { action, call, instance } = each;
      const answer = answers[index];
      if (answer !== undefined && isOfDatabase) requireWait(answer);
      if (answer === undefined && what.endsWith('hangs'))
        throw new Fault(`${shown(action, call)} got no answer`);
      if (answer !== undefined && !isOpen(answer)) {
        // Nothing was stored for what was answered so.
        if (!isOfDatabase || !isUnavailable(answer)) answered.push({ action, call, answer });
      } else if (call.headers?.['idempotency-key'] !== undefined) {
        const again = await this.#repeat(call, instance);
        this.log.push(`again ${lineOf(action, call, again)}`);
        answered.push({ action, call, answer: again });
      } else unanswered.push(each);
    }
    const contents = await readContents(this.world.read);
    for (const { action, call } of unanswered) {
      lost.push({ action, call, answers: await possibleAnswers(call, model, contents, this.world.read) });
      if (action.name === 'createPost') this.#isUnannounced = true;
      for (const each of this.models) noteLost(each, call);
    }
    this.models = judgedWithLost(this.models, answered, lost, contents);
  }

  /** Sends a request with its key again until it is not in flight any more. */
  async #repeat(call: Call, instance: number): Promise<Answer> {
    let answer: Answer | undefined;
    await until('a request is not in flight any more', async () => {
      answer = await this.world.send(call, this.#model(), instance);
      return answer?.text.includes('is being processed') !== true;
    });
    if (answer === undefined) throw new Fault(`the repeat of ${call.path} got no answer`);
    return answer;
  }

  /** Waits for what must come in the end. */
  async settle(): Promise<void> {
    const { world } = this;
    await this.#around.startAll();
    await world.probe();
    world.receivers.heal();
    await world.provider.check();
    world.events.resume();
    world.sockets.resume();
    if (this.#isUnannounced) for (const all of [world.events, world.sockets]) await all.leaveAll();
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
    judgeAny(this.models, (model) => {
      world.receivers.check(model);
    });
  }

  /** All clients leave, and the processes have no more open than in the beginning, but for the connections to their servers. */
  async #leave(): Promise<void> {
    const { world } = this;
    world.rude.leave();
    await world.events.close();
    await world.sockets.close();
    await until('no request, stream or subscriber is left', async () => (await world.inUse()) === 0);
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

/** Whether an answer leaves open what was stored, or which id it has. */
const isOpen = ({ text }: Answer): boolean => text.includes(UNKNOWN_OUTCOME) || text.includes(UNREAD_AUTHOR);

/** What a request without an answer leaves open, and nothing stored shows. */
function noteLost({ failed, sessions, now }: Model, { path, body }: Call): void {
  // It may have counted.
  if (path.startsWith('/api/auth/login')) failed.push(now);
  if (path !== '/api/auth/refresh') return;
  // It may be used up.
  const { refreshToken } = body as { readonly refreshToken?: unknown };
  for (const [access, session] of sessions)
    if (session.refresh === refreshToken) sessions.set(access, { ...session, refresh: undefined });
}

export const shrinkingOfService: Shrinking<ServiceRun> = { play: playService, plain: plainServiceSettings };
