/** A view of the schemas of a value, with their references and `allOf` read as one schema. */

import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@concordat/runtime';
import { joinPointer } from 'concordat/contract';
import { ALTERNATIONS, type Alternation, alternative } from '../../values/keyword-values.js';
import {
  type Part,
  type PlainPart,
  isNever,
  isNull,
  members,
  partIn,
  remembered,
  typesOf,
} from '../../values/parts.js';
import { type Listed, isOf, listOfAlternatives, listsOf, typeOf, wholeNumbers } from './listed-values.js';

export interface WrittenKeyword {
  readonly value: unknown;
  readonly at: string;
  /** The schema that has it. */
  readonly part: Part;
}

export type Direction = 'request' | 'response';

/** The flag of the properties that a direction does not carry. */
export const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const;

/** Deeper alternatives count as having any type. */
const DEPTH_OF_ALTERNATIVES = 8;

export interface Alternative {
  readonly keyword: Alternation;
  /** The name that identifies the alternative in both versions. */
  readonly name: string;
  readonly at: string;
  /** The alternative, and the schemas that hold beside it. */
  readonly parts: readonly Part[];
}

interface ViewOptions {
  /** Whether a single alternative is kept as one, for comparison with several. */
  readonly keepsSingles?: boolean;
  readonly depth?: number;
}

export class SchemaView {
  readonly members: readonly PlainPart[];

  /** Undefined if any type is allowed. */
  readonly types: readonly string[] | undefined;
  /** The values that are allowed, if they are listed. */
  readonly listed: Listed | undefined;
  readonly #nullable: boolean;
  readonly #depth: number;
  #properties: ReadonlyMap<string, readonly Part[]> | undefined;
  #required: ReadonlyMap<string, string> | undefined;
  #alternatives: readonly Alternative[] | undefined;
  readonly #carried: Partial<Record<Direction, ReadonlySet<string>>> = {};

  /** The view of parts as they are found in a document. The same parts are found in many places. */
  static of(parts: readonly Part[], at: string | undefined, keepsSingles: boolean): SchemaView {
    const places = parts.map((part) => part.at).join(' ');
    const what = `view ${String(keepsSingles)} ${String(at)} ${places}`;
    return remembered(parts, what, () => new SchemaView(parts, at, { keepsSingles }));
  }

  /** @param at - the place of the schema, or the nearest place around it if a version has none */
  constructor(
    parts: readonly Part[],
    readonly at: string | undefined,
    { keepsSingles = false, depth = 0 }: ViewOptions = {},
  ) {
    this.#depth = depth;
    const found = members(parts).map((part) => inlined(part, keepsSingles));
    this.members = found.flatMap((each) => each.parts);
    this.#nullable = found.some(({ isNullable }) => isNullable);
    const declared = this.#types();
    this.listed = this.#listed(declared);
    this.types = declared;
  }

  #types(): readonly string[] | undefined {
    const own = typesOf(this.members) ?? this.#typesOfAlternatives();
    return own === undefined || !this.#nullable || own.includes('null') ? own : [...own, 'null'];
  }

  /** The types of the first list of alternatives that all have a type. */
  #typesOfAlternatives(): readonly string[] | undefined {
    if (this.#depth >= DEPTH_OF_ALTERNATIVES) return undefined;
    for (const part of this.members) {
      for (const keyword of ALTERNATIONS) {
        const types = (part.schema[keyword] ?? []).map((_, index) => {
          const inner = alternative(part, keyword, index);
          const depth = this.#depth + 1;
          return remembered(inner, `types ${depth}`, () => new SchemaView(inner, undefined, { depth }).types);
        });
        if (types.length > 0 && !types.includes(undefined))
          return [...new Set(types.flatMap((type) => type ?? []))];
      }
    }
    return undefined;
  }

  #listed(types: readonly string[] | undefined): Listed | undefined {
    const lists = this.members.flatMap((part): readonly Listed[] => [
      ...listsOf(part),
      ...ALTERNATIONS.flatMap((keyword) => listOfAlternatives(part, keyword) ?? []),
    ]);
    const [first = this.#few(types), ...others] = lists;
    if (first === undefined) return undefined;
    const isIn = (value: Json) => (list: Listed) => list.value.some((each) => isEqual(each, value));
    const value = first.value.filter(
      (each) => others.every(isIn(each)) && (types === undefined || types.some((type) => isOf(each, type))),
    );
    return { ...first, value };
  }

  /** The values of the types or of the range, if there are only a few. */
  #few(types: readonly string[] | undefined): Listed | undefined {
    if (types === undefined || types.length === 0) return undefined;
    const limits = (name: string): readonly number[] => this.keywords(name).map(({ value }) => Number(value));
    const least = Math.ceil(Math.max(-Infinity, ...limits('minimum')));
    const most = Math.floor(Math.min(Infinity, ...limits('maximum')));
    const numbers = wholeNumbers(least, most);
    const values: Readonly<Record<string, readonly Json[]>> = {
      null: [null],
      boolean: [true, false],
      ...(numbers.length > 0 && { integer: numbers }),
    };
    if (!types.every((type) => type in values)) return undefined;
    return { value: types.flatMap((type) => values[type] ?? []), at: this.at ?? '#', isOfType: true };
  }

  /** The types of the values, if they are declared or all values are listed. */
  get typesOfValues(): readonly string[] | undefined {
    return this.types ?? (this.listed && [...new Set(this.listed.value.map(typeOf))]);
  }

  /** The keyword in each part that has it; of equal values, only the first. */
  keywords(name: string): readonly WrittenKeyword[] {
    const found = this.members.flatMap((part) =>
      part.schema[name] === undefined
        ? []
        : [{ value: part.schema[name], at: joinPointer(part.at, name), part }],
    );
    return found.filter(
      ({ value }, index) => found.findIndex((other) => isEqual(other.value, value)) === index,
    );
  }

  /** The keyword in the first part that has it. */
  keyword(name: string): WrittenKeyword | undefined {
    return this.keywords(name)[0];
  }

  /** The keyword that forbids properties of other names. */
  get closed(): WrittenKeyword | undefined {
    return ['additionalProperties', 'unevaluatedProperties']
      .flatMap((name) => this.keywords(name))
      .find(({ value }) => isNever(value));
  }

  get properties(): ReadonlyMap<string, readonly Part[]> {
    return (this.#properties ??= this.#readProperties());
  }

  /** The names of the properties that a direction carries: in requests those that are not `readOnly`, in responses not `writeOnly`. */
  carried(direction: Direction): ReadonlySet<string> {
    const isCarried = ([, parts]: readonly [string, readonly Part[]]): boolean =>
      members(parts).every(({ schema }) => schema[HIDDEN[direction]] !== true);
    return (this.#carried[direction] ??= new Set(
      [...this.properties].filter(isCarried).map(([name]) => name),
    ));
  }

  #readProperties(): ReadonlyMap<string, readonly Part[]> {
    const found = new Map<string, readonly Part[]>();
    for (const part of this.members) {
      for (const [name, schema] of Object.entries(part.schema.properties ?? {}))
        found.set(name, [...(found.get(name) ?? []), partIn(part, schema, 'properties', name)]);
    }
    return found;
  }

  /** The place that requires each name. */
  get required(): ReadonlyMap<string, string> {
    return (this.#required ??= this.#readRequired());
  }

  #readRequired(): ReadonlyMap<string, string> {
    const entries = this.members.flatMap(({ schema, at }) =>
      (schema.required ?? []).map((name) => [name, joinPointer(at, 'required')] as const),
    );
    return new Map(entries);
  }

  /** The alternatives, except those that only list values. */
  get alternatives(): readonly Alternative[] {
    return (this.#alternatives ??= this.#readAlternatives());
  }

  #readAlternatives(): readonly Alternative[] {
    return this.members.flatMap((part, place) =>
      ALTERNATIONS.flatMap((keyword) => {
        if (listOfAlternatives(part, keyword) !== undefined) return [];
        const beside = this.members.flatMap((each, index) => {
          if (index !== place) return [each];
          return [{ ...each, schema: { ...each.schema, [keyword]: undefined } }];
        });
        return (part.schema[keyword] ?? []).map((_, index): Alternative => {
          const [own, ...tags] = alternative(part, keyword, index);
          const parts = [...(own === undefined ? [] : [own]), ...tags, ...beside];
          return { keyword, name: nameOf(own, index), at: own?.at ?? part.at, parts };
        });
      }),
    );
  }
}

interface Inlined {
  readonly parts: readonly PlainPart[];
  readonly isNullable: boolean;
}

/** Replaces the list of alternatives of a schema by its only alternative, or by the only one beside null. */
function inlined(part: PlainPart, keepsSingles: boolean, depth = 0): Inlined {
  for (const keyword of ALTERNATIONS) {
    const { [keyword]: list = [], ...own } = part.schema;
    const isNullable = list.length === 2 && list.some(isNull);
    const only = isNullable ? list.findIndex((schema) => !isNull(schema)) : 0;
    const isOnly = isNullable || (!keepsSingles && list.length === 1 && own['discriminator'] === undefined);
    if (!isOnly || only === -1 || depth >= DEPTH_OF_ALTERNATIVES) continue;
    const inner = [{ ...part, schema: own }, ...members(alternative(part, keyword, only).slice(0, 1))].map(
      (each) => inlined(each, keepsSingles, depth + 1),
    );
    return {
      parts: inner.flatMap((each) => each.parts),
      isNullable: isNullable || inner.some((each) => each.isNullable),
    };
  }
  return { parts: [part], isNullable: false };
}

/** Whether two parts of documents are equal as JSON; the order of properties is irrelevant. */
export function isEqual(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** The component's name, else the values of its constant properties, else its title, else its types and index. */
function nameOf(part: Part | undefined, index: number): string {
  if (part === undefined || typeof part.schema === 'boolean') return String(index);
  const { $ref, title, type, properties = {} } = part.schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  const constants = Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'object' && schema.const !== undefined
      ? [`${name} ${JSON.stringify(schema.const)}`]
      : [],
  );
  if (constants.length > 0) return constants.join(', ');
  if (typeof title === 'string') return title;
  return type === undefined ? `alternative ${index + 1}` : [type].flat().join(' or ');
}
