/** One execution of an operation: what it may still take, and whether it has ended. */

import { type FormattedExecutionResult, GraphQLError } from 'graphql';
import type { Deadlines, Timed } from './deadlines.js';
import type { EngineErrorCode } from '../document/errors.js';
import type { PreparedOperation } from '../document/preparation.js';
import { sizeOf } from './response-size.js';

/** What resolvers may know of the execution that they are part of. Each event of a subscription is an execution. */
export interface RunningOperation {
  readonly operation: PreparedOperation;
  /** Aborts when the execution ends before its result: at the time limit, or because its response is too large. */
  readonly signal: AbortSignal;
  /** The limit of its response, in bytes. A resolver that reads more than this for one response reads in vain. */
  readonly maxResponseBytes: number;
  /** @throws an error for the resolver to pass on when the execution has ended */
  check(): void;
  /**
   * Ends the execution: its response is one error, `LIMIT_EXCEEDED`.
   *
   * @throws that error
   */
  refuseLargeResponse(): never;
}

/** The result of an operation, and the same as JSON. */
export interface WrittenResult {
  readonly result: FormattedExecutionResult;
  readonly json: string;
}

/** What one execution may take. */
export interface ExecutionLimits {
  readonly responseBytes: number;
  readonly seconds: number;
}

/** `sizeOf` counts five bytes for `1,`, and no value worse. */
const MOST_OVERESTIMATED = 3;

/** The value that graphql-js and compilers carry as the context; resolvers get the {@link context} in it. */
export class Run<Context> implements RunningOperation, Timed {
  readonly #limits: ExecutionLimits;
  readonly #deadlines: Deadlines;
  readonly deadline: number;
  #bytesLeft: number;
  #end: GraphQLError | undefined;
  #abort: AbortController | undefined;
  #onEnd: ((end: GraphQLError) => void) | undefined;
  #json: string | undefined;

  /** @param isWritten - whether the response is wanted as JSON */
  constructor(
    readonly operation: PreparedOperation,
    readonly context: Context,
    limits: ExecutionLimits,
    deadlines: Deadlines,
    private readonly isWritten: boolean,
  ) {
    this.#deadlines = deadlines;
    this.#limits = limits;
    this.#bytesLeft = limits.responseBytes;
    this.deadline = performance.now() + limits.seconds * 1000;
  }

  /** Why it ended before its result; undefined while it runs. */
  get end(): GraphQLError | undefined {
    return this.#end;
  }

  /** @param result - that of this execution, which is the response or why there is none */
  written(result: FormattedExecutionResult): WrittenResult {
    return { result, json: this.#json ?? JSON.stringify(result) };
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#end !== undefined) this.#abort.abort(this.#end);
    return this.#abort.signal;
  }

  get maxResponseBytes(): number {
    return this.#limits.responseBytes;
  }

  check(): void {
    if (this.#end !== undefined) throw this.#end;
  }

  /** Counts bytes of the response as they become known. @throws when there are too many */
  take(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.refuseLargeResponse();
  }

  refuseLargeResponse(): never {
    throw this.#endWith(this.#tooLarge);
  }

  /** @returns why there is no response, also where this one is too large; undefined where it may be sent */
  endOf(response: FormattedExecutionResult): GraphQLError | undefined {
    if (!this.#fits(response)) this.#endWith(this.#tooLarge);
    return this.#end;
  }

  /** Writing a response measures it exactly; the estimate only bounds the work. */
  #fits(response: FormattedExecutionResult): boolean {
    const { responseBytes } = this.#limits;
    if (!this.isWritten) return sizeOf(response, responseBytes) <= responseBytes;
    if (sizeOf(response, MOST_OVERESTIMATED * responseBytes) > MOST_OVERESTIMATED * responseBytes)
      return false;
    const json = JSON.stringify(response);
    if (Buffer.byteLength(json) > responseBytes) return false;
    this.#json = json;
    return true;
  }

  /** Called when the operation runs again, within the same time. */
  restart(): void {
    this.#bytesLeft = this.#limits.responseBytes;
  }

  /**
   * Waits for a result, until the execution ends.
   *
   * @returns the error that ended it where that came first; what is still running then fails at the next resolver
   */
  settled<Result>(result: Promise<Result>): Promise<Result | GraphQLError> {
    return new Promise((resolve, reject) => {
      this.#deadlines.add(this);
      const settle = (outcome: Result | GraphQLError): void => {
        this.#deadlines.delete(this);
        resolve(outcome);
      };
      // graphql-js does not reject; the deadline would drop what did.
      result.then(settle, reject);
      this.#onEnd = settle;
      if (this.#end !== undefined) settle(this.#end);
    });
  }

  expire(): void {
    this.#endWith(`The operation took longer than ${String(this.#limits.seconds)} seconds`);
  }

  get #tooLarge(): string {
    return `The response would have more than ${String(this.#limits.responseBytes)} bytes: ask for less`;
  }

  /** The first reason counts. */
  #endWith(message: string): GraphQLError {
    if (this.#end !== undefined) return this.#end;
    const code: EngineErrorCode = 'LIMIT_EXCEEDED';
    this.#end = new GraphQLError(message, { extensions: { code } });
    this.#abort?.abort(this.#end);
    this.#onEnd?.(this.#end);
    return this.#end;
  }
}
