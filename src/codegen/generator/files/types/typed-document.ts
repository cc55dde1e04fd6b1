/** Makes the document that types are written from: requests and responses have schemas of their own, and the schema of a body has a name. */

import { FIELDS, type Kind, visitObjects } from '../../../contract/schemas/document-structure.js';
import { type OpenApiDocument, type Schema, isObject } from '../../../contract/schemas/document.js';
import { essenceOf } from '../../../contract/model/media-types.js';
import type { ContractModel } from '../../../contract/model/model.js';
import { ContractSchemas, type InvalidDefaults } from '../../../contract/schemas/contract-schemas.js';
import { nameOfPlace } from '../../../checks/schemas/units.js';
import { freeName, pascalCase, typeNameOf } from '../../../text/identifiers.js';
import { componentOf, joinPointer, pointerTokens, resolvePointer, valueAt } from '../../../text/pointer.js';
import type { ValueTypes } from '../../../contract/schemas/value-types.js';
import { shortType } from '../schema-type.js';
import { INPUT, OUTPUT, SchemaVariants, componentReference } from '../schema-variants.js';

/**
 * A copy of the document in which no property is for one direction only, and the schemas of requests for some components.
 *
 * @param invalidDefaults - the schemas whose `default` is not inserted
 * @param requested - the names of the components
 */
export function typedDocument(
  document: OpenApiDocument,
  contract: Pick<ContractModel, 'operations' | 'webhooks' | 'callbacks'>,
  invalidDefaults: InvalidDefaults,
  values: ValueTypes,
  requested: readonly string[],
): { readonly typed: OpenApiDocument; readonly requests: ReadonlyMap<string, Schema> } {
  const typed = structuredClone({ ...document, components: { ...document.components } });
  for (const place of invalidDefaults.values())
    Object.assign(resolvePointer(typed, place) as object, { default: undefined });
  nameReferencedParts(typed);
  const schemas: Record<string, Schema> = { ...typed.components.schemas };
  const taken = new Set(Object.keys(schemas));
  const input = new SchemaVariants(INPUT, taken);
  const output = new SchemaVariants(OUTPUT, taken);
  const names = new BodyNames(contract, taken);
  const bodies: Record<string, Schema> = {};
  // The document is changed when all variants are made, because they are made from it.
  const nodes = new ContractSchemas(typed);
  const changes = heldSchemas(typed).map(({ holder, keyword, at, owner, several }) => {
    const own = (owner.isRequest ? input : output).of(nodes.at(at));
    const name = shortType(own, values) === undefined ? names.of(owner, several, own) : undefined;
    if (name !== undefined) bodies[name] = own;
    return { holder, keyword, own: name === undefined ? own : componentReference(name) };
  });
  const outputs = nodes.components.map((node) => [componentOf(node.at) ?? '', output.of(node)] as const);
  const requests = new Map(
    requested.map((name) => [name, input.of(nodes.made(componentReference(name), '#/components/schemas'))]),
  );
  for (const { holder, keyword, own } of changes) holder[keyword] = own;
  Object.assign(schemas, Object.fromEntries(outputs), output.components, input.components, bodies);
  return { typed: { ...typed, components: { ...typed.components, schemas } }, requests };
}

/** A parameter, header, body or response. */
interface Owner {
  readonly at: string;
  readonly kind: string;
  readonly isRequest: boolean;
  readonly value: Readonly<Record<string, unknown>>;
}

interface HeldSchema {
  readonly holder: Record<string, unknown>;
  readonly keyword: string;
  /** The place of the schema. */
  readonly at: string;
  readonly owner: Owner;
  /** The media type, if others of the same body have other schemas. */
  readonly several: string;
}

const OWNERS: Readonly<Record<string, boolean>> = {
  parameter: true,
  requestBody: true,
  header: false,
  response: false,
};

function heldSchemas(document: OpenApiDocument): readonly HeldSchema[] {
  const found: HeldSchema[] = [];
  const owners: Owner[] = [];
  visitObjects(document, 'document', (holder, kind, at) => {
    while (owners.length > 0 && !at.startsWith(`${owners.at(-1)?.at ?? ''}/`)) owners.pop();
    const isRequest = OWNERS[kind];
    if (isRequest !== undefined) owners.push({ at, kind, isRequest, value: holder });
    const owner = owners.at(-1);
    if (owner === undefined || !(isRequest !== undefined || kind === 'mediaType')) return;
    for (const keyword of ['schema', 'itemSchema']) {
      if (holder[keyword] !== undefined)
        found.push({ holder, keyword, at: joinPointer(at, keyword), owner, several: several(owner, at) });
    }
  });
  return found;
}

function several({ value: { content } }: Owner, at: string): string {
  const media = isObject(content) ? Object.values(content) : [];
  const schemas = new Set(media.map((each) => JSON.stringify(isObject(each) ? each['schema'] : each)));
  return schemas.size > 1 ? pascalCase(essenceOf(pointerTokens(at).at(-1) ?? '')) : '';
}

/** Names the schemas of bodies: `CreateParcelBody`, `GetParcel200Body`. */
class BodyNames {
  readonly #typeNames: ReadonlyMap<string, string>;
  readonly #known = new Map<string, string>();

  constructor(
    { operations, webhooks, callbacks }: Pick<ContractModel, 'operations' | 'webhooks' | 'callbacks'>,
    private readonly taken: Set<string>,
  ) {
    const all = [...operations, ...webhooks, ...callbacks];
    this.#typeNames = new Map(all.map(({ pointer, typeName }) => [pointer, typeName]));
  }

  /** The name of a component for the schema; undefined if the schema is of no body. */
  of({ at, kind }: Owner, several: string, schema: Schema): string | undefined {
    const stem = this.#stem(kind, pointerTokens(at));
    if (stem === undefined) return undefined;
    const key = `${stem} ${JSON.stringify(schema)}`;
    const name = this.#known.get(key) ?? freeName(`${stem}${several}Body`, this.taken);
    this.#known.set(key, name);
    return name;
  }

  #stem(kind: string, tokens: readonly string[]): string | undefined {
    const own = tokens.at(-1) ?? '';
    if (kind !== 'requestBody' && kind !== 'response') return undefined;
    if (tokens[0] === 'components' && tokens.length === 3) return typeNameOf(own).replace(/Body$/, '');
    const isResponse = kind === 'response';
    const typeName = this.#typeNames.get(joinPointer('#', ...tokens.slice(0, isResponse ? -2 : -1)));
    return typeName === undefined ? undefined : `${typeName}${isResponse ? pascalCase(own) : ''}`;
  }
}

/** The section of components for each kind of object. References to other objects are resolved in place. */
const SECTIONS: Readonly<Partial<Record<Kind, string>>> = {
  schema: 'schemas',
  parameter: 'parameters',
  header: 'headers',
  requestBody: 'requestBodies',
  response: 'responses',
  pathItem: 'pathItems',
};

/** Makes a component of every part that is referenced by its place, because openapi-typescript only types references to components. */
function nameReferencedParts(document: object & { readonly components: object }): void {
  const components = document.components as Record<string, Record<string, unknown>>;
  /** The references to the components of parts, by kind and place. */
  const known = new Map<string, string>();
  const seen = new Set<object>();
  const schemas: object[] = [];

  const visit = (value: Record<string, unknown>, kind: Kind): void => {
    // A reference that is no text, or in an object that allows none, has already been reported.
    if (typeof value['$ref'] !== 'string' || SECTIONS[kind] === undefined)
      Reflect.deleteProperty(value, '$ref');
    else value['$ref'] = named(value['$ref'], kind) ?? value['$ref'];
    for (const [name, [inside, levels]] of Object.entries(FIELDS[kind])) {
      const members = value[name];
      if (inside === 'schema' && (Array.isArray(members) || (levels === 1 && isObject(members))))
        onlySchemas(members);
    }
    if (kind !== 'schema') return;
    schemas.push(value);
    const { discriminator } = value;
    if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return;
    const mapping = discriminator['mapping'] as Record<string, unknown>;
    for (const [tag, reference] of Object.entries(mapping))
      if (typeof reference === 'string') mapping[tag] = named(reference, kind) ?? reference;
  };

  /** The reference to the component; undefined if the reference stays unchanged. */
  const named = (reference: string, kind: Kind): string | undefined => {
    const section = SECTIONS[kind];
    if (section === undefined || !reference.startsWith('#')) return undefined;
    const tokens = pointerTokens(reference);
    const isComponent = tokens.length === 3 && tokens[0] === 'components' && tokens[1] === section;
    const isPath = kind === 'pathItem' && tokens.length === 2;
    if (isComponent || isPath) return joinPointer('#', ...tokens);
    const key = joinPointer(section, ...tokens);
    const target = valueAt(document, reference);
    if (known.has(key) || target === undefined) return known.get(key);
    const others = (components[section] ??= {});
    const name = freeName(nameOfPlace(tokens) || 'Part', new Set(['__proto__', ...Object.keys(others)]));
    const made = joinPointer('#/components', section, name);
    known.set(key, made);
    others[name] = structuredClone(target);
    visitObjects(others[name], kind, visit, made, seen);
    return made;
  };

  visitObjects(document, 'document', visit, '#', seen);
  // openapi-typescript would add a property `$defs` to the type of the schema.
  for (const schema of schemas) Reflect.deleteProperty(schema, '$defs');
}

/** Replaces members that are no schemas by `true`; compiling the checks reports them. */
function onlySchemas(members: object): void {
  for (const [name, member] of Object.entries(members))
    if (!isObject(member) && typeof member !== 'boolean') Object.assign(members, { [name]: true });
}
