/** What a schema says about a value, with its references and its `allOf` read as one schema. */

import type { Json } from 'concordat';
import {
  ALTERNATIONS,
  type Alternation,
  type Part,
  type PlainPart,
  alternative,
  isNull,
  members,
  partIn,
} from '../../examples/conjunction.js';
import { joinPointer } from '../../text/pointer.js';

export interface Keyword {
  readonly value: unknown;
  readonly at: string;
}

export interface Alternative {
  readonly keyword: Alternation;
  /** Names the alternative in both versions. */
  readonly name: string;
  readonly at: string;
  /** The alternative, and what else holds beside it. */
  readonly parts: readonly Part[];
}

export class SchemaView {
  readonly members: readonly PlainPart[];

  /** Absent where any type will do. */
  readonly types: readonly string[] | undefined;
  readonly #nullable: boolean;
  #properties: ReadonlyMap<string, readonly Part[]> | undefined;
  #required: ReadonlyMap<string, string> | undefined;

  /** @param at - the place of the schema, or the nearest place around it where a version has none */
  constructor(
    parts: readonly Part[],
    readonly at: string | undefined,
  ) {
    const all = members(parts);
    const inlined = all.map((part) => withoutNull(part));
    this.members = inlined.flatMap((each, index) => each ?? [all[index]].flatMap((part) => part ?? []));
    this.#nullable =
      inlined.some((each) => each !== undefined) ||
      this.members.some(({ schema }) => schema.nullable === true);
    this.types = this.#types();
  }

  #types(): readonly string[] | undefined {
    const [first] = this.members.flatMap(({ schema }) =>
      schema.type === undefined ? [] : [[schema.type].flat()],
    );
    const own = first ?? this.#typesOfAlternatives();
    if (own === undefined || !this.#nullable || own.includes('null')) return own;
    return [...own, 'null'];
  }

  /** Those of the first list of alternatives, if all have a type. */
  #typesOfAlternatives(): readonly string[] | undefined {
    for (const part of this.members) {
      for (const keyword of ALTERNATIONS) {
        const list = part.schema[keyword] ?? [];
        const types = list.map(
          (_, index) =>
            members(alternative(part, keyword, index)).find(({ schema }) => schema.type !== undefined)?.schema
              .type,
        );
        if (types.length > 0 && !types.includes(undefined))
          return [...new Set(types.flatMap((type) => type ?? []))];
      }
    }
    return undefined;
  }

  /** The keyword in the first part that has it. */
  keyword(name: string): Keyword | undefined {
    const part = this.members.find(({ schema }) => schema[name] !== undefined);
    return part && { value: part.schema[name], at: joinPointer(part.at, name) };
  }

  /** The values that are allowed, where they are listed. */
  get listed(): (Keyword & { readonly value: readonly Json[] }) | undefined {
    const single = this.keyword('const');
    if (single !== undefined) return { at: single.at, value: [single.value as Json] };
    const list = this.keyword('enum');
    return list && { at: list.at, value: list.value as readonly Json[] };
  }

  get properties(): ReadonlyMap<string, readonly Part[]> {
    return (this.#properties ??= this.#readProperties());
  }

  #readProperties(): ReadonlyMap<string, readonly Part[]> {
    const found = new Map<string, readonly Part[]>();
    for (const part of this.members) {
      for (const [name, schema] of Object.entries(part.schema.properties ?? {})) {
        found.set(name, [...(found.get(name) ?? []), partIn(part, schema, 'properties', name)]);
      }
    }
    return found;
  }

  /** Where each name is required. */
  get required(): ReadonlyMap<string, string> {
    return (this.#required ??= this.#readRequired());
  }

  #readRequired(): ReadonlyMap<string, string> {
    const entries = this.members.flatMap(({ schema, at }) =>
      (schema.required ?? []).map((name) => [name, joinPointer(at, 'required')] as const),
    );
    return new Map(entries);
  }

  get alternatives(): readonly Alternative[] {
    return this.members.flatMap((part, place) =>
      ALTERNATIONS.flatMap((keyword) => {
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

/** What holds for a value that is not null, where a schema has one alternative beside null. */
function withoutNull(part: PlainPart): readonly PlainPart[] | undefined {
  for (const keyword of ALTERNATIONS) {
    const { [keyword]: list, ...own } = part.schema;
    const only = list?.length === 2 && list.some(isNull) ? list.findIndex((schema) => !isNull(schema)) : -1;
    if (only !== -1)
      return [{ ...part, schema: own }, ...members(alternative(part, keyword, only).slice(0, 1))];
  }
  return undefined;
}

/** The component's name, else the values of its constant properties, else its title, else its types and index. */
function nameOf(part: Part | undefined, index: number): string {
  if (part === undefined || typeof part.schema === 'boolean') return String(index);
  const { $ref, title, type, properties = {} } = part.schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  const constants = Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'object' && schema.const !== undefined
      ? [`${name} ${JSON.stringify(schema.const)}`]
      : [],
  );
  if (constants.length > 0) return constants.join(', ');
  if (typeof title === 'string') return title;
  return type === undefined ? `alternative ${String(index + 1)}` : [type].flat().join(' or ');
}
