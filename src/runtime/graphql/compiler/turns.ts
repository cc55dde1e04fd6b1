/**
 * Shares the event loop: an operation that takes long runs in turns, between which all else of the process runs, and several
 * such operations advance side by side.
 */

import { nextTurn } from '../../http/next-turn.js';

/** The time of one turn for all operations together, in milliseconds. */
const TURN_MS = 10;
/** An operation that has used less, in milliseconds, goes on also when the turn is over: many short ones end sooner that way. */
const SHORT_MS = 2;
/** Steps between two looks at the clock, each of which takes longer than many a step. */
const STEPS = 32;
/** Tasks of one operation before those of the next. */
const SHARE = 8;

// A process has one event loop, so all operations share this state.
let steps = 0;
/** The time at which the current turn ends; 0 while none has begun. */
let end = 0;
/** The time of the last look at the clock in the current turn. */
let looked = 0;
let isOver = false;
let isWorking = false;
const waiting = new Set<Turns>();

/**
 * Whether the time of the current turn is used up, so that work which can wait must wait. Cheap enough for each item of a list.
 *
 * @param turns - those of the operation that asks, which then need not wait while it is short
 */
export function isTurnOver(turns?: Turns): boolean {
  if (++steps % STEPS === 0) lookAtClock(turns);
  return isOver && (turns === undefined || turns.usedMs > SHORT_MS);
}

/** @param turns - of the operation that has probably used the time since the last look */
function lookAtClock(turns?: Turns): boolean {
  const now = performance.now();
  if (turns !== undefined && end !== 0) turns.usedMs += now - looked;
  looked = now;
  if (end === 0) {
    end = now + TURN_MS;
    nextTurn(() => {
      end = 0;
      isOver = false;
    });
  } else isOver = now > end;
  return isOver;
}

async function work(): Promise<void> {
  isWorking = true;
  while (waiting.size > 0) {
    // Also the first task waits: the caller has not returned yet.
    await (isOver ? new Promise<void>(nextTurn) : Promise.resolve());
    // A set visits what is added meanwhile, so operations with more tasks come again after the others.
    for (const turns of waiting) {
      waiting.delete(turns);
      if (turns.next(SHARE)) waiting.add(turns);
      // Promises that the tasks have resolved continue before the next tasks, and their time counts.
      await Promise.resolve();
      if (lookAtClock()) break;
    }
  }
  isWorking = false;
}

/** The tasks of one operation that wait for a turn. */
export class Turns {
  #tasks: (() => void)[] = [];
  #done = 0;
  /** Whether the operation has ended: none of its tasks runs any more. */
  isStopped = false;
  /** The time that the operation has used, in milliseconds: a part of the looks at the clock are its own. */
  usedMs = 0;
  #onIdle: (() => void)[] = [];

  /** Runs a task, which does not throw, after the earlier ones; never if the operation ends before. */
  later(task: () => void): void {
    if (this.isStopped) return;
    this.#tasks.push(task);
    waiting.add(this);
    if (!isWorking) void work();
  }

  /** @returns a promise of the time when no task waits, which never comes if the operation ends before; undefined if none waits */
  idle(): Promise<void> | undefined {
    return this.#tasks.length === 0 ? undefined : new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Forgets the tasks. */
  stop(): void {
    this.isStopped = true;
    this.#tasks = [];
    this.#onIdle = [];
    this.#done = 0;
    waiting.delete(this);
  }

  /** Runs some of the tasks. @returns whether there are more */
  next(count: number): boolean {
    for (let left = count; left > 0; left -= 1) {
      const task = this.#tasks[this.#done];
      if (task === undefined) break;
      this.#done += 1;
      task();
    }
    if (this.#done < this.#tasks.length) return true;
    this.#tasks = [];
    this.#done = 0;
    for (const resolve of this.#onIdle.splice(0)) resolve();
    return false;
  }
}
