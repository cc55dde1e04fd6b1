/** Facts about a schema and all schemas that it refers to, which decide whether requests and responses need different checks. */
import { APPLICATORS } from 'concordat';
import type { ContractSchemas, Placed } from './contract-schemas.js';
import { defaultPlace } from './defaults.js';
import type { Discriminators } from './discriminators.js';
import { elements, isObject } from './document.js';

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
