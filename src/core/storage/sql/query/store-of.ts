/** Turns the tasks of a store into its methods. */
import type { SqlRunner } from './runner.js';
import type { SqlTask } from './task.js';

/** The methods of a store as tasks, which may also be parts of other tasks. */
export type TasksOf<Store> = {
  readonly [Method in keyof Store]: Store[Method] extends (...given: infer Given) => Promise<infer Outcome>
    ? (...given: Given) => SqlTask<Outcome>
    : never;
};

/** @param atomic - the methods that run in one transaction; of the others, each query is a transaction of its own */
export function storeOf<Store extends object>(
  runner: SqlRunner,
  tasks: TasksOf<Store>,
  atomic: readonly (keyof Store)[] = [],
): Store {
  const methods = Object.entries<(...given: unknown[]) => SqlTask<unknown>>(tasks).map(([name, task]) => [
    name,
    (atomic as readonly string[]).includes(name)
      ? (...given: unknown[]) => runner.runAtomically(() => task(...given))
      : (...given: unknown[]) => runner.run(() => task(...given)),
  ]);
  return Object.fromEntries(methods) as Store;
}
