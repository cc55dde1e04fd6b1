/** Reads discriminators, which map the values of a property to schemas (OpenAPI, Discriminator Object). */
import type { ContractSchemas, Placed } from './contract-schemas.js';
import { type Fields, elements, entries, isObject } from './document.js';
import { joinPointer, placeTokens } from '../../text/pointer.js';

/** One alternative that a discriminator can pick. */
export interface Branch {
  /** The property values that pick it. */
  readonly values: readonly string[];
  /** The schema that it refers to; absent if the schema is written in place. */
  readonly reference?: string;
  /** A member of `oneOf` or `anyOf`, or a schema that extends this one. */
  readonly placed: Placed;
}

/** The decision of a discriminator. */
export interface Discrimination {
  readonly property: string;
  /** `inheritance` when the alternatives are the schemas that extend this one through `allOf`. */
  readonly among: 'oneOf' | 'anyOf' | 'inheritance';
  readonly branches: readonly Branch[];
  /** Members of `oneOf` or `anyOf` whose values are not objects and so have no discriminator. */
  readonly others: readonly Placed[];
  /** The schema of values without the property, or with a value that picks no branch (`defaultMapping`). */
  readonly byDefault?: Placed;
}

/** An alternative before its values are known. */
interface Alternative {
  readonly placed: Placed;
  readonly reference: string | undefined;
}

export class Discriminators {
  readonly #heirs = new Map<string, readonly string[]>();
  #parents: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(private readonly schemas: ContractSchemas) {}

  /** The component schemas that a discriminator can pick without a `oneOf` or `anyOf` that lists them. */
  heirs({ schema, at }: Placed): readonly string[] {
    const discriminator = discriminatorOf(schema);
    if (discriminator === undefined || alternativesOf(schema) !== undefined) return [];
    const mapped = entries(discriminator['mapping']).flatMap(([, name]) => this.#mapped(name) ?? []);
    return [...new Set([...this.#extending(at), ...mapped])].filter((pointer) => pointer !== at);
  }

  /**
   * True when the schema at `child` extends the one at `parent`. A reference from the child to the parent then means
   * the parent's own keywords without its discriminator, which would lead back to the child.
   */
  extends(child: string, parent: string): boolean {
    return this.#extending(parent).includes(child);
  }

  /** The decision of a schema's discriminator; `undefined` if it has none, or an unsupported one, which is reported. */
  read(placed: Placed): Discrimination | undefined {
    const { schema } = placed;
    const property = discriminatorOf(schema)?.['propertyName'];
    if (!isObject(schema) || typeof property !== 'string') return undefined;
    const among = alternativesOf(schema);
    return among === undefined
      ? this.#inheritance(placed, property)
      : this.#alternatives(placed, property, among, elements(schema[among]));
  }

  #alternatives(
    { schema, at }: Placed,
    property: string,
    among: 'oneOf' | 'anyOf',
    members: readonly unknown[],
  ): Discrimination | undefined {
    const names = this.#mapping({ schema, at });
    const others: Placed[] = [];
    const alternatives: Alternative[] = [];
    for (const [index, member] of members.entries()) {
      const placed = { schema: member, at: joinPointer(at, among, index) };
      const [reference] = this.schemas.references(placed, new Map());
      if (this.schemas.mayBe(placed, 'object')) alternatives.push({ placed, reference });
      else others.push(placed);
    }
    const listed = new Set(alternatives.map(({ reference }) => reference));
    const branches = this.#branches(alternatives, property, names);
    const unnamed = branches.find(({ values }) => values.length === 0);
    if (unnamed !== undefined) {
      this.schemas.unsupported(
        'discriminator-branch',
        unnamed.placed.at,
        `this alternative has no name, and its "${property}" has neither const nor enum: the discriminator cannot pick it`,
      );
      return undefined;
    }
    for (const pointer of names.keys()) {
      if (listed.has(pointer)) continue;
      const mapping = joinPointer(at, 'discriminator', 'mapping');
      const message = `maps to ${pointer}, which ${among} does not list`;
      this.schemas.unsupported('discriminator-mapping', mapping, message);
    }
    const byDefault = this.#byDefault({ schema, at }, branches);
    return { property, among, branches, others, ...(byDefault && { byDefault }) };
  }

  /**
   * The branches with their values: those of the mapping, or those that the branch's own `const` or `enum` allows, or the name of
   * its schema. A value that a narrower branch also allows belongs to the narrower one. A referenced schema that still shares a
   * value with another branch is picked by its name.
   */
  #branches(
    alternatives: readonly Alternative[],
    property: string,
    names: ReadonlyMap<string, readonly string[]>,
  ): readonly Branch[] {
    const own = alternatives.map(({ placed }) => this.#ownValues(placed, property));
    const claimed = own.map((values) => {
      const narrower = own.filter(
        (others) => others.length < values.length && others.every((value) => values.includes(value)),
      );
      return values.filter((value) => !narrower.flat().includes(value));
    });
    const count = new Map<string, number>();
    for (const value of claimed.flat()) count.set(value, (count.get(value) ?? 0) + 1);
    return alternatives.map(({ placed, reference }, index): Branch => {
      if (reference === undefined) return { placed, values: own[index] ?? [] };
      const said = claimed[index] ?? [];
      const isDistinct = said.length > 0 && said.every((value) => count.get(value) === 1);
      const implicit = isDistinct ? said : [placeTokens(reference).at(-1) ?? ''];
      return { placed, reference, values: names.get(reference) ?? implicit };
    });
  }

  /** The branch that `defaultMapping` names. */
  #byDefault({ schema, at }: Placed, branches: readonly Branch[]): Placed | undefined {
    const name = discriminatorOf(schema)?.['defaultMapping'];
    if (name === undefined || this.schemas.dialect.version !== '3.2') return undefined;
    const pointer = this.#mapped(name);
    const found = branches.find(({ reference }) => reference !== undefined && reference === pointer);
    if (found === undefined) {
      this.schemas.unsupported(
        'discriminator-mapping',
        joinPointer(at, 'discriminator', 'defaultMapping'),
        `${JSON.stringify(name)} names no alternative of the discriminator`,
      );
    }
    return found?.placed;
  }

  #inheritance(placed: Placed, property: string): Discrimination | undefined {
    const names = this.#mapping(placed);
    const heirs = this.heirs(placed);
    if (heirs.length === 0) {
      this.schemas.unsupported(
        'discriminator-inheritance',
        joinPointer(placed.at, 'discriminator'),
        'no schema of the document extends this one through allOf, so the discriminator has no schemas to choose from',
      );
      return undefined;
    }
    const alternatives = heirs.map((pointer) => ({ placed: this.schemas.at(pointer), reference: pointer }));
    const branches = this.#branches(alternatives, property, names);
    // A discriminator can also name the schema that has it.
    const own = names.get(placed.at) ?? [placeTokens(placed.at).at(-1) ?? ''];
    const byDefault = this.#byDefault(placed, branches);
    return {
      property,
      among: 'inheritance',
      branches: [...branches, { values: own, placed: { schema: true, at: placed.at } }],
      others: [],
      ...(byDefault && { byDefault }),
    };
  }

  /** The values of the explicit mapping, by schema. A schema with a mapping loses its implicit name. */
  #mapping({ schema, at }: Placed): ReadonlyMap<string, readonly string[]> {
    const names = new Map<string, string[]>();
    for (const [value, name] of entries(discriminatorOf(schema)?.['mapping'])) {
      const pointer = this.#mapped(name);
      if (pointer === undefined) {
        const place = joinPointer(at, 'discriminator', 'mapping', value);
        const message = `"${String(name)}" names no schema of the document`;
        this.schemas.unsupported('discriminator-mapping', place, message);
      } else names.set(pointer, [...(names.get(pointer) ?? []), value]);
    }
    return names;
  }

  /** The schema that a mapping's value means: the name of a component schema, or a reference. */
  #mapped(name: unknown): string | undefined {
    if (typeof name !== 'string') return undefined;
    if (
      isObject(this.schemas.document.components?.schemas) &&
      Object.hasOwn(this.schemas.document.components.schemas, name)
    ) {
      return joinPointer('#/components/schemas', name);
    }
    if (!name.startsWith('#')) return undefined;
    try {
      return this.schemas.target(name, { schema: undefined, at: name });
    } catch {
      return undefined;
    }
  }

  /** The texts that every `const` and `enum` of the property allows; none if nothing restricts it to texts. */
  #ownValues(placed: Placed, property: string): readonly string[] {
    let allowed: readonly string[] | undefined;
    for (const { schema, at } of this.schemas.certainly(placed)) {
      const described = isObject(schema['properties']) ? schema['properties'][property] : undefined;
      const place: Placed = { schema: described, at: joinPointer(at, 'properties', property) };
      for (const { schema: part } of this.schemas.certainly(place)) {
        if (!('const' in part) && !Array.isArray(part['enum'])) continue;
        const values = 'const' in part ? [part['const']] : elements(part['enum']);
        const texts = values.filter((value) => typeof value === 'string');
        allowed = allowed?.filter((value) => texts.includes(value)) ?? texts;
      }
    }
    return allowed ?? [];
  }

  /** The component schemas whose `allOf` includes the schema at a place, directly or indirectly. */
  #extending(pointer: string): readonly string[] {
    let heirs = this.#heirs.get(pointer);
    if (heirs === undefined) {
      this.#parents ??= this.#readParents();
      heirs = [...this.#parents].filter(([, parents]) => parents.has(pointer)).map(([child]) => child);
      this.#heirs.set(pointer, heirs);
    }
    return heirs;
  }

  #readParents(): ReadonlyMap<string, ReadonlySet<string>> {
    const parents = new Map<string, ReadonlySet<string>>();
    for (const name of Object.keys(this.schemas.document.components?.schemas ?? {})) {
      const child = joinPointer('#/components/schemas', name);
      const placed = this.schemas.at(child);
      if (!isObject(placed.schema) || !('allOf' in placed.schema)) continue;
      const above = new Set([...this.schemas.certainly(placed)].map(({ at }) => at));
      above.delete(child);
      parents.set(child, above);
    }
    return parents;
  }
}

/** The Discriminator Object of a schema. */
export function discriminatorOf(schema: unknown): Fields | undefined {
  const discriminator = isObject(schema) ? schema['discriminator'] : undefined;
  return isObject(discriminator) ? discriminator : undefined;
}

function alternativesOf(schema: unknown): 'oneOf' | 'anyOf' | undefined {
  if (!isObject(schema)) return undefined;
  return (['oneOf', 'anyOf'] as const).find((keyword) => Array.isArray(schema[keyword]));
}
