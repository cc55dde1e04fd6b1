/** The calls of a check, for its message when it fails. */
import { AssertionError } from 'node:assert/strict';
import { inspect } from 'node:util';

const shownCalls = 4;

interface Call {
  readonly method: string;
  readonly input: readonly unknown[];
  outcome: () => string;
}

function textOf(value: unknown): string {
  return inspect(value, { breakLength: Infinity, maxStringLength: 60, maxArrayLength: 4, depth: 4 });
}

export class CallLog {
  readonly #calls: Call[] = [];

  /** The same object, whose calls and those of its stores are recorded. */
  observe<T extends object>(target: T, path = ''): T {
    // A proxy of the target itself would have to give frozen methods as they are.
    return new Proxy({} as T, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        const method = path + String(name);
        if (typeof value === 'function') {
          return (...input: readonly unknown[]) =>
            this.#record({ method, input, outcome: () => 'did not answer' }, () =>
              Reflect.apply(value, target, input),
            );
        }
        return path === '' && typeof value === 'object' && value !== null
          ? this.observe(value, `${method}.`)
          : value;
      },
    });
  }

  /** The failure of a rule, with the last calls. */
  explain(rule: string, error: unknown): AssertionError {
    const calls = this.#calls.slice(-shownCalls).map(({ method, input, outcome }) => {
      return `  ${method}(${input.map(textOf).join(', ')}) ${outcome()}\n`;
    });
    const { actual, expected, operator } = Object(error) as Partial<AssertionError>;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${rule}\n${calls.join('')}${reason}`;
    return Object.assign(new AssertionError({ message, actual, expected, operator }), { cause: error });
  }

  #record(call: Call, run: () => unknown): unknown {
    if (this.#calls.push(call) > shownCalls) this.#calls.shift();
    const answer = run();
    void Promise.resolve(answer).then(
      (value) => (call.outcome = () => `gave ${textOf(value)}`),
      (error: unknown) => (call.outcome = () => `failed: ${String(error)}`),
    );
    return answer;
  }
}
