/**
 * The timers of a world: they fire when its clock passes their time, and it passes when all else waits, so a deadline of thirty seconds
 * takes no time, and the speed of the machine decides nothing.
 */

import nodeTimers from 'node:timers';
import { syncBuiltinESMExports } from 'node:module';
import promised from 'node:timers/promises';

const { setImmediate: turn } = promised;
const real = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  clearImmediate,
};

type Work = (...given: unknown[]) => void;

/** A timer as callers hold it. */
class Timer {
  isRef = true;

  constructor(
    private readonly timers: Timers,
    readonly work: () => void,
    readonly ms: number,
    readonly isRepeated: boolean,
    public at: number,
  ) {}

  ref(): this {
    this.isRef = true;
    return this;
  }

  unref(): this {
    this.isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.isRef;
  }

  refresh(): this {
    this.at = this.timers.now + this.ms;
    this.timers.add(this);
    return this;
  }

  close(): this {
    this.timers.delete(this);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return 0;
  }

  [Symbol.dispose](): void {
    this.timers.delete(this);
  }
}

/** The turns without anything to do after which all is taken to wait. */
const idleTurns = 6;

export class Timers {
  /** In the order in which they were set. */
  readonly #waiting = new Set<Timer>();
  /** The callbacks for the next turn of the event loop. */
  readonly #due = new Set<unknown>();

  /** What the clock of the machine shows beside the time that has passed. */
  #offset = 0;

  /** @param now - the time that has passed, in milliseconds: it never goes back */
  constructor(public now: number) {}

  /** The clock of the machine, in milliseconds. */
  get clock(): number {
    return this.now + this.#offset;
  }

  /** Sets the clock of the machine back. */
  setBack(ms: number): void {
    this.#offset -= ms;
  }

  /** Those that keep a process alive. */
  get count(): number {
    return [...this.#waiting].filter((timer) => timer.isRef).length;
  }

  add(timer: Timer): Timer {
    this.#waiting.add(timer);
    return timer;
  }

  delete(timer: unknown): void {
    this.#waiting.delete(timer as Timer);
  }

  /** Takes the place of the machine's timers and clocks. @returns what puts them back */
  install(): () => void {
    const { now } = Date;
    const { setTimeout: sleep } = promised;
    const own = this.#functions();
    Object.assign(globalThis, own);
    Object.assign(nodeTimers, own);
    Object.assign(promised, { setTimeout: this.#sleep, setImmediate: this.#turn });
    syncBuiltinESMExports();
    const start = this.now;
    performance.now = () => this.now - start;
    Date.now = () => this.clock;
    return () => {
      Object.assign(globalThis, real);
      Object.assign(nodeTimers, real);
      Object.assign(promised, { setTimeout: sleep, setImmediate: turn });
      syncBuiltinESMExports();
      Reflect.deleteProperty(performance, 'now');
      Date.now = now;
      this.#waiting.clear();
    };
  }

  #functions(): object {
    const set =
      (isRepeated: boolean) =>
      (work: Work, ms = 1, ...given: unknown[]) => {
        const wait = Math.max(1, Math.trunc(ms) || 1);
        return this.add(
          new Timer(
            this,
            () => {
              work(...given);
            },
            wait,
            isRepeated,
            this.now + wait,
          ),
        );
      };
    const clear = (timer: unknown): void => {
      this.delete(timer);
    };
    const setImmediate = (work: Work, ...given: unknown[]) => {
      const immediate = real.setImmediate(() => {
        this.#due.delete(immediate);
        work(...given);
      });
      this.#due.add(immediate);
      return immediate;
    };
    const clearImmediate = (immediate: NodeJS.Immediate): void => {
      this.#due.delete(immediate);
      real.clearImmediate(immediate);
    };
    return {
      setTimeout: set(false),
      setInterval: set(true),
      clearTimeout: clear,
      clearInterval: clear,
      setImmediate,
      clearImmediate,
    };
  }

  readonly #sleep = async <T>(ms: number, value?: T, { ref = true }: { ref?: boolean } = {}): Promise<T> => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      if (!ref) timer.unref();
    });
    return value as T;
  };

  readonly #turn = async <T>(value?: T): Promise<T> => {
    const due = {};
    this.#due.add(due);
    await turn();
    this.#due.delete(due);
    return value as T;
  };

  /** Lets time pass, with what is due in it. A timer that repeats fires once. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    const repeated = new Set<Timer>();
    for (;;) {
      const next = this.#next((timer) => timer.at <= end && !repeated.has(timer));
      if (next === undefined) break;
      if (next.isRepeated) repeated.add(next);
      this.#fire(next);
      await this.#idle();
    }
    this.now = end;
    for (const timer of repeated) if (this.#waiting.has(timer)) timer.refresh();
    await this.#idle();
  }

  /**
   * Waits for a promise, and lets time pass when nothing else can happen.
   *
   * @param mostMs - of the world's time
   * @returns `late` if it takes longer
   */
  async until<T>(promise: Promise<T>, mostMs: number): Promise<T | 'late'> {
    const state = { isOver: false };
    const over = (): void => void (state.isOver = true);
    promise.then(over, over);
    const end = this.now + mostMs;
    for (;;) {
      await this.#idle(() => state.isOver);
      if (state.isOver) return await promise;
      const next = this.#next(({ at }) => at <= end);
      if (next === undefined) return 'late';
      this.#fire(next);
    }
  }

  #next(test: (timer: Timer) => boolean): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#waiting)
      if (test(timer) && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }

  #fire(timer: Timer): void {
    this.now = Math.max(this.now, timer.at);
    if (timer.isRepeated) timer.at = this.now + timer.ms;
    else this.#waiting.delete(timer);
    timer.work();
  }

  /** Waits until nothing is left for the next turns. */
  async #idle(isOver = (): boolean => false): Promise<void> {
    for (let idle = 0; idle < idleTurns && !isOver(); idle += 1) {
      await turn();
      if (this.#due.size > 0) idle = -1;
    }
  }
}
