/** Remembers the resources of a server by the values of the path parameters that lead to them. */

import type { Json } from '@concordat/runtime';
import { writeExactJson } from '@concordat/runtime/client';
import { isObject } from '@concordat/runtime/parts';

/** The values of a path's parameters, in order. */
export type PathValues = readonly Json[];

const PARAMETER = /\{([^}]+)\}/g;
/** The most resources remembered per path. */
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

/** The state of a resource in an answer. */
export type Entity = Readonly<Record<string, Json>>;

export function isEntity(value: Json | undefined): value is Entity {
  return isObject(value);
}

export class KnownResources {
  readonly #byPrefix: Map<string, PathValues[]>;
  readonly #entities = new Map<string, Entity>();

  /** @param templates - the paths that resources may have */
  constructor(templates: readonly string[] = []) {
    this.#byPrefix = new Map(templates.flatMap(prefixesOf).map((prefix) => [prefix, []]));
  }

  /** Remembers a resource and its ancestors in the path. */
  add(template: string, values: PathValues, entity?: Entity): void {
    if (entity !== undefined) this.#entities.set(entityKey(template, values), entity);
    prefixesOf(template).forEach((prefix, index) => {
      const own = values.slice(0, index + 1);
      if (own.length <= index) return;
      const known = this.#byPrefix.get(prefix) ?? [];
      this.#byPrefix.set(prefix, known);
      if (known.length < MOST && !known.some((each) => isSameResource(each, own))) known.push(own);
    });
  }

  /** Forgets a deleted resource, all below it, and the same id under other paths that end in the same collection. */
  forget(values: PathValues, template: string): void {
    const prefix = withoutNames(template);
    const end = /[^/]*\/\{\}$/.exec(prefix)?.[0];
    for (const [each, known] of this.#byPrefix) {
      const isBelow = each.startsWith(prefix);
      if (!isBelow && (end === undefined || !each.endsWith(`/${end}`))) continue;
      const isGone = (own: PathValues): boolean =>
        isSameResource(
          isBelow ? own.slice(0, values.length) : own.slice(-1),
          isBelow ? values : values.slice(-1),
        );
      this.#byPrefix.set(
        each,
        known.filter((own) => !isGone(own)),
      );
    }
  }

  /**
   * The path values of a known resource, for as many of a template's first parameters as possible.
   *
   * @param choose - chooses an index below the number of resources
   */
  valuesFor(template: string, choose: (length: number) => number): PathValues {
    for (const prefix of [...prefixesOf(template)].reverse()) {
      const known = this.#byPrefix.get(prefix) ?? [];
      const found = known[choose(known.length)];
      if (found !== undefined) return found;
    }
    return [];
  }

  /** The latest known state of the resource at a path. */
  entityOf(template: string, values: PathValues): Entity | undefined {
    return this.#entities.get(entityKey(template, values));
  }

  /** An id for a property such as `userId`: that of a known resource under `/users/`. */
  referredBy(property: string): Json | undefined {
    return this.#collectionsOf(property)
      .flatMap((known) => known[0]?.at(-1) ?? [])
      .at(0);
  }

  /** Whether a property refers to resources, but its value is no known id. */
  isUnknown(property: string, value: Json): boolean {
    const collections = this.#collectionsOf(property);
    return (
      collections.length > 0 && !collections.some((known) => known.some((each) => each.at(-1) === value))
    );
  }

  /** Whether a property such as `userId` refers to resources. */
  isReference(property: string): boolean {
    return this.#collectionsOf(property).length > 0;
  }

  #collectionsOf(property: string): readonly (readonly PathValues[])[] {
    const stem = /^(.+?)_?id$/i.exec(property)?.[1]?.toLowerCase();
    if (stem === undefined) return [];
    return [...this.#byPrefix].flatMap(([prefix, known]) => {
      const collection = /([^/]*)\/\{\}$/.exec(prefix)?.[1]?.toLowerCase();
      return collection?.startsWith(stem) === true ? [known] : [];
    });
  }
}

function entityKey(template: string, values: PathValues): string {
  return writeExactJson([withoutNames(template), values]);
}

/** The number 7 and the text "7" are the same in a path. */
export function isSameResource(a: PathValues, b: PathValues): boolean {
  const written = (value: Json | undefined): string =>
    typeof value === 'object' ? JSON.stringify(value) : String(value);
  return a.length === b.length && a.every((value, index) => written(value) === written(b[index]));
}
