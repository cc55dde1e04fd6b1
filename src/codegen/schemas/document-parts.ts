/** Reads the schemas of documents as parts, from which values are made: their references, dynamic references and discriminators. */

import type { Part, PlainPart, Reader, Schema, SchemaObject } from 'concordat/values';
import { resolvePointer } from '../text/pointer.js';
import { type DynamicScope, ANCHORS, dynamicTarget, enteredScope } from './document.js';

interface Document {
  readonly openapi: string;
}

const NO_SCOPE: DynamicScope = new Map();

/** The schema of a parameter, a header or a body; empty if the contract gives none. */
export function partsOf(
  { schema, schemaAt }: { readonly schema?: Schema; readonly schemaAt: string },
  document: Document,
): readonly Part[] {
  return schema === undefined ? [] : [{ schema, at: schemaAt, reader: new DocumentReader(document) }];
}

class DocumentReader implements Reader {
  readonly #document: Document;
  readonly #scope: DynamicScope;
  /** The reference that led to the value's schema. */
  readonly #name: string | undefined;

  constructor(document: Document, scope = NO_SCOPE, name?: string) {
    this.#document = document;
    this.#scope = scope;
    this.#name = name;
  }

  readonly read: Reader['read'] = ({ schema, at }) => {
    const scope = enteredScope(this.#scope, schema);
    const { $ref, $dynamicRef, allOf = [], ...own } = schema;
    Reflect.deleteProperty(own, ANCHORS);
    const reference = typeof $ref === 'string' ? $ref : undefined;
    const dynamic = typeof $dynamicRef === 'string' ? dynamicTarget($dynamicRef, scope) : undefined;
    // In 3.0, fields beside a reference are ignored (Reference Object).
    const isAlone = reference !== undefined && this.#document.openapi.startsWith('3.0');
    const part = { schema: own, at, reader: new DocumentReader(this.#document, scope) };
    const reader = (name = this.#name): Reader => new DocumentReader(this.#document, scope, name);
    const behind = (target: string, name?: string): Part => ({
      schema: resolvePointer(this.#document, target) as Schema,
      at: target,
      reader: reader(name),
    });
    const isParent = own.oneOf === undefined && own.anyOf === undefined && this.#name !== undefined;
    return {
      own: [
        ...(isAlone || Object.keys(own).length === 0 ? [] : [part]),
        ...(isParent ? tagsOf(part, own, this.#name) : []),
      ],
      others: [
        ...(reference === undefined ? [] : [behind(reference, this.#name ?? reference)]),
        ...(dynamic === undefined ? [] : [behind(dynamic)]),
        ...(isAlone
          ? []
          : allOf.map((inner, index) => ({
              schema: inner,
              at: `${at}/allOf/${String(index)}`,
              reader: reader(),
            }))),
      ],
      isDynamic: scope !== NO_SCOPE,
    };
  };

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
