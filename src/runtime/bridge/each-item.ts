/** Converts the items of a stream as they pass. */

/**
 * Converts the items of a body that is a stream, one at a time, as its reader asks for them.
 *
 * @example
 * ```ts
 * response: (answer) => ({ ...answer, body: eachItem(answer.body, ({ text }) => ({ message: text })) })
 * ```
 */
export function eachItem<From, To>(
  items: AsyncIterable<From>,
  convert: (item: From) => To,
): AsyncIterable<To> {
  const source = items[Symbol.asyncIterator]();
  async function* converted(): AsyncGenerator<To, void, void> {
    for await (const item of { [Symbol.asyncIterator]: () => source }) yield convert(item);
  }
  const stop = async (): Promise<IteratorResult<To, void>> => {
    await source.return?.();
    return { done: true, value: undefined };
  };
  // A generator would not end its source if its reader stops before the first item.
  return Object.assign(converted(), { return: stop });
}
