/** Reads discriminators, which map the values of a property to schemas (OpenAPI, Discriminator Object). */
import { once } from '@concordat/runtime/parts';
import type { SchemaNode } from './contract-schemas.js';
import { type Fields, elements, entries, isObject } from './document.js';
import { joinPointer, placeTokens } from '../../text/pointer.js';

/** A value of the property; the names of schemas and of mappings are converted to the type of the property. */
export type Tag = string | number | boolean;

/** One alternative that a discriminator can pick. */
interface Branch {
  /** The property values that pick it. */
  readonly values: readonly Tag[];
  /** The schema that it refers to; absent if the schema is written in place. */
  readonly reference?: SchemaNode;
  /** A member of `oneOf` or `anyOf`, or a schema that extends this one. */
  readonly node: SchemaNode;
}

/** The decision of a discriminator. */
export interface Discrimination {
  readonly property: string;
  /** `inheritance` when the alternatives are the schemas that extend this one through `allOf`. */
  readonly among: 'oneOf' | 'anyOf' | 'inheritance';
  readonly branches: readonly Branch[];
  /** Members of `oneOf` or `anyOf` whose values are not objects and so have no discriminator. */
  readonly others: readonly SchemaNode[];
  /** The schema of values without the property, or with a value that picks no branch (`defaultMapping`). */
  readonly byDefault?: SchemaNode;
}

/** The decision of a schema's discriminator; `undefined` if it has none, or an unsupported one, which is reported. */
export function discriminationOf(node: SchemaNode): Discrimination | undefined {
  return once(node, readDiscrimination);
}

/** The component schemas that a discriminator can pick without a `oneOf` or `anyOf` that lists them. */
export function heirsOf(node: SchemaNode): readonly SchemaNode[] {
  return once(node, readHeirs);
}

/**
 * True when a schema extends another. A reference from the child to the parent then means the parent's own keywords without its
 * discriminator, which would lead back to the child.
 */
export function isExtension(child: SchemaNode, parent: SchemaNode): boolean {
  return once(parent, extending).includes(child);
}

/** The Discriminator Object of a schema. */
export function discriminatorOf({ object: { discriminator } }: SchemaNode): Fields | undefined {
  return isObject(discriminator) ? discriminator : undefined;
}

function alternativesOf({ object }: SchemaNode): 'oneOf' | 'anyOf' | undefined {
  return (['oneOf', 'anyOf'] as const).find((keyword) => Array.isArray(object[keyword]));
}

function readHeirs(node: SchemaNode): readonly SchemaNode[] {
  const discriminator = discriminatorOf(node);
  if (discriminator === undefined || alternativesOf(node) !== undefined) return [];
  const mapped = entries(discriminator['mapping']).flatMap(([, name]) => mappedTo(node, name) ?? []);
  return [...new Set([...once(node, extending), ...mapped])].filter((heir) => heir.at !== node.at);
}

/**
 * The component schemas whose `allOf` includes a schema, directly or indirectly. A schema that lists alternatives is a union, whose
 * discriminator holds wherever the schema is included, except in the alternatives themselves.
 */
function extending(parent: SchemaNode): readonly SchemaNode[] {
  const isUnion = alternativesOf(parent) !== undefined;
  return parent.schemas.components.filter(
    (child) =>
      child.at !== parent.at &&
      'allOf' in child.object &&
      child.certain.some(({ at }) => at === parent.at) &&
      (!isUnion || once(parent, alternativesWithin).has(child.at)),
  );
}

/** The places of the schemas that a value can meet inside the alternatives of a schema. */
function alternativesWithin(parent: SchemaNode): ReadonlySet<string> {
  const found = new Map<string, SchemaNode>([[parent.at, parent]]);
  for (const node of found.values())
    for (const next of [
      ...node.references(),
      ...(['allOf', 'oneOf', 'anyOf'] as const).flatMap((keyword) => node.under(keyword)),
    ])
      found.set(next.at, found.get(next.at) ?? next);
  return new Set(found.keys());
}

function readDiscrimination(node: SchemaNode): Discrimination | undefined {
  const property = discriminatorOf(node)?.['propertyName'];
  if (typeof property !== 'string') return undefined;
  const among = alternativesOf(node);
  return among === undefined ? inheritance(node, property) : alternatives(node, property, among);
}

function alternatives(
  node: SchemaNode,
  property: string,
  among: 'oneOf' | 'anyOf',
): Discrimination | undefined {
  const names = mappingOf(node);
  const members = node.under(among);
  const objects = members.filter((member) => member.mayBe('object'));
  const branches = branchesOf(objects, (member) => member.references()[0], property, names);
  if (!areNamed(branches, property)) return undefined;
  const place = joinPointer(node.at, 'discriminator', 'mapping');
  for (const target of names.keys()) {
    if (branches.some(({ reference }) => reference === target)) continue;
    const message = `maps to ${target.at}, which ${among} does not list`;
    node.schemas.unsupported('discriminator-mapping', place, message);
  }
  const others = members.filter((member) => !objects.includes(member));
  return { property, among, branches, others, ...byDefault(node, branches) };
}

function inheritance(node: SchemaNode, property: string): Discrimination | undefined {
  const names = mappingOf(node);
  const heirs = heirsOf(node);
  if (heirs.length === 0) {
    const message =
      'no schema of the document extends this one through allOf, so the discriminator has no schemas to choose from';
    node.schemas.unsupported('discriminator-inheritance', joinPointer(node.at, 'discriminator'), message);
    return undefined;
  }
  const branches = branchesOf(heirs, (heir) => heir, property, names);
  if (!areNamed(branches, property)) return undefined;
  // A discriminator can also name the schema that has it.
  const named = [...names].find(([{ at }]) => at === node.at)?.[1] ?? [nameOf(node)];
  const values = tagsOf(node, property, named);
  return {
    property,
    among: 'inheritance',
    branches: [...branches, { values, node: node.schemas.made(true, node.at) }],
    others: [],
    ...byDefault(node, branches),
  };
}

/** Reports an alternative that no value of the property picks. */
function areNamed(branches: readonly Branch[], property: string): boolean {
  const unnamed = branches.find(({ values }) => values.length === 0);
  if (unnamed === undefined) return true;
  const { node, reference } = unnamed;
  const why = reference === undefined ? 'it has no name' : 'its name does not fit the type';
  const message = `no value of "${property}" picks this alternative: ${why}, and it has neither a mapping, nor a const or enum of its own`;
  node.schemas.unsupported('discriminator-branch', node.at, message);
  return false;
}

/**
 * The branches with their values: those of the mapping, or those that the branch's own `const` or `enum` allows, or the name of
 * its schema. A value that a narrower branch also allows belongs to the narrower one. A referenced schema that still shares a
 * value with another branch is picked by its name.
 *
 * @param referenceOf - the schema that an alternative refers to
 */
function branchesOf(
  all: readonly SchemaNode[],
  referenceOf: (node: SchemaNode) => SchemaNode | undefined,
  property: string,
  names: ReadonlyMap<SchemaNode, readonly string[]>,
): readonly Branch[] {
  const own = all.map((node) => ownValues(node, property));
  const claimed = own.map((values) => {
    const narrower = own.filter(
      (others) => others.length < values.length && others.every((value) => values.includes(value)),
    );
    return values.filter((value) => !narrower.flat().includes(value));
  });
  const count = new Map<Tag, number>();
  for (const value of claimed.flat()) count.set(value, (count.get(value) ?? 0) + 1);
  return all.map((node, index): Branch => {
    const reference = referenceOf(node);
    if (reference === undefined) return { node, values: own[index] ?? [] };
    const said = claimed[index] ?? [];
    const isDistinct = said.length > 0 && said.every((value) => count.get(value) === 1);
    const named = names.get(reference) ?? (isDistinct ? undefined : [nameOf(reference)]);
    return { node, reference, values: named === undefined ? said : tagsOf(node, property, named) };
  });
}

/** The values of a property that texts name, if it cannot be a text: `1` for an integer. */
function tagsOf(node: SchemaNode, property: string, texts: readonly string[]): readonly Tag[] {
  const described = describing(node, property);
  const mayBe = (type: string): boolean => described.every((each) => each.mayBe(type));
  if (mayBe('string') && ownValues(node, property).every((value) => typeof value === 'string')) return texts;
  const isNumeric = mayBe('integer') || mayBe('number');
  return texts.flatMap((text): readonly Tag[] => {
    if (isNumeric && String(Number(text)) === text) return [Number(text)];
    return mayBe('boolean') && (text === 'true' || text === 'false') ? [text === 'true'] : [];
  });
}

/** The schemas that describe a property of every value. */
function describing(node: SchemaNode, property: string): readonly SchemaNode[] {
  return node.certain.flatMap((each) => each.under('properties').filter(({ key }) => key === property));
}

function nameOf({ at }: SchemaNode): string {
  return placeTokens(at).at(-1) ?? '';
}

/** The branch that `defaultMapping` names. */
function byDefault(node: SchemaNode, branches: readonly Branch[]): Pick<Discrimination, 'byDefault'> {
  const name = discriminatorOf(node)?.['defaultMapping'];
  if (name === undefined || node.schemas.dialect.version !== '3.2') return {};
  const target = mappedTo(node, name);
  const found = branches.find(({ reference }) => reference !== undefined && reference === target);
  if (found !== undefined) return { byDefault: found.node };
  const place = joinPointer(node.at, 'discriminator', 'defaultMapping');
  const message = `${JSON.stringify(name)} names no alternative of the discriminator`;
  node.schemas.unsupported('discriminator-mapping', place, message);
  return {};
}

/** The values of the explicit mapping, by schema. A schema with a mapping loses its implicit name. */
function mappingOf(node: SchemaNode): ReadonlyMap<SchemaNode, readonly string[]> {
  const names = new Map<SchemaNode, readonly string[]>();
  for (const [value, name] of entries(discriminatorOf(node)?.['mapping'])) {
    const target = mappedTo(node, name);
    if (target === undefined) {
      const place = joinPointer(node.at, 'discriminator', 'mapping', value);
      const message = `"${String(name)}" names no schema of the document`;
      node.schemas.unsupported('discriminator-mapping', place, message);
    } else names.set(target, [...(names.get(target) ?? []), value]);
  }
  return names;
}

/** The schema that a mapping's value means: the name of a component schema, or a reference. */
function mappedTo({ schemas }: SchemaNode, name: unknown): SchemaNode | undefined {
  if (typeof name !== 'string') return undefined;
  return schemas.find(joinPointer('#/components/schemas', name)) ?? schemas.find(name);
}

/** The values that every `const` and `enum` of the property allows; none if nothing restricts it. */
function ownValues(node: SchemaNode, property: string): readonly Tag[] {
  const lists = describing(node, property)
    .flatMap((described) => described.certain)
    .filter(({ object }) => 'const' in object || Array.isArray(object.enum))
    .map(({ object }) => ('const' in object ? [object.const] : elements(object.enum)))
    .map((values) => values.filter(isTag));
  const [first = [], ...others] = lists;
  return first.filter((value) => others.every((other) => other.includes(value)));
}

function isTag(value: unknown): value is Tag {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
