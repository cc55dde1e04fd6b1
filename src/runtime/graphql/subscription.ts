/** The results of a subscription: one for each event of its source stream. */

/** Unlike an async generator function, it can be ended while the next event is pending. */
export class ResponseStream<Result> implements AsyncGenerator<Result, void, void> {
  readonly #source: AsyncIterator<unknown>;

  constructor(
    source: AsyncIterable<unknown>,
    private readonly respond: (event: unknown) => Result | Promise<Result>,
  ) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async next(): Promise<IteratorResult<Result, void>> {
    const event = await this.#source.next();
    return event.done === true
      ? { done: true, value: undefined }
      : { done: false, value: await this.respond(event.value) };
  }

  async return(): Promise<IteratorResult<Result, void>> {
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<Result, void>> {
    await this.#source.return?.();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
