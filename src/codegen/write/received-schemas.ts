/**
 * Makes the schemas of requests that handlers get. A client may omit a property with a default, and the engine inserts it, so the
 * two sides of a request have different types.
 */

import type { Schema, SchemaObject } from '../load/openapi.js';
import { defaultOf } from '../read/schema-shape.js';
import { freeName } from '../text/identifiers.js';
import type { Reader } from '../read/reader.js';
import { ContractSchemas } from '../schemas/contract-schemas.js';
import { nameOfPlace } from '../schemas/function-names.js';
import { Discriminators } from '../schemas/discriminators.js';
import {
  canonicalPointer,
  componentOf,
  joinPointer,
  pointerTokens,
  resolvePointer,
  valueAt,
} from '../text/pointer.js';
import { shortType } from './schema-type.js';

const SCHEMAS = '#/components/schemas';

/** Collects the schemas that differ for handlers, as further components of `openapi.ts`. */
export class ReceivedSchemas {
  /** By name: `RoomWithDefaults`. */
  readonly components: Record<string, Schema> = {};
  readonly #taken: Set<string>;
  readonly #variants = new Map<string, string>();
  readonly #affected = new Map<string, boolean>();
  readonly #discriminators: Discriminators;
  readonly #invalid: ReadonlySet<unknown>;

  constructor(private readonly reader: Reader) {
    const { document, invalidDefaults } = reader;
    this.#discriminators = new Discriminators(new ContractSchemas(document));
    this.#invalid = new Set([...invalidDefaults].map((place) => resolvePointer(document, place)));
    this.#taken = new Set(Object.keys(reader.document.components?.schemas ?? {}));
  }

  /**
   * The schema that a handler gets; the schema itself if no default is inserted.
   *
   * @param name - the name of the component that is added if the type of the schema cannot be written in place
   */
  of(schema: Schema, name: string): Schema {
    if (!this.#isAffected(schema)) return schema;
    const received = this.#received(schema);
    if (shortType(received, this.reader.values) !== undefined) return received;
    const component = freeName(name, this.#taken);
    this.components[component] = received;
    return { $ref: joinPointer(SCHEMAS, component) };
  }

  #isAffected(schema: Schema): boolean {
    const reached = new Set<Schema>([schema]);
    for (const each of reached) {
      if (typeof each === 'boolean') continue;
      if (this.#inserted(each).length > 0) return true;
      for (const part of this.#parts(each)) reached.add(part);
      const target = this.#target(each);
      if (target !== undefined) reached.add(target);
    }
    return false;
  }

  /** The properties that the engine inserts. */
  #inserted({ properties = {} }: SchemaObject): readonly string[] {
    return Object.entries(properties).flatMap(([name, property]) => {
      const isLeftOut = this.#invalid.has(property);
      return isLeftOut || defaultOf(this.reader, property, SCHEMAS) === undefined ? [] : [name];
    });
  }

  /** @param at - the place of the schema, if it is a component */
  #received(schema: Schema, at = SCHEMAS): Schema {
    if (typeof schema === 'boolean') return schema;
    const inserted = this.#inserted(schema);
    const map = (parts: Readonly<Record<string, Schema>>) =>
      Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, this.#received(part)]));
    const { $ref, properties, patternProperties, additionalProperties, items, prefixItems, allOf } = schema;
    const { oneOf, anyOf, discriminator } = schema;
    const isChosen = isCertain(schema);
    return {
      ...schema,
      ...($ref !== undefined && { $ref: this.#reference($ref) }),
      ...(properties && { properties: map(properties) }),
      ...(inserted.length > 0 && { required: [...new Set([...(schema.required ?? []), ...inserted])] }),
      ...(isSchemas(patternProperties) && { patternProperties: map(patternProperties) }),
      ...(additionalProperties !== undefined && {
        additionalProperties: this.#received(additionalProperties),
      }),
      ...(items !== undefined && { items: this.#received(items) }),
      ...(prefixItems && { prefixItems: prefixItems.map((part) => this.#received(part)) }),
      ...(allOf && { allOf: allOf.map((part) => this.#received(part)) }),
      ...(isChosen && oneOf && { oneOf: oneOf.map((part) => this.#received(part)) }),
      ...(isChosen && anyOf && { anyOf: anyOf.map((part) => this.#received(part)) }),
      ...(isChosen &&
        isDiscriminator(discriminator) && { discriminator: this.#mapped(schema, at, discriminator) }),
    };
  }

  /** Writes out every tag, because the new names must not become tags. */
  #mapped(schema: SchemaObject, at: string, discriminator: Discriminator): Discriminator {
    const branches = this.#discriminators.read({ schema, at })?.branches ?? [];
    const tags = branches.flatMap(({ values, reference }): readonly [string, string][] =>
      reference === undefined ? [] : values.map((value) => [value, this.#reference(reference)]),
    );
    return { ...discriminator, mapping: Object.fromEntries(tags) };
  }

  /** A reference to the component that handlers get. */
  #reference(reference: string): string {
    const schema = this.#target({ $ref: reference });
    if (schema === undefined) return reference;
    const place = canonicalPointer(reference);
    const isAffected = this.#affected.get(place) ?? this.#isAffected(schema);
    this.#affected.set(place, isAffected);
    if (!isAffected) return reference;
    let variant = this.#variants.get(place);
    if (variant === undefined) {
      const name = componentOf(reference) ?? nameOfPlace(pointerTokens(reference));
      variant = freeName(`${name}WithDefaults`, this.#taken);
      this.#variants.set(place, variant);
      this.components[variant] = this.#received(schema, place);
    }
    return joinPointer(SCHEMAS, variant);
  }

  #target({ $ref }: SchemaObject): Schema | undefined {
    return $ref === undefined ? undefined : (valueAt(this.reader.document, $ref) as Schema | undefined);
  }

  /** The nested schemas whose defaults are inserted. Alternatives are excluded unless one is certain. */
  #parts(schema: SchemaObject): readonly Schema[] {
    const { properties = {}, patternProperties, additionalProperties, items } = schema;
    const { prefixItems = [], allOf = [], oneOf = [], anyOf = [] } = schema;
    return [
      ...Object.values(properties),
      ...Object.values(isSchemas(patternProperties) ? patternProperties : {}),
      ...[additionalProperties, items].filter((part) => part !== undefined),
      ...prefixItems,
      ...allOf,
      ...(isCertain(schema) ? [...oneOf, ...anyOf] : []),
    ];
  }
}

interface Discriminator {
  readonly propertyName: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

/** Whether the alternative is certain: a discriminator chooses it, or the only other one is null. */
function isCertain({ discriminator, oneOf = [], anyOf = [] }: SchemaObject): boolean {
  const alternatives = [...oneOf, ...anyOf];
  const isNull = (part: Schema): boolean => typeof part === 'object' && part.type === 'null';
  return isDiscriminator(discriminator) || (alternatives.length === 2 && alternatives.some(isNull));
}

function isDiscriminator(value: unknown): value is Discriminator {
  return typeof value === 'object' && value !== null && 'propertyName' in value;
}

function isSchemas(value: unknown): value is Readonly<Record<string, Schema>> {
  return typeof value === 'object' && value !== null;
}
