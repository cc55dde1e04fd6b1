/** What happens around the service between requests. */

import { until } from '../../support/until.js';
import { copyOf } from '../judge.js';
import type { Model } from '../model.js';
import type { Random } from '../random.js';
import type { ServiceEvent } from './draw-service.js';
import type { ServiceWorld } from './service-world.js';

/** A backup with the models of its moment. */
interface Backup {
  readonly file: string;
  readonly models: readonly Model[];
  /** The number of keys of the deployer. */
  readonly keys: number;
}

interface Happened {
  readonly detail: string;
  /** What is stored from now on, if the store was put back. */
  readonly models?: Model[];
}

/** What an event has to choose from. */
interface Moment {
  readonly random: Random;
  /** Of an instance or a client. */
  readonly index: number;
  readonly model: Model;
  readonly models: readonly Model[];
}

export class Happenings {
  #backup: Backup | undefined;
  #backups = 0;
  isBrokerDown = false;

  constructor(private readonly world: ServiceWorld) {}

  /** @returns what happened, for the log, and what is stored from now on if the store was put back */
  async happen(event: ServiceEvent, random: Random, models: readonly [Model, ...Model[]]): Promise<Happened> {
    const index = random.whole(0, 9);
    // A process may need the broker for its first subscriber.
    if (this.isBrokerDown && /^(?:join|come back)/.test(event)) return { detail: 'not' };
    const done = await this.#events[event]({ random, index, model: models[0], models });
    return typeof done === 'object' ? (done as Happened) : { detail: typeof done === 'string' ? done : '' };
  }

  readonly #events: Readonly<Record<ServiceEvent, (moment: Moment) => unknown>> = {
    join: ({ model, random }) => this.world.events.join(model, random),
    'join by socket': ({ model, random }) => this.world.sockets.join(model, random),
    leave: ({ random }) => this.world.events.leave(random),
    'leave by socket': ({ random }) => this.world.sockets.leave(random),
    'come back': async ({ model, index }) => {
      await this.world.events.comeBack(model, index);
      await this.world.sockets.comeBack(model, index);
    },
    stall: ({ random }) => {
      random.pick([this.world.events, this.world.sockets]).stall(random);
    },
    'read again': () => {
      this.world.events.resume();
      this.world.sockets.resume();
    },
    receivers: ({ random }) => {
      this.world.receivers.change(random);
    },
    'rude client': ({ random, index }) => this.world.rude.come(random, this.world.instance(index).url),
    'sign in elsewhere': ({ random, index }) => {
      this.world.watch.hadOutage = true; // perhaps
      return this.world.provider.signIn(random, this.world.instance(index).url);
    },
    restart: async ({ index }) => {
      await this.bringBroker();
      await this.world.restart(index);
    },
    kill: async ({ random, index }) => {
      await this.world.kill(index);
      // While others run, it may be away.
      if (this.world.running === 0 || random.chance(0.5)) await this.startAll();
    },
    start: () => this.startAll(),
    'read only': async () => {
      if (this.world.settings.store !== 'postgres') return 'not';
      await this.world.refuseWrites(true);
      await this.untilUnready();
      await this.world.refuseWrites(false);
      await this.untilReady();
      return '';
    },
    'broker ends': () => this.#endBroker(),
    'broker comes': () => this.bringBroker(),
    'back up': ({ models }) => this.#backUp(models),
    restore: () => this.#restore(),
    move: async ({ random }) => {
      await this.bringBroker();
      await this.world.move(random.whole(200, 2000));
    },
  };

  async #endBroker(): Promise<string> {
    const { world } = this;
    if (!world.servers.has('broker') || this.isBrokerDown) return 'not';
    this.isBrokerDown = true;
    await world.killServer('broker');
    // Requests succeed without it.
    await until('/readyz warns of the broker', async () =>
      (await world.readiness()).every(([status, text]) => status === 200 && text.includes('warnings')),
    );
    return '';
  }

  /** Starts those that do not run. */
  async startAll(): Promise<void> {
    // A process does not start without it.
    await this.bringBroker();
    await this.world.startAll();
  }

  async bringBroker(): Promise<void> {
    if (!this.isBrokerDown) return;
    this.isBrokerDown = false;
    await this.world.servers.restart('broker');
    await this.untilReady();
  }

  async untilUnready(): Promise<void> {
    await until('/readyz says that the database does not answer', async () =>
      (await this.world.readiness()).every(([status]) => status === 503),
    );
  }

  async untilReady(): Promise<void> {
    await until('the service is ready', async () =>
      (await this.world.readiness()).every(([status]) => status === 200),
    );
  }

  async #backUp(models: readonly Model[]): Promise<string> {
    if (this.world.settings.store !== 'sqlite') return 'not';
    this.#backups += 1;
    const file = this.world.file(`backup-${String(this.#backups)}.db`);
    await this.world.command('backup', file);
    this.#backup = { file, models: models.map(copyOf), keys: this.world.keys.length };
    return '';
  }

  async #restore(): Promise<Happened> {
    if (this.#backup === undefined) return { detail: 'not' };
    const { file, models, keys } = this.#backup;
    const { world } = this;
    await this.bringBroker();
    await world.stopAll();
    await world.command('restore', file);
    world.keys.splice(keys);
    // What they got since is undone, and its ids are given again.
    await world.events.close();
    await world.sockets.close();
    if (models[0] !== undefined) world.receivers.restore(models[0]);
    await world.startAll();
    return { detail: '', models: models.map(copyOf) };
  }
}
