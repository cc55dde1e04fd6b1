/** One execution of an operation: its remaining response size and time, and whether it has ended. */

import { type FormattedExecutionResult, GraphQLError } from 'graphql';
import type { EngineErrorCode } from '../document/errors.js';
import type { Limits } from '../document/limits.js';
import type { PreparedOperation } from '../document/preparation.js';
import { jsonInTurns } from '../compiler/json-in-turns.js';
import { sizeOf } from '../compiler/json-writer.js';
import type { Outcomes } from '../compiler/outcomes.js';
import { Turns } from '../compiler/turns.js';
import { resultJson } from '../compiler/result-writer.js';

/** The execution that a resolver is part of. Each event of a subscription is an execution. */
export interface RunningOperation {
  readonly operation: PreparedOperation;
  /** Aborts when the execution ends before its result: at a limit, or because its client has left. */
  readonly signal: AbortSignal;
  /** The limit of its response, in bytes. A resolver need not read more than this: the response would be refused. */
  readonly maxResponseBytes: number;
  /** @throws an error when the execution has ended; resolvers must not catch it */
  check(): void;
  /**
   * A long execution yields to others. A loader that joins the reads of many resolvers waits for this, so that it joins as many
   * as without them.
   *
   * @returns a promise of the time when every part of the execution has had its turn; undefined if none waits
   */
  idle(): Promise<void> | undefined;
  /**
   * Ends the execution: its response is one error, `LIMIT_EXCEEDED`, and no resolver is called any more.
   *
   * @param reason - the message of that error, which clients may read
   * @throws that error
   */
  refuse(reason: string): never;
  /** {@link refuse}, because of {@link maxResponseBytes}. */
  refuseLargeResponse(): never;
}

/** The result of an operation, also as JSON text. */
export interface WrittenResult {
  readonly result: FormattedExecutionResult;
  /** As text or in UTF-8. */
  readonly json: string | Uint8Array;
}

/** The source of a signal that aborts when the client no longer waits. Some make it when it is first read, as a request does. */
export interface Cancellation {
  readonly signal: AbortSignal;
}

/** The limits of one execution. */
type ExecutionLimits = Pick<Limits, 'responseBytes' | 'seconds'>;

/**
 * After this time, an execution learns when its client leaves. Most have ended before, for which the signal of a request would
 * cost more than many a query does.
 */
const UNWATCHED_MS = 20;

/** A response of more bytes is written in turns. */
const MOST_AT_ONCE = 1024 * 1024;

/** The value that graphql-js and compilers pass as the context; resolvers get its {@link context}. */
export class Run<Context> extends Turns implements RunningOperation {
  readonly #deadline: number;
  /** Whether graphql-js runs the operation, and not a compiled query. */
  isInterpreted = false;
  /** The values that resolvers returned to a compiled query, which then failed. */
  earlier: Outcomes | undefined;
  #bytesLeft: number;
  /** The error that ended it before its result; undefined if there is none. */
  end: GraphQLError | undefined;
  #isAnswered = false;
  #abort: AbortController | undefined;
  #onEnd: ((end: GraphQLError) => void) | undefined;
  /** Stops listening to the signal of its client. */
  #unwatch: (() => void) | undefined;
  #json: string | Uint8Array | undefined;
  /** Whether the response is written in turns. */
  #isLarge = false;

  /** @param isWritten - whether the engine writes the response as JSON */
  constructor(
    readonly operation: PreparedOperation,
    readonly context: Context,
    private readonly limits: ExecutionLimits,
    private readonly isWritten: boolean,
    private readonly cancellation?: Cancellation,
  ) {
    super();
    this.#bytesLeft = limits.responseBytes;
    this.#deadline = performance.now() + limits.seconds * 1000;
  }

  /**
   * @param result - the result of this execution, or the error that replaces it
   * @param refused - makes the error that replaces a result beyond the limit, or one that JSON cannot have
   */
  written(
    result: FormattedExecutionResult,
    refused: (error: unknown) => FormattedExecutionResult,
  ): WrittenResult | Promise<WrittenResult> {
    if (!this.#isLarge || this.end !== undefined)
      return { result, json: this.#json ?? JSON.stringify(result) };
    return jsonInTurns(result, this.limits.responseBytes)
      .then((json) => {
        if (this.end !== undefined || json === undefined) throw this.#endWith(this.#tooLarge);
        return { result, json };
      })
      .catch((error: unknown) => {
        const other = refused(error);
        return { result: other, json: JSON.stringify(other) };
      });
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.end !== undefined) this.#abort.abort(this.end);
    return this.#abort.signal;
  }

  get maxResponseBytes(): number {
    return this.limits.responseBytes;
  }

  /** Whether nothing that is resolved now can be in the response. */
  get isOver(): boolean {
    return this.#isAnswered || this.end !== undefined;
  }

  /** Calls no more resolvers: graphql-js goes on with the fields around one that made their object null. */
  answered(): void {
    this.#isAnswered = true;
    this.stop();
  }

  /** @throws when the execution is over */
  check(): void {
    if (this.end !== undefined) throw this.end;
    if (this.#isAnswered) throw new Error('The response is complete');
  }

  /**
   * The outcome of a resolver that has failed. If the execution is over, graphql-js would make an error of each, so it gets
   * a promise that never settles.
   *
   * @throws the error, if the execution goes on or a compiled query must be left
   */
  refused(error: unknown): Promise<never> {
    if (!this.isOver || !this.isInterpreted) throw error;
    return new Promise(() => undefined);
  }

  /** Counts bytes of the response as resolvers return them. @throws when there are too many */
  take(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.refuseLargeResponse();
  }

  refuse(reason: string): never {
    throw this.#endWith(reason);
  }

  refuseLargeResponse(): never {
    return this.refuse(this.#tooLarge);
  }

  /** @returns the error that ended the execution, also if this response is too large; undefined if it may be sent */
  endOf(response: FormattedExecutionResult): GraphQLError | undefined {
    const { responseBytes } = this.limits;
    if (this.isWritten) {
      // Writing a response measures it.
      this.#json = resultJson(response, Math.min(responseBytes, MOST_AT_ONCE));
      this.#isLarge = this.#json === undefined && responseBytes > MOST_AT_ONCE;
    }
    const fits = this.isWritten
      ? this.#json !== undefined || this.#isLarge
      : sizeOf(response, responseBytes) <= responseBytes;
    if (!fits) this.#endWith(this.#tooLarge);
    return this.end;
  }

  /** Resets the size when the operation runs again; the deadline stays the same. */
  restart(): void {
    this.#bytesLeft = this.limits.responseBytes;
  }

  /**
   * Waits for a result or the end of the execution.
   *
   * @returns the result, or the error if the execution ended first: at a limit, or because the client has left
   */
  settled<Result>(result: Promise<Result>): Promise<Result | GraphQLError> {
    const left = Math.max(0, this.#deadline - performance.now());
    return new Promise((resolve, reject) => {
      // The timers need not keep the process alive: the pending work of an execution does.
      let timer = setTimeout(
        () => {
          this.#watchClient();
          timer = setTimeout(() => this.#endLate(), left - UNWATCHED_MS).unref();
        },
        Math.min(UNWATCHED_MS, left),
      ).unref();
      const settle = (outcome: Result | GraphQLError): void => {
        clearTimeout(timer);
        this.#unwatch?.();
        resolve(outcome);
      };
      // graphql-js does not reject. If it did, the timer would end at the deadline.
      result.then(settle, reject);
      this.#onEnd = settle;
      if (this.end !== undefined) settle(this.end);
    });
  }

  #watchClient(): void {
    const signal = this.cancellation?.signal;
    const cancel = (): unknown => this.#endWith('The client has left');
    if (signal?.aborted === true) cancel();
    else signal?.addEventListener('abort', cancel);
    this.#unwatch = () => signal?.removeEventListener('abort', cancel);
  }

  #endLate(): void {
    this.#endWith(`The operation took longer than ${String(this.limits.seconds)} seconds`);
  }

  get #tooLarge(): string {
    return `The response would have more than ${String(this.limits.responseBytes)} bytes: ask for less`;
  }

  /** Ends the execution, unless it has already ended. @returns the error that ended it */
  #endWith(message: string): GraphQLError {
    if (this.end !== undefined) return this.end;
    const code: EngineErrorCode = 'LIMIT_EXCEEDED';
    this.end = new GraphQLError(message, { extensions: { code } });
    this.stop();
    this.#abort?.abort(this.end);
    this.#onEnd?.(this.end);
    return this.end;
  }
}
