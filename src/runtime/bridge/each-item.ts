/** Converts the items of a stream as they pass. */

const END = { done: true, value: undefined } as const;

/**
 * Converts the items of a body that is a stream, one at a time, as its reader asks for them. The source ends when its reader stops.
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
  return {
    [Symbol.asyncIterator]: () => {
      const source: AsyncIterator<From, unknown> = items[Symbol.asyncIterator]();
      const stop = async (): Promise<typeof END> => {
        await source.return?.();
        return END;
      };
      const next = async (): Promise<IteratorResult<To>> => {
        const given = await source.next();
        if (given.done === true) return END;
        try {
          return { value: convert(given.value) };
        } catch (error) {
          await stop();
          throw error;
        }
      };
      // A generator would not end its source if its reader stops before the first item.
      return { next, return: stop };
    },
  };
}
