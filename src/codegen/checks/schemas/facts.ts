/**
 * Facts about a schema and all schemas that it refers to, which decide whether requests and responses need different checks; and the
 * defaults that requests get.
 */

import { APPLICATORS } from '@concordat/runtime/parts';
import {
  type ContractSchemas,
  INVALID_DEFAULT,
  type Placed,
} from '../../contract/schemas/contract-schemas.js';
import type { Discriminators } from '../../contract/schemas/discriminators.js';
import { elements, isObject } from '../../contract/schemas/document.js';
import type { NormalSchema } from './units.js';
import { joinPointer } from '../../text/pointer.js';

export interface Facts {
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  /** The places of the defaults of properties and of alternatives. */
  readonly defaults: readonly string[];
}

interface OwnFacts {
  readOnly: boolean;
  writeOnly: boolean;
  readonly defaults: string[];
  readonly references: Set<string>;
}

export type Direction = 'request' | 'response';

/** The flag of properties that are not allowed in a direction. */
export const HIDDEN: Readonly<Record<Direction, 'readOnly' | 'writeOnly'>> = {
  request: 'readOnly',
  response: 'writeOnly',
};

/** Computes facts, once per place that references lead to. */
export class ClosureFacts {
  readonly #own = new Map<string, OwnFacts>();
  readonly #closures = new Map<string, Facts>();

  constructor(
    private readonly schemas: ContractSchemas,
    private readonly discriminators: Discriminators,
  ) {}

  ofPlace(pointer: string): Facts {
    const known = this.#closures.get(pointer);
    if (known !== undefined) return known;
    const reached = new Set([pointer]);
    for (const place of reached) for (const next of this.#ownFacts(place).references) reached.add(next);
    const all = [...reached].map((place) => this.#ownFacts(place));
    const facts = {
      readOnly: all.some((own) => own.readOnly),
      writeOnly: all.some((own) => own.writeOnly),
      defaults: all.flatMap((own) => own.defaults),
    };
    this.#closures.set(pointer, facts);
    return facts;
  }

  #ownFacts(pointer: string): OwnFacts {
    let own = this.#own.get(pointer);
    if (own === undefined) {
      own = { readOnly: false, writeOnly: false, defaults: [], references: new Set() };
      this.#own.set(pointer, own);
      this.#gather(this.schemas.at(pointer), own);
    }
    return own;
  }

  hiddenNames(placed: Placed, direction: Direction): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { schema, at } of this.#sameValue(placed)) {
      for (const part of this.schemas.subschemas({ schema, at })) {
        if (part.keyword === 'properties' && this.schemas.flagged(part, HIDDEN[direction])) {
          names.add(String(part.key));
        }
      }
    }
    return names;
  }

  /** The properties that a schema requires of its value, at any depth of composition. */
  requiredNames(placed: Placed): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { schema } of this.#sameValue(placed)) {
      for (const name of isObject(schema) ? elements(schema['required']) : []) {
        if (typeof name === 'string') names.add(name);
      }
    }
    return names;
  }

  /** A schema, and all schemas that apply or may apply to the same value. */
  *#sameValue(placed: Placed, seen = new Set<unknown>()): Generator<Placed> {
    if (!isObject(placed.schema) || seen.has(placed.schema)) return;
    seen.add(placed.schema);
    yield placed;
    for (const reference of this.schemas.possibleReferences(placed))
      yield* this.#sameValue(this.schemas.at(reference), seen);
    for (const part of this.schemas.subschemas(placed)) {
      if (APPLICATORS[part.keyword].appliesTo === 'value' && part.keyword !== 'not')
        yield* this.#sameValue(part, seen);
    }
  }

  #gather(placed: Placed, facts: OwnFacts): void {
    for (const reference of this.schemas.possibleReferences(placed)) facts.references.add(reference);
    for (const target of this.discriminators.heirs(placed)) facts.references.add(target);
    for (const part of this.schemas.subschemas(placed)) {
      if (part.keyword === 'properties' || part.keyword === 'patternProperties') {
        facts.readOnly ||= this.schemas.flagged(part, 'readOnly');
        facts.writeOnly ||= this.schemas.flagged(part, 'writeOnly');
      }
      if (part.keyword === 'properties' && this.schemas.hasDefault(part)) {
        facts.defaults.push(defaultPlace(part));
      }
      if (
        APPLICATORS[part.keyword].appliesTo === 'value' &&
        APPLICATORS[part.keyword].isTentative &&
        isObject(part.schema) &&
        'default' in part.schema
      ) {
        facts.defaults.push(defaultPlace(part));
      }
      this.#gather(part, facts);
    }
  }
}

/** `lost`: in a request, inside alternatives that are only tried, so that nothing may be inserted. */
export type Defaults = 'insert' | 'lost' | 'none';

/** A property's schema, with its default if it is inserted. */
export function withDefault(
  schemas: ContractSchemas,
  schema: NormalSchema,
  property: Placed,
  defaults: Defaults,
): NormalSchema {
  const refused = (at: string): void => {
    if (defaults === 'insert') schemas.unsupported('invalid-default', at, INVALID_DEFAULT);
  };
  const found = defaults === 'none' ? undefined : schemas.defaultOf(property, refused);
  if (found === undefined) return schema;
  if (defaults === 'insert') {
    const checks = typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema;
    return { ...checks, default: found.value };
  }
  reportLost(schemas, defaultPlace(property));
  return schema;
}

/** Reports the default of an alternative: only defaults of properties are inserted. */
export function reportOwnDefault(schemas: ContractSchemas, alternative: Placed, defaults: Defaults): void {
  const hasDefault = isObject(alternative.schema) && 'default' in alternative.schema;
  if (hasDefault && defaults !== 'none') reportLost(schemas, defaultPlace(alternative));
}

/** Reports a default that is not inserted. */
export function reportLost(schemas: ContractSchemas, at: string): void {
  schemas.unsupported(
    'default-in-composition',
    at,
    'a default inside anyOf, oneOf, not, if, contains or propertyNames is not inserted: it is not known which alternative applies',
  );
}

/** The place of a property's default: its own keyword, or the property itself when the default is in a schema that it refers to. */
export function defaultPlace({ schema, at }: Placed): string {
  return isObject(schema) && 'default' in schema ? joinPointer(at, 'default') : at;
}
