/** Remembers the resources of a server by the values of the path parameters that lead to them. */

import type { Json } from 'concordat';

/** The values of the parameters of a path, in its order. */
export type PathValues = readonly Json[];

const PARAMETER = /\{([^}]+)\}/g;
/** As many are remembered for a path. */
const MOST = 20;

/** The paths up to each parameter of a template: `/users/{}` and `/users/{}/posts/{}`. */
function prefixesOf(template: string): readonly string[] {
  return [...template.matchAll(PARAMETER)].map(({ index, 0: text }) =>
    withoutNames(template.slice(0, index + text.length)),
  );
}

function withoutNames(template: string): string {
  return template.replaceAll(PARAMETER, '{}');
}

/** The names of a template's parameters. */
export function namesOf(template: string): readonly string[] {
  return [...template.matchAll(PARAMETER)].map(([, name = '']) => name);
}

export class KnownResources {
  readonly #byPrefix = new Map<string, PathValues[]>();

  /** Remembers a resource, and those that its path leads through. */
  add(template: string, values: PathValues): void {
    prefixesOf(template).forEach((prefix, index) => {
      const own = values.slice(0, index + 1);
      if (own.length <= index) return;
      const known = this.#byPrefix.get(prefix) ?? [];
      this.#byPrefix.set(prefix, known);
      if (known.length < MOST && !known.some((each) => isSame(each, own))) known.push(own);
    });
  }

  /** Forgets a resource that is gone, and all below it. */
  forget(values: PathValues, template: string): void {
    const prefix = withoutNames(template);
    for (const [each, known] of this.#byPrefix) {
      if (!each.startsWith(prefix)) continue;
      this.#byPrefix.set(
        each,
        known.filter((own) => !isSame(own.slice(0, values.length), values)),
      );
    }
  }

  /**
   * Values for the first parameters of a template, as many as lead to one known resource.
   *
   * @param choose - takes the number of resources. @returns which of them, from 0
   */
  valuesFor(template: string, choose: (length: number) => number): PathValues {
    for (const prefix of [...prefixesOf(template)].reverse()) {
      const known = this.#byPrefix.get(prefix) ?? [];
      const found = known[choose(known.length)];
      if (found !== undefined) return found;
    }
    return [];
  }

  /** The id that a property such as `userId` refers to: that of a resource under `/users/`. */
  referredBy(property: string): Json | undefined {
    const stem = /^(.+?)_?id$/i.exec(property)?.[1]?.toLowerCase();
    if (stem === undefined) return undefined;
    for (const [prefix, known] of this.#byPrefix) {
      const collection = /([^/]*)\/\{\}$/.exec(prefix)?.[1]?.toLowerCase();
      const id = known[0]?.at(-1);
      if (id !== undefined && collection?.startsWith(stem) === true) return id;
    }
    return undefined;
  }
}

function isSame(a: PathValues, b: PathValues): boolean {
  return (
    a.length === b.length && a.every((value, index) => JSON.stringify(value) === JSON.stringify(b[index]))
  );
}
