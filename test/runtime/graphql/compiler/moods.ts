/** Makes the resolvers of a schema answer at once, late or never well: at each place of a response in the same way in each run. */

import { setImmediate as turn } from 'node:timers/promises';
import {
  type GraphQLResolveInfo,
  type GraphQLSchema,
  defaultFieldResolver,
  isObjectType,
  responsePathAsArray,
} from 'graphql';

export class Moods {
  /** Whether some resolvers never answer. */
  isEndless = false;
  /** Whether one of those was called. */
  isStuck = false;
  #seed = 0;
  readonly #calls = new Map<string, number>();

  /** Changes the resolvers of the schema. */
  constructor(schema: GraphQLSchema) {
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue;
      for (const field of Object.values(type.getFields())) {
        const { resolve = defaultFieldResolver } = field;
        field.resolve = (source, args, context, info) =>
          this.#resolve(info, () => resolve(source, args, context, info));
      }
    }
  }

  /** Draws other moods for all places. */
  begin(seed: number): void {
    this.#seed = seed;
    this.forget();
  }

  forget(): void {
    this.#calls.clear();
    this.isStuck = false;
  }

  /** How many resolvers were called. */
  get calls(): number {
    return [...this.#calls.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The places whose resolvers were called more than once. */
  calledAgain(): readonly string[] {
    return [...this.#calls].filter(([, count]) => count > 1).map(([place]) => place);
  }

  #resolve(info: GraphQLResolveInfo, answer: () => unknown): unknown {
    const place = responsePathAsArray(info.path).join('.');
    this.#calls.set(place, (this.#calls.get(place) ?? 0) + 1);
    const mood = hashOf(place, this.#seed);
    const turns = (mood >>> 8) % 4;
    if (this.isEndless && mood % 5 === 0) {
      this.isStuck = true;
      return new Promise(() => undefined);
    }
    switch (mood % 24) {
      case 0:
        throw new Error(`at once at ${place}`);
      case 1:
        return late(turns, () => Promise.reject(new Error(`late at ${place}`)));
      case 2:
        return new Error(`as a value at ${place}`);
      case 3:
      case 4:
      case 5:
        return late(turns, answer);
      case 6:
        // No promise, but what can be awaited.
        return {
          then: (...given: Parameters<Promise<unknown>['then']>) => late(turns, answer).then(...given),
        };
      case 7:
      case 8:
        return eachLate(answer(), mood);
      case 9:
        return late(turns, async () => eachLate(await answer(), mood));
      default:
        return answer();
    }
  }
}

async function late<T>(turns: number, answer: () => T | PromiseLike<T>): Promise<T> {
  for (let left = turns; left > 0; left -= 1) await turn();
  return await answer();
}

/** Each item of a list comes in its own time, and some fail. */
function eachLate(value: unknown, mood: number): unknown {
  if (value instanceof Promise) return value.then((list) => eachLate(list, mood));
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown, index) => {
    const own = hashOf(String(index), mood);
    if (own % 8 === 0) return late((own >>> 8) % 4, () => Promise.reject(new Error('an item')));
    return own % 3 === 0 ? item : late((own >>> 8) % 4, () => item);
  });
}

/** FNV-1a, with the bits mixed once more. */
function hashOf(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
