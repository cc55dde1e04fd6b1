/**
 * Makes the schemas of requests that handlers get. A client may omit a property with a default, and the engine inserts it, so the
 * two sides of a request have different types.
 */

import type { Schema, SchemaObject } from '../load/openapi.js';
import { defaultOf } from '../read/schema-shape.js';
import { subschemas, withSubschemas } from '../load/document-structure.js';
import { freeName, words } from '../text/identifiers.js';
import type { Reader } from '../read/reader.js';
import { ContractSchemas } from '../schemas/contract-schemas.js';
import { nameOfPlace } from '../schemas/units.js';
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
      for (const part of subschemas(each, enteredKeywords(each))) reached.add(part);
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
    const { $ref, discriminator } = schema;
    return {
      ...withSubschemas(schema, enteredKeywords(schema), (part) => this.#received(part)),
      ...($ref !== undefined && { $ref: this.#reference($ref) }),
      ...(inserted.length > 0 && { required: [...new Set([...(schema.required ?? []), ...inserted])] }),
      ...(isDiscriminator(discriminator) && { discriminator: this.#mapped(schema, at, discriminator) }),
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
}

interface Discriminator {
  readonly propertyName: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

const ALWAYS = words('properties patternProperties additionalProperties items prefixItems allOf');

/** The keywords with nested schemas whose defaults are inserted. Alternatives are excluded unless one is certain. */
function enteredKeywords({ discriminator, oneOf = [], anyOf = [] }: SchemaObject): readonly string[] {
  const alternatives = [...oneOf, ...anyOf];
  const isNull = (part: Schema): boolean => typeof part === 'object' && part.type === 'null';
  // A discriminator chooses the alternative, or the only other one is null.
  const isCertain =
    isDiscriminator(discriminator) || (alternatives.length === 2 && alternatives.some(isNull));
  return isCertain ? [...ALWAYS, 'oneOf', 'anyOf'] : ALWAYS;
}

function isDiscriminator(value: unknown): value is Discriminator {
  return typeof value === 'object' && value !== null && 'propertyName' in value;
}
