/**
 * Makes the variants of schemas from which types are written: a request has no `readOnly` property and a response no `writeOnly` one, and
 * a handler gets the defaults that a client may omit.
 */

import type { ApplicatorKeyword } from '@concordat/runtime/parts';
import type { Schema, SchemaObject } from '../../contract/schemas/document.js';
import { freeName } from '../../text/identifiers.js';
import type { InnerNode, SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { defaultOf } from '../../contract/schemas/defaults.js';
import { discriminationOf, discriminatorOf } from '../../contract/schemas/discriminators.js';
import { nameOfPlace } from '../../checks/schemas/units.js';
import { componentOf, joinPointer, pointerTokens } from '../../text/pointer.js';

const SCHEMAS = '#/components/schemas';

/** The change that a kind of variant makes. */
interface Change {
  /** The end of the names of changed components; without it, the components are changed themselves. */
  readonly suffix: string;
  /** The keywords of a schema whose schemas are changed too. */
  readonly entered: (node: SchemaNode) => readonly ApplicatorKeyword[];
  /** Whether a property is changed itself. */
  readonly isMeant: (property: InnerNode) => boolean;
  /** Whether such properties are left out; else they are required. */
  readonly leavesOut: boolean;
}

const ALWAYS: readonly ApplicatorKeyword[] = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
];
const TYPED: readonly ApplicatorKeyword[] = [...ALWAYS, 'unevaluatedProperties', 'oneOf', 'anyOf'];

/** The values of requests: `ParcelInput`. */
export const INPUT: Change = {
  suffix: 'Input',
  entered: () => TYPED,
  isMeant: (property) => property.flagged('readOnly'),
  leavesOut: true,
};

/** The values of responses. */
export const OUTPUT: Change = {
  suffix: '',
  entered: () => TYPED,
  isMeant: (property) => property.flagged('writeOnly'),
  leavesOut: true,
};

/** The values of requests as handlers get them: the engine has inserted the defaults. */
export const RECEIVED: Change = {
  suffix: 'WithDefaults',
  entered: (node) => {
    const { oneOf = [], anyOf = [] } = node.object;
    const alternatives = [...oneOf, ...anyOf];
    const isNull = (part: Schema): boolean => typeof part === 'object' && part.type === 'null';
    // A discriminator chooses the alternative, or the only other one is null.
    const isCertain = isDiscriminated(node) || (alternatives.length === 2 && alternatives.some(isNull));
    return isCertain ? [...ALWAYS, 'oneOf', 'anyOf'] : ALWAYS;
  },
  isMeant: (property) => defaultOf(property) !== undefined,
  leavesOut: false,
};

export function componentReference(name: string): SchemaObject {
  return { $ref: joinPointer(SCHEMAS, name) };
}

function isDiscriminated(node: SchemaNode): boolean {
  return discriminatorOf(node)?.['propertyName'] !== undefined;
}

/** Collects the variants of one kind, as further components. */
export class SchemaVariants {
  /** By name: `RoomWithDefaults`. */
  readonly components: Record<string, Schema> = {};
  readonly #variants = new Map<SchemaNode, string>();
  readonly #affected = new Map<SchemaNode, boolean>();
  /** The names of added components by what was asked for. */
  readonly #added = new Map<string, string>();

  /** @param taken - the names of components; those of the variants are added */
  constructor(
    private readonly change: Change,
    private readonly taken: Set<string>,
  ) {}

  /** The variant of a schema; the schema itself if nothing in it changes. */
  of(node: SchemaNode): Schema {
    return this.#isAffected(node) ? this.#changed(node) : node.schema;
  }

  /** Adds a variant as a component. The same one is added once. */
  add(variant: Schema, name: string): SchemaObject {
    const key = `${name} ${JSON.stringify(variant)}`;
    const component = this.#added.get(key) ?? freeName(name, this.taken);
    this.#added.set(key, component);
    this.components[component] = variant;
    return componentReference(component);
  }

  #isAffected(start: SchemaNode): boolean {
    const known = this.#affected.get(start);
    if (known !== undefined) return known;
    const reached = new Set([start]);
    for (const node of reached) {
      const isKnown = this.#affected.get(node);
      if (isKnown === false) continue;
      if (isKnown || this.#meant(node).length > 0) {
        this.#affected.set(start, true);
        return true;
      }
      const entered = this.change.entered(node);
      for (const part of node.parts) if (entered.includes(part.keyword)) reached.add(part);
      if (node.reference !== undefined) reached.add(node.reference);
    }
    // Many schemas reach the same ones.
    for (const node of reached) this.#affected.set(node, false);
    return false;
  }

  /** The names of the properties that are changed themselves. */
  #meant(node: SchemaNode): readonly string[] {
    const meant = node.under('properties').filter(this.change.isMeant);
    return meant.map(({ key }) => String(key));
  }

  #changed(node: SchemaNode): Schema {
    const { schema, reference } = node;
    if (typeof schema === 'boolean') return schema;
    const meant = this.#meant(node);
    const left = this.change.leavesOut ? meant : [];
    const { required: before = [], discriminator, $ref = '' } = schema;
    const kept = before.filter((name) => !left.includes(name));
    const required = this.change.leavesOut ? kept : [...new Set([...before, ...meant])];
    return {
      ...node.replaced(this.change.entered(node), (part) =>
        part.keyword === 'properties' && left.includes(String(part.key)) ? undefined : this.#changed(part),
      ),
      ...(meant.length > 0 && { required }),
      ...(reference && { $ref: this.#reference(reference, $ref) }),
      ...(isDiscriminated(node) && {
        discriminator: { ...(discriminator as object), mapping: this.#mapping(node) },
      }),
    };
  }

  /** Writes out every tag, because the new names must not become tags. */
  #mapping(node: SchemaNode): Readonly<Record<string, string>> {
    const branches = discriminationOf(node)?.branches ?? [];
    const tags = branches.flatMap(({ values, reference }): readonly [string, string][] =>
      reference === undefined
        ? []
        : values.map((value) => [String(value), this.#reference(reference, reference.at)]),
    );
    return Object.fromEntries(tags);
  }

  /** A reference to the variant of a schema. @param reference - the reference to the schema */
  #reference(target: SchemaNode, reference: string): string {
    const component = componentOf(target.at);
    const isChangedItself = component !== undefined && this.change.suffix === '';
    if (!this.#isAffected(target) || isChangedItself) return reference;
    let variant = this.#variants.get(target);
    if (variant === undefined) {
      const stem = component ?? nameOfPlace(pointerTokens(target.at));
      variant = freeName(`${stem}${this.change.suffix}`, this.taken);
      this.#variants.set(target, variant);
      this.components[variant] = this.#changed(target);
    }
    return joinPointer(SCHEMAS, variant);
  }
}
