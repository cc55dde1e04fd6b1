/** Reads the schemas of documents as parts, from which values are made: their references, dynamic references and discriminators. */

import { once } from '@concordat/runtime/parts';
import {
  ANCHORS,
  type ContractSchemas,
  type DynamicScope,
  NO_SCOPE,
  type SchemaNode,
  discriminationOf,
  enteredScope,
} from 'concordat/contract';
import type { Part, PlainPart, Reader, Reading, Schema } from './parts.js';

/** The schema of a parameter, a header or a body; empty if there is none. */
export function partsOf({ node }: { readonly node?: SchemaNode | undefined } = {}): readonly Part[] {
  return node === undefined ? [] : [once(node.schemas, readerOf).part(node)];
}

const readerOf = (schemas: ContractSchemas): DocumentReader => new DocumentReader(schemas);

class DocumentReader implements Reader {
  /** The readers outside of dynamic scopes, by the schemas to which references led. */
  readonly #readers: Map<SchemaNode | undefined, DocumentReader>;
  readonly #nodes = new Map<Schema, SchemaNode>();

  readonly memory: Map<string, unknown> | undefined;

  /** @param named - the schema of the value, to which a reference led */
  constructor(
    private readonly schemas: ContractSchemas,
    private readonly scope: DynamicScope = NO_SCOPE,
    private readonly named?: SchemaNode,
    root?: DocumentReader,
  ) {
    this.#readers = root === undefined ? new Map([[undefined, this]]) : root.#readers;
    // Inside a dynamic scope, the values of a schema depend on the way to it.
    this.memory = scope === NO_SCOPE ? (root?.memory ?? new Map()) : undefined;
  }

  part({ schema, at }: SchemaNode): Part {
    return { schema, at, reader: this };
  }

  readonly read: Reader['read'] = (part) => once(this.#node(part), this.#read);

  /** The same node whenever the part is read again. */
  #node({ schema, at }: Part): SchemaNode {
    const known = this.#nodes.get(schema);
    if (known?.at === at) return known;
    const node = this.schemas.made(schema as SchemaNode['schema'], at);
    this.#nodes.set(schema, node);
    return node;
  }

  #reader(scope: DynamicScope, named = this.named): DocumentReader {
    const known = scope === NO_SCOPE ? this.#readers.get(named) : undefined;
    const reader = known ?? new DocumentReader(this.schemas, scope, named, this);
    if (scope === NO_SCOPE) this.#readers.set(named, reader);
    return reader;
  }

  readonly #read = (node: SchemaNode): Reading => {
    const { named } = this;
    const scope = enteredScope(this.scope, node.schema);
    const { $ref: _ref, $dynamicRef: _dynamic, allOf: _all, [ANCHORS]: _anchors, ...own } = node.object;
    const part = { schema: own, at: node.at, reader: this.#reader(scope) };
    const tags = named === undefined ? [] : this.#tags(part, true, named);
    const referred = node.references(this.scope).map((target) => {
      return this.#reader(scope, target === node.reference ? (named ?? target) : named).part(target);
    });
    return {
      own: Object.keys(own).length === 0 ? tags : [part, ...tags],
      others: [...referred, ...node.under('allOf').map((inner) => this.#reader(scope).part(inner))],
      isDynamic: scope !== NO_SCOPE,
    };
  };

  readonly besides: Reader['besides'] = (part, alternative) => {
    const { reference } = this.schemas.made(alternative as SchemaNode['schema'], part.at);
    return reference === undefined ? [] : this.#tags(part, false, reference);
  };

  /** The part that a discriminator adds for a value of a schema: the property must name it. @param isHeir - whether the schema extends the one with the discriminator */
  #tags(part: Part, isHeir: boolean, named: SchemaNode): readonly PlainPart[] {
    // Part of the alternatives may have been chosen already, so the schema is read as the document has it.
    const node = this.schemas.find(part.at);
    const decision = node && discriminationOf(node);
    if (decision === undefined || isHeir !== (decision.among === 'inheritance')) return [];
    const branch = decision.branches.find(({ reference, node: own }) => (reference ?? own).at === named.at);
    if (branch === undefined) return [];
    const { property } = decision;
    const schema = { required: [property], properties: { [property]: { enum: branch.values } } };
    return [{ ...part, schema }];
  }
}
