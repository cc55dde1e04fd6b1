/** Finds how values are converted: one function per schema, or per set of schemas that hold together. */

import type { SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { type Discrimination, discriminationOf } from '../../contract/schemas/discriminators.js';
import type { DispatchOn } from '../../checks/compiler/linked-schema.js';
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
import type { Leaf } from '../../contract/schemas/value-types.js';
import { elements } from '../../contract/schemas/document.js';

/** Schemas that hold for one value. `settled` are the unions whose chosen member is already among them. */
interface State {
  readonly nodes: readonly SchemaNode[];
  readonly settled: readonly string[];
}

function placesOf({ nodes }: State): readonly string[] {
  return nodes.map(({ at }) => at);
}

/** Tokens that are omitted from names. `allOf` is among them, because conversions merge its members. */
const OMITTED: ReadonlySet<string> = new Set([...SILENT, 'allOf']);

function keyOf(state: State): string {
  return JSON.stringify([placesOf(state), state.settled]);
}

export class Conversions {
  readonly #scalars = new Map<string, ScalarConversion>();
  readonly #functions = new Map<string, FunctionConversion>();
  readonly #names = new Set<string>();

  constructor(private readonly places: ValuePlaces) {}

  /** All scalars and all functions so far. Writing a function may add others. */
  get scalars(): Iterable<ScalarConversion> {
    return this.#scalars.values();
  }

  get functions(): Iterable<FunctionConversion> {
    return this.#functions.values();
  }

  /** The function for a whole value. @param name - its name, unless the schema is a component */
  root(node: SchemaNode, name: string): FunctionConversion | undefined {
    const state = this.#state([node], []);
    return state && this.#function(state, name);
  }

  /** The function for the values of a schema, if it has been needed. */
  known(node: SchemaNode): FunctionConversion | undefined {
    const state = this.#state([node], []);
    return state && this.#functions.get(keyOf(state));
  }

  #conversion(state: State | undefined, name?: string): Conversion | undefined {
    if (state === undefined) return undefined;
    const leaf = this.#leaf(this.#together(state));
    return leaf === undefined ? this.#function(state, name) : this.#scalar(leaf);
  }

  /** The state of schemas that have values to convert; undefined when none has. */
  #state(nodes: readonly SchemaNode[], settled: readonly string[]): State | undefined {
    const targets = nodes.map((node) => this.places.target(node));
    const converted = new Map(
      targets.filter((node) => this.places.isConverted(node)).map((node) => [node.at, node]),
    );
    if (converted.size === 0) return undefined;
    return { nodes: [...converted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, node]) => node), settled };
  }

  #together({ nodes, settled }: State): Conjunction {
    return this.places.together(nodes, settled);
  }

  #leaf({ schemas }: Conjunction): Leaf | undefined {
    return schemas.map(({ leaf }) => leaf).find((leaf) => leaf !== undefined);
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
    const places = placesOf(state);
    const key = keyOf(state);
    const known = this.#functions.get(key);
    if (known) return known;
    const [first = '#', ...others] = places;
    const isComponent = others.length === 0 && /^#\/components\/schemas\/[^/]+$/.test(first);
    const conversion: FunctionConversion = {
      kind: 'function',
      name: freeName(isComponent || wanted === undefined ? nameOf(places) : wanted, this.#names, '_'),
      about: places.join(' and '),
      isExact: state.nodes.some((node) => this.places.isExact(node)),
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
    const rest: State = { nodes: state.nodes, settled: [...state.settled, union.at].sort() };
    const otherwise = this.#isEmpty(rest) ? undefined : rest;
    const conversionOf = (node: SchemaNode): Conversion | undefined => {
      const both = otherwise && this.#state([...otherwise.nodes, node], otherwise.settled);
      return this.#conversion(both ?? this.#state([node], []));
    };
    const discrimination = discriminationOf(union.owner);
    if (discrimination !== undefined && this.#decides(discrimination, union)) {
      return {
        property: discrimination.property,
        branches: discrimination.branches.map(({ values, node }) => ({
          values,
          conversion: conversionOf(node),
        })),
        otherwise: this.#conversion(otherwise),
      };
    }
    const tag = tagOf(union.members);
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
      union.at === joinPointer(union.owner.at, among) &&
      !others.some((other) => this.places.isConverted(other))
    );
  }

  #isEmpty(state: State): boolean {
    const together = this.#together(state);
    if (this.#leaf(together) !== undefined || together.unions.length > 0) return false;
    const { properties, patterns, additional, prefix, items } = this.#parts(together.schemas, true);
    const members = [...properties, ...patterns].map(([, conversion]) => conversion);
    return [...members, additional, ...prefix, items].every((conversion) => conversion === undefined);
  }

  /** @param isTrial - whether no functions are made */
  #parts(schemas: Conjunction['schemas'], isTrial = false): Parts {
    const conversionOf = (found: readonly (SchemaNode | undefined)[]): Conversion | undefined => {
      const nodes = found.filter((node) => node !== undefined);
      const state = this.#state(nodes, []);
      if (state !== undefined && isTrial)
        return { kind: 'function', name: '', isExact: false, isUnion: false };
      return this.#conversion(state);
    };
    const owners = schemas.map((node) => ({
      properties: new Map(node.under('properties').map((part) => [String(part.key), part])),
      patterns: new Map(node.under('patternProperties').map((part) => [String(part.key), part])),
      additional: node.under('additionalProperties')[0],
      prefix: node.under('prefixItems'),
      items: node.under('items')[0],
    }));
    const listed = [...new Set(owners.flatMap(({ properties }) => [...properties.keys()]))];
    const patterns = [...new Set(owners.flatMap((owner) => [...owner.patterns.keys()]))];
    const longest = Math.max(0, ...owners.map(({ prefix }) => prefix.length));
    return {
      properties: listed.flatMap((name): readonly (readonly [string, Conversion])[] => {
        const conversion = conversionOf(
          owners.flatMap((owner) => {
            const matching = [...owner.patterns].filter(([pattern]) => new RegExp(pattern, 'u').test(name));
            const parts = [owner.properties.get(name), ...matching.map(([, part]) => part)];
            return parts.some((part) => part !== undefined) ? parts : [owner.additional];
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

/**
 * Distinguishes members without a discriminator: by the first property that every member requires and restricts to listed texts,
 * if no two members share a text.
 */
function tagOf(members: readonly SchemaNode[]): DispatchOn | undefined {
  const [first = new Map<string, readonly string[]>(), ...others] = members.map(tagsOf);
  for (const [property, own] of first) {
    const values = [own, ...others.map((tags) => tags.get(property) ?? [])];
    const all = values.flat();
    if (values.every(({ length }) => length > 0) && new Set(all).size === all.length)
      return { property, values };
  }
  return undefined;
}

/** The required properties of a schema that are restricted to listed texts. */
function tagsOf({ certain }: SchemaNode): ReadonlyMap<string, readonly string[]> {
  const required = new Set(certain.flatMap(({ object }) => elements(object.required)));
  const tags = certain
    .flatMap((each) => each.under('properties'))
    .flatMap(({ key, object }): [string, readonly string[]][] => {
      const name = String(key);
      if (!required.has(name)) return [];
      const values = 'const' in object ? [object.const] : elements(object.enum);
      const texts = values.filter((value) => typeof value === 'string');
      return texts.length > 0 && texts.length === values.length ? [[name, texts]] : [];
    });
  return new Map(tags);
}
