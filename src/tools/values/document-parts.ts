/** Reads the schemas of documents as parts, from which values are made: their references, dynamic references and discriminators. */

import type { Part, PlainPart, Reader, Reading, Schema, SchemaObject } from './parts.js';
import { ANCHORS, type DynamicScope, dynamicTarget, enteredScope, resolvePointer } from 'concordat/contract';

interface Document {
  readonly openapi: string;
}

const NO_SCOPE: DynamicScope = new Map();

/** The schema of a parameter, a header or a body; empty if the contract gives none. */
export function partsOf(
  { schema, schemaAt }: { readonly schema?: Schema; readonly schemaAt: string },
  document: Document,
): readonly Part[] {
  if (schema === undefined) return [];
  const reader = readers.get(document) ?? new DocumentReader(document);
  readers.set(document, reader);
  return [{ schema, at: schemaAt, reader }];
}

/** Values are made from the same schemas again and again, so each document is read once. */
const readers = new WeakMap<Document, DocumentReader>();

class DocumentReader implements Reader {
  readonly #document: Document;
  readonly #scope: DynamicScope;
  /** The reference that led to the value's schema. */
  readonly #name: string | undefined;
  /** The readers outside of dynamic scopes, by the reference that leads to their schemas. */
  readonly #readers: Map<string | undefined, DocumentReader>;
  readonly #readings = new WeakMap<SchemaObject, Reading & { readonly at: string }>();

  readonly memory: Map<string, unknown> | undefined;

  constructor(document: Document, scope = NO_SCOPE, name?: string, root?: DocumentReader) {
    this.#document = document;
    this.#scope = scope;
    this.#name = name;
    this.#readers = root === undefined ? new Map([[undefined, this]]) : root.#readers;
    // Inside a dynamic scope, the values of a schema depend on the way to it.
    this.memory = scope === NO_SCOPE ? (root?.memory ?? new Map()) : undefined;
  }

  readonly read: Reader['read'] = (part) => {
    const known = this.#readings.get(part.schema);
    if (known?.at === part.at) return known;
    const reading = { ...this.#read(part), at: part.at };
    this.#readings.set(part.schema, reading);
    return reading;
  };

  #reader(scope: DynamicScope, name?: string): DocumentReader {
    const known = scope === NO_SCOPE ? this.#readers.get(name) : undefined;
    const reader = known ?? new DocumentReader(this.#document, scope, name, this);
    if (scope === NO_SCOPE) this.#readers.set(name, reader);
    return reader;
  }

  #read({ schema, at }: PlainPart): Reading {
    const scope = enteredScope(this.#scope, schema);
    const { $ref, $dynamicRef, allOf = [], ...own } = schema;
    Reflect.deleteProperty(own, ANCHORS);
    const reference = typeof $ref === 'string' ? $ref : undefined;
    const dynamic = typeof $dynamicRef === 'string' ? dynamicTarget($dynamicRef, scope) : undefined;
    const part = { schema: own, at, reader: this.#reader(scope) };
    const reader = (name = this.#name): Reader => this.#reader(scope, name);
    const behind = (target: string, name?: string): Part => ({
      schema: resolvePointer(this.#document, target) as Schema,
      at: target,
      reader: reader(name),
    });
    const isParent = own.oneOf === undefined && own.anyOf === undefined && this.#name !== undefined;
    return {
      own: [
        ...(Object.keys(own).length === 0 ? [] : [part]),
        ...(isParent ? tagsOf(part, own, this.#name) : []),
      ],
      others: [
        ...(reference === undefined ? [] : [behind(reference, this.#name ?? reference)]),
        ...(dynamic === undefined ? [] : [behind(dynamic)]),
        ...allOf.map((inner, index) => ({
          schema: inner,
          at: `${at}/allOf/${String(index)}`,
          reader: reader(),
        })),
      ],
      isDynamic: scope !== NO_SCOPE,
    };
  }

  readonly besides: Reader['besides'] = (part, alternative) =>
    typeof alternative === 'boolean' || typeof alternative.$ref !== 'string'
      ? []
      : tagsOf(part, part.schema, alternative.$ref);
}

/** The part that a discriminator adds for a value of a schema: the property must name it. @param target - the reference to the schema */
function tagsOf(part: Part, { discriminator }: SchemaObject, target: string): readonly PlainPart[] {
  const { propertyName, mapping = {} } = (discriminator ?? {}) as {
    readonly propertyName?: string;
    readonly mapping?: Readonly<Record<string, string>>;
  };
  if (propertyName === undefined) return [];
  const name = target.slice(target.lastIndexOf('/') + 1);
  const mapped = Object.entries(mapping).find(([, to]) => to === target || to === name)?.[0];
  // Without a mapping, a `const` or `enum` of the property takes precedence over the name of the schema.
  const tag: Schema = mapped === undefined ? { examples: [name] } : { enum: [mapped] };
  return [{ ...part, schema: { required: [propertyName], properties: { [propertyName]: tag } } }];
}
