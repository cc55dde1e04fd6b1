/** Finds how values are converted: one function per schema, or per set of schemas that hold together. */

import type { Placed, ContractSchemas } from '../../contract/schemas/contract-schemas.js';
import { type Discrimination, Discriminators } from '../../contract/schemas/discriminators.js';
import { SILENT, nameOfPlace, pascal } from '../../checks/schemas/units.js';
import { freeName } from '../../text/identifiers.js';
import { joinPointer, placeTokens } from '../../text/pointer.js';
import type {
  Choice,
  Content,
  Conversion,
  FunctionConversion,
  Parts,
  ScalarConversion,
} from './value-function.js';
import type { Conjunction, Union, ValuePlaces } from './value-places.js';
import { CODECS } from './value-helpers.js';
import { type Leaf, leafOf } from '../../contract/model/value-types.js';
import { elements, entries, isObject } from '../../contract/schemas/document.js';

/** Schemas that hold for one value. `settled` are the unions whose chosen member is already among them. */
interface State {
  readonly places: readonly string[];
  readonly settled: readonly string[];
}

/** Tokens that are omitted from names. `allOf` is among them, because conversions merge its members. */
const OMITTED: ReadonlySet<string> = new Set([...SILENT, 'allOf']);

export class Conversions {
  readonly #discriminators: Discriminators;
  readonly #scalars = new Map<string, ScalarConversion>();
  readonly #functions = new Map<string, FunctionConversion>();
  readonly #names = new Set<string>();

  constructor(private readonly places: ValuePlaces) {
    this.#discriminators = new Discriminators(places.schemas);
  }

  /** All scalars and all functions so far. Writing a function may add others. */
  get scalars(): Iterable<ScalarConversion> {
    return this.#scalars.values();
  }

  get functions(): Iterable<FunctionConversion> {
    return this.#functions.values();
  }

  /** The function for a whole value. @param name - its name, unless the schema is a component */
  root(place: string, name: string): FunctionConversion | undefined {
    const state = this.#state([place], []);
    return state && this.#function(state, name);
  }

  #conversion(state: State | undefined, name?: string): Conversion | undefined {
    if (state === undefined) return undefined;
    const leaf = this.#leaf(this.#together(state));
    return leaf === undefined ? this.#function(state, name) : this.#scalar(leaf);
  }

  /** The state of schemas that have values to convert; undefined when none has. */
  #state(places: readonly string[], settled: readonly string[]): State | undefined {
    const targets = places.map((place) => this.places.target(place));
    const converted = [...new Set(targets)].filter((place) => this.places.isConverted(place)).sort();
    return converted.length === 0 ? undefined : { places: converted, settled };
  }

  #together({ places, settled }: State): Conjunction {
    return this.places.together(places, new Set(settled));
  }

  #leaf({ schemas }: Conjunction): Leaf | undefined {
    return schemas.map(({ schema }) => leafOf(this.places.types, schema)).find((leaf) => leaf !== undefined);
  }

  #scalar({ codec }: Leaf): ScalarConversion {
    const key = JSON.stringify(codec);
    const known = this.#scalars.get(key);
    if (known) return known;
    const name =
      typeof codec === 'string' ? CODECS[codec].name : freeName(`Own${pascal(codec.type)}`, this.#names, '_');
    const isExact = codec === 'int64' || codec === 'uint64';
    const scalar: ScalarConversion = { kind: 'scalar', name, isExact, isUnion: false, codec };
    this.#scalars.set(key, scalar);
    return scalar;
  }

  #function(state: State, wanted?: string): FunctionConversion {
    const key = JSON.stringify(state);
    const known = this.#functions.get(key);
    if (known) return known;
    const [first = '#', ...others] = state.places;
    const isComponent = others.length === 0 && /^#\/components\/schemas\/[^/]+$/.test(first);
    const conversion: FunctionConversion = {
      kind: 'function',
      name: freeName(isComponent || wanted === undefined ? nameOf(state.places) : wanted, this.#names, '_'),
      about: state.places.join(' and '),
      isExact: state.places.some((place) => this.places.isExact(place)),
      isUnion: this.#together(state).unions.length > 0,
      content: () => this.#content(state),
    };
    this.#functions.set(key, conversion);
    return conversion;
  }

  #content(state: State): Content {
    const together = this.#together(state);
    const leaf = this.#leaf(together);
    if (leaf !== undefined) return { scalar: this.#scalar(leaf) };
    const [union] = together.unions;
    return union === undefined
      ? { parts: this.#parts(together.schemas) }
      : { choice: this.#choice(state, union) };
  }

  #choice(state: State, union: Union): Choice {
    const rest: State = { places: state.places, settled: [...state.settled, union.at].sort() };
    const otherwise = this.#isEmpty(rest) ? undefined : rest;
    const conversionOf = ({ at }: Placed): Conversion | undefined => {
      const both = otherwise && this.#state([...otherwise.places, at], otherwise.settled);
      return this.#conversion(both ?? this.#state([at], []));
    };
    const discrimination = this.#discriminators.read(union.owner);
    if (discrimination !== undefined && this.#decides(discrimination, union)) {
      return {
        property: discrimination.property,
        branches: discrimination.branches.map(({ values, placed }) => ({
          values,
          conversion: conversionOf(placed),
        })),
        otherwise: this.#conversion(otherwise),
      };
    }
    const tag = tagOf(this.places.schemas, union.members);
    if (tag !== undefined) {
      const branches = union.members.map((member, index) => ({
        values: tag.values[index] ?? [],
        conversion: conversionOf(member),
      }));
      return { property: tag.property, branches, otherwise: this.#conversion(otherwise) };
    }
    return {
      members: union.members.map((member) => ({ place: member.at, conversion: conversionOf(member) })),
    };
  }

  #decides({ among, others }: Discrimination, union: Union): boolean {
    return (
      union.at === joinPointer(union.owner.at, among) && !others.some(({ at }) => this.places.isConverted(at))
    );
  }

  #isEmpty(state: State): boolean {
    const together = this.#together(state);
    if (this.#leaf(together) !== undefined || together.unions.length > 0) return false;
    const { properties, patterns, additional, prefix, items } = this.#parts(together.schemas, true);
    return (
      properties.length === 0 &&
      [...patterns.map(([, conversion]) => conversion), additional, ...prefix, items].every(
        (conversion) => conversion === undefined,
      )
    );
  }

  /** @param isTrial - whether no functions are made */
  #parts(schemas: Conjunction['schemas'], isTrial = false): Parts {
    const places = this.places;
    const conversionOf = (found: readonly (string | undefined)[]): Conversion | undefined => {
      const state = this.#state(
        found.filter((place) => place !== undefined),
        [],
      );
      if (state !== undefined && isTrial)
        return { kind: 'function', name: '', isExact: false, isUnion: false };
      return this.#conversion(state);
    };
    const owners = schemas.map((placed) => ({
      properties: new Map(places.parts(placed, 'properties').map(({ key, at }) => [String(key), at])),
      patterns: new Map(places.parts(placed, 'patternProperties').map(({ key, at }) => [String(key), at])),
      additional: places.parts(placed, 'additionalProperties')[0]?.at,
      prefix: places.parts(placed, 'prefixItems').map(({ at }) => at),
      items: places.parts(placed, 'items')[0]?.at,
    }));
    const listed = [...new Set(owners.flatMap(({ properties }) => [...properties.keys()]))];
    const patterns = [...new Set(owners.flatMap((owner) => [...owner.patterns.keys()]))];
    const longest = Math.max(0, ...owners.map(({ prefix }) => prefix.length));
    return {
      properties: listed.flatMap((name): readonly (readonly [string, Conversion])[] => {
        const conversion = conversionOf(
          owners.flatMap((owner) => {
            const matching = [...owner.patterns].filter(([pattern]) => new RegExp(pattern, 'u').test(name));
            const own = [owner.properties.get(name), ...matching.map(([, at]) => at)].filter(
              (at) => at !== undefined,
            );
            return own.length > 0 ? own : [owner.additional];
          }),
        );
        return conversion === undefined ? [] : [[name, conversion]];
      }),
      listed,
      patterns: patterns.map((pattern) => [
        pattern,
        conversionOf(owners.map((owner) => owner.patterns.get(pattern) ?? owner.additional)),
      ]),
      additional: conversionOf(owners.map(({ additional }) => additional)),
      prefix: Array.from({ length: longest }, (_, index) =>
        conversionOf(owners.map(({ prefix, items }) => prefix[index] ?? items)),
      ),
      items: conversionOf(owners.map(({ items }) => items)),
    };
  }
}

/** `#/components/schemas/Room/properties/guests/items` is `RoomGuestsItems`. */
function nameOf(places: readonly string[]): string {
  const names = places.map((place) => nameOfPlace(placeTokens(place), OMITTED));
  return names.join('And') || 'Value';
}

/** A property whose values distinguish members, and the values of each member. */
interface Tag {
  readonly property: string;
  readonly values: readonly (readonly string[])[];
}

/**
 * Distinguishes members without a discriminator: by the first property that every member requires and restricts to listed texts,
 * if no two members share a text.
 */
function tagOf(schemas: ContractSchemas, members: readonly Placed[]): Tag | undefined {
  const [first = new Map<string, readonly string[]>(), ...others] = members.map((member) =>
    tagsOf(schemas, member),
  );
  for (const [property, own] of first) {
    const values = [own, ...others.map((tags) => tags.get(property) ?? [])];
    const all = values.flat();
    if (values.every(({ length }) => length > 0) && new Set(all).size === all.length)
      return { property, values };
  }
  return undefined;
}

/** The required properties of a schema that are restricted to listed texts. */
function tagsOf(schemas: ContractSchemas, member: Placed): ReadonlyMap<string, readonly string[]> {
  const certain = [...schemas.certainly(member)].map(({ schema }) => schema);
  const required = new Set(certain.flatMap((schema) => elements(schema['required'])));
  const tags = certain
    .flatMap((schema) => entries(schema['properties']))
    .flatMap(([name, described]): [string, readonly string[]][] => {
      if (!required.has(name) || !isObject(described)) return [];
      const values = 'const' in described ? [described['const']] : elements(described['enum']);
      const texts = values.filter((value) => typeof value === 'string');
      return texts.length > 0 && texts.length === values.length ? [[name, texts]] : [];
    });
  return new Map(tags);
}
