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

/** What an answer says about a resource. */
export type Entity = Readonly<Record<string, Json>>;

export class KnownResources {
  readonly #byPrefix: Map<string, PathValues[]>;
  readonly #entities = new Map<string, Entity>();

  /** @param templates - the paths that resources may have */
  constructor(templates: readonly string[] = []) {
    this.#byPrefix = new Map(templates.flatMap(prefixesOf).map((prefix) => [prefix, []]));
  }

  /** Remembers a resource, and those that its path leads through. */
  add(template: string, values: PathValues, entity?: Entity): void {
    if (entity !== undefined) this.#entities.set(entityKey(template, values), entity);
    prefixesOf(template).forEach((prefix, index) => {
      const own = values.slice(0, index + 1);
      if (own.length <= index) return;
      const known = this.#byPrefix.get(prefix) ?? [];
      this.#byPrefix.set(prefix, known);
      if (known.length < MOST && !known.some((each) => isSame(each, own))) known.push(own);
    });
  }

  /** Forgets a resource that is gone, and all below it; other paths that end like its own may lead to it too. */
  forget(values: PathValues, template: string): void {
    const prefix = withoutNames(template);
    const end = /[^/]*\/\{\}$/.exec(prefix)?.[0];
    for (const [each, known] of this.#byPrefix) {
      const isBelow = each.startsWith(prefix);
      if (!isBelow && (end === undefined || !each.endsWith(`/${end}`))) continue;
      const isGone = (own: PathValues): boolean =>
        isSame(isBelow ? own.slice(0, values.length) : own.slice(-1), isBelow ? values : values.slice(-1));
      this.#byPrefix.set(
        each,
        known.filter((own) => !isGone(own)),
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

  /** What was answered about the resource of a path. */
  entityOf(template: string, values: PathValues): Entity | undefined {
    return this.#entities.get(entityKey(template, values));
  }

  /** The id that a property such as `userId` refers to: that of a resource under `/users/`. */
  referredBy(property: string): Json | undefined {
    return this.#collectionsOf(property)
      .flatMap((known) => known[0]?.at(-1) ?? [])
      .at(0);
  }

  /** Whether a property refers to resources, and its value to none that is known. */
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
  return JSON.stringify([withoutNames(template), values]);
}

/** A path writes the number 7 and the text "7" alike. */
function isSame(a: PathValues, b: PathValues): boolean {
  const written = (value: Json | undefined): string =>
    typeof value === 'object' ? JSON.stringify(value) : String(value);
  return a.length === b.length && a.every((value, index) => written(value) === written(b[index]));
}
