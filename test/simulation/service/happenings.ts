/** What happens around the service between requests. */

import { until } from '../../support/until.js';
import type { Model } from '../model.js';
import type { Random } from '../random.js';
import type { ServiceEvent } from './draw-service.js';
import type { ServiceWorld } from './service-world.js';

/** A backup with the models of its moment. */
interface Backup {
  readonly file: string;
  readonly models: readonly Model[];
}

interface Happened {
  readonly detail: string | undefined;
  /** What is stored from now on, if the store was put back. */
  readonly models?: Model[];
}

export class Happenings {
  #backup: Backup | undefined;
  #backups = 0;
  isBrokerDown = false;

  constructor(private readonly world: ServiceWorld) {}

  /** @returns what happened, for the log */
  async happen(event: ServiceEvent, random: Random, models: readonly [Model, ...Model[]]): Promise<Happened> {
    if (event === 'back up') return { detail: await this.#backUp(models) };
    if (event === 'restore') return await this.#restore();
    return { detail: await this.#change(event, random, models[0]) };
  }

  async #change(
    event: Exclude<ServiceEvent, 'back up' | 'restore'>,
    random: Random,
    model: Model,
  ): Promise<string | undefined> {
    const { world } = this;
    const index = random.whole(0, 9);
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
      case 'sign in elsewhere':
        world.watch.hadOutage = true; // perhaps
        return world.provider.signIn(random, world.instance(index).url);
      case 'restart':
        // A process does not start without it.
        await this.bringBroker();
        return void (await world.restart(index));
      case 'kill':
        await world.kill(index);
        // With others, it may be away for a while.
        if (world.settings.instances === 1 || random.chance(0.5)) await this.startAll();
        return undefined;
      case 'start':
        return void (await this.startAll());
      case 'broker ends':
        if (!world.servers.has('broker') || this.isBrokerDown) return 'not';
        this.isBrokerDown = true;
        await world.killServer('broker');
        // Requests succeed without it.
        await until('/readyz warns of the broker', async () =>
          (await world.readiness()).every(([status, text]) => status === 200 && text.includes('warnings')),
        );
        return undefined;
      case 'broker comes':
        return void (await this.bringBroker());
      case 'move':
        await this.bringBroker();
        return void (await world.move());
    }
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
    this.#backup = { file, models: structuredClone(models) };
    return '';
  }

  async #restore(): Promise<Happened> {
    if (this.#backup === undefined) return { detail: 'not' };
    const { file, models } = this.#backup;
    const { world } = this;
    await this.bringBroker();
    await world.stopAll();
    await world.command('restore', file);
    // What they got since is undone, and its ids are given again.
    await world.events.close();
    await world.sockets.close();
    world.receivers.restore(models[0]?.written ?? new Map());
    await world.startAll();
    return { detail: '', models: structuredClone([...models]) };
  }
}
