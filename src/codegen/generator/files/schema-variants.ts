/**
 * Makes the variants of schemas from which types are written: a request has no `readOnly` property and a response no `writeOnly` one, and
 * a handler gets the defaults that a client may omit.
 */

import type { OpenApiDocument, Schema, SchemaObject } from '../../contract/schemas/document.js';
import { subschemas, withSubschemas } from '../../contract/schemas/document-structure.js';
import { freeName, words } from '../../text/identifiers.js';
import { ContractSchemas } from '../../contract/schemas/contract-schemas.js';
import { discriminationOf } from '../../contract/schemas/discriminators.js';
import { nameOfPlace } from '../../checks/schemas/units.js';
import { canonicalPointer, componentOf, joinPointer, pointerTokens, valueAt } from '../../text/pointer.js';

const SCHEMAS = '#/components/schemas';

/** The change that a kind of variant makes. */
export interface Change {
  /** The end of the names of changed components; without it, the components are changed themselves. */
  readonly suffix: string;
  /** The keywords of a schema whose schemas are changed too. */
  readonly entered: (schema: SchemaObject) => readonly string[];
  /** The changed members of a schema; undefined if none is. */
  readonly members: (
    schema: SchemaObject,
    schemas: ContractSchemas,
  ) => Pick<SchemaObject, 'properties' | 'required'> | undefined;
}

const ALWAYS = words('properties patternProperties additionalProperties items prefixItems allOf');
const TYPED = [...ALWAYS, ...words('unevaluatedProperties oneOf anyOf')];

function withoutFlagged(flag: 'readOnly' | 'writeOnly', suffix: string): Change {
  return {
    suffix,
    entered: () => TYPED,
    members: ({ properties = {}, required = [] }, schemas) => {
      const entries = Object.entries(properties);
      const kept = entries.filter(([, schema]) => !schemas.made(schema, SCHEMAS).flagged(flag));
      if (kept.length === entries.length) return undefined;
      const names = new Set(kept.map(([name]) => name));
      const isKept = (name: string): boolean => names.has(name) || !Object.hasOwn(properties, name);
      return { properties: Object.fromEntries(kept), required: required.filter(isKept) };
    },
  };
}

/** The values of requests: `ParcelInput`. */
export const INPUT = withoutFlagged('readOnly', 'Input');

/** The values of responses. */
export const OUTPUT = withoutFlagged('writeOnly', '');

/** The values of requests as handlers get them: the engine has inserted the defaults. */
export const RECEIVED: Change = {
  suffix: 'WithDefaults',
  entered: ({ discriminator, oneOf = [], anyOf = [] }) => {
    const alternatives = [...oneOf, ...anyOf];
    const isNull = (part: Schema): boolean => typeof part === 'object' && part.type === 'null';
    // A discriminator chooses the alternative, or the only other one is null.
    const isCertain =
      isDiscriminator(discriminator) || (alternatives.length === 2 && alternatives.some(isNull));
    return isCertain ? [...ALWAYS, 'oneOf', 'anyOf'] : ALWAYS;
  },
  members: ({ properties = {}, required = [] }, schemas) => {
    const inserted = Object.entries(properties).flatMap(([name, schema]) =>
      schemas.made(schema, SCHEMAS).defaultOf() === undefined ? [] : [name],
    );
    return inserted.length === 0 ? undefined : { required: [...new Set([...required, ...inserted])] };
  },
};

export function componentReference(name: string): SchemaObject {
  return { $ref: joinPointer(SCHEMAS, name) };
}

/** Collects the variants of one kind, as further components. */
export class SchemaVariants {
  /** By name: `RoomWithDefaults`. */
  readonly components: Record<string, Schema> = {};
  readonly #variants = new Map<string, string>();
  readonly #affected = new Map<string, boolean>();
  /** The schemas that nothing changes, nor anything that they reach: many schemas reach the same ones. */
  readonly #unaffected = new Set<Schema>();
  readonly #schemas: ContractSchemas;

  /** @param taken - the names of components; those of the variants are added */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly change: Change,
    private readonly taken: Set<string>,
  ) {
    this.#schemas = new ContractSchemas(document);
  }

  /** The variant of a schema; the schema itself if nothing in it changes. */
  of(schema: Schema): Schema {
    return this.#isAffected(schema) ? this.#changed(schema) : schema;
  }

  /** Adds a variant as a component. */
  add(variant: Schema, name: string): Schema {
    const component = freeName(name, this.taken);
    this.components[component] = variant;
    return componentReference(component);
  }

  #isAffected(schema: Schema): boolean {
    const reached = new Set<Schema>([schema]);
    for (const each of reached) {
      if (typeof each === 'boolean' || this.#unaffected.has(each)) continue;
      if (this.change.members(each, this.#schemas) !== undefined) return true;
      for (const part of subschemas(each, this.change.entered(each))) reached.add(part);
      const target = this.#target(each);
      if (target !== undefined) reached.add(target);
    }
    for (const each of reached) this.#unaffected.add(each);
    return false;
  }

  /** @param at - the place of the schema, if it is a component */
  #changed(schema: Schema, at = SCHEMAS): Schema {
    if (typeof schema === 'boolean') return schema;
    const own = { ...schema, ...this.change.members(schema, this.#schemas) };
    const { $ref, discriminator } = schema;
    return {
      ...withSubschemas(own, this.change.entered(schema), (part) => this.#changed(part)),
      ...($ref !== undefined && { $ref: this.#reference($ref) }),
      ...(isDiscriminator(discriminator) && { discriminator: this.#mapped(schema, at, discriminator) }),
    };
  }

  /** Writes out every tag, because the new names must not become tags. */
  #mapped(schema: SchemaObject, at: string, discriminator: Discriminator): Discriminator {
    const branches = discriminationOf(this.#schemas.made(schema, at))?.branches ?? [];
    const tags = branches.flatMap(({ values, reference }): readonly [string, string][] =>
      reference === undefined ? [] : values.map((value) => [value, this.#reference(reference.at)]),
    );
    return { ...discriminator, mapping: Object.fromEntries(tags) };
  }

  /** A reference to the variant of a schema. */
  #reference(reference: string): string {
    const schema = this.#target({ $ref: reference });
    if (schema === undefined) return reference;
    const place = canonicalPointer(reference);
    const isAffected = this.#affected.get(place) ?? this.#isAffected(schema);
    this.#affected.set(place, isAffected);
    const component = componentOf(reference);
    if (!isAffected || (component !== undefined && this.change.suffix === '')) return reference;
    let variant = this.#variants.get(place);
    if (variant === undefined) {
      variant = freeName(
        `${component ?? nameOfPlace(pointerTokens(reference))}${this.change.suffix}`,
        this.taken,
      );
      this.#variants.set(place, variant);
      this.components[variant] = this.#changed(schema, place);
    }
    return joinPointer(SCHEMAS, variant);
  }

  #target({ $ref }: SchemaObject): Schema | undefined {
    return $ref === undefined ? undefined : (valueAt(this.document, $ref) as Schema | undefined);
  }
}

interface Discriminator {
  readonly propertyName: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

function isDiscriminator(value: unknown): value is Discriminator {
  return typeof value === 'object' && value !== null && 'propertyName' in value;
}
