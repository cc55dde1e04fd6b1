/** The violations of a run, each recorded once with the number of requests that show it. */

import type { WireRequest } from '../../running/message.js';
import { curlLine } from './curl.js';
import type { Finding } from './rules.js';
import type { Answer } from './send-request.js';
import type { Violation } from './verify-report.js';

/** A request that breaks a rule. */
export interface Evidence {
  readonly request: WireRequest;
  readonly answer: Answer;
}

export interface ViolationOptions {
  readonly url: string;
  /** Rules that only warn, everywhere or in one operation: `valid-refused`, `valid-refused at listUsers`. */
  readonly warn: readonly string[];
  /** The texts that must not be shown, each with the name of the shell variable that replaces it. */
  readonly secrets: ReadonlyMap<string, string>;
}

export class Violations {
  readonly #found = new Map<string, Violation & { count: number }>();

  constructor(private readonly options: ViolationOptions) {}

  get all(): readonly Violation[] {
    return [...new Set(this.#found.values())];
  }

  /** Counts a request for the violation with one of the keys. @returns false if there is none yet */
  count(...keys: readonly string[]): boolean {
    const known = keys.map((key) => this.#found.get(key)).find((each) => each !== undefined);
    if (known !== undefined) known.count += 1;
    return known !== undefined;
  }

  /** Adds another key for a violation. */
  alias(key: string, known: string): void {
    const violation = this.#found.get(known);
    if (violation !== undefined) this.#found.set(key, violation);
  }

  /**
   * @param places - the names of the place in `warn`, such as an operationId
   * @param before - the requests that led to it
   */
  add(
    key: string,
    { rule, message }: Finding,
    {
      operation,
      about,
      places,
    }: Pick<Violation, 'operation' | 'about'> & { readonly places: readonly string[] },
    { request, answer }: Evidence,
    before: readonly Evidence[] = [],
  ): void {
    const { url, warn, secrets } = this.options;
    const lines = [...before.map((each) => each.request), request];
    this.#found.set(key, {
      rule,
      isWarning: warn.includes(rule) || places.some((place) => warn.includes(`${rule} at ${place}`)),
      operation,
      about,
      message,
      count: 1,
      request,
      curl: lines.map((each) => curlLine(url, each, secrets)),
      ...('status' in answer && { answer: { status: answer.status, text: answer.text.slice(0, 300) } }),
    });
  }
}
