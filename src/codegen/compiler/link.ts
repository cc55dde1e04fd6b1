/** Follows the references of plain JSON Schemas: each place that one leads to becomes a part of its own. */
import { Documents, type DynamicScope, type Location } from './documents.js';
import type { LinkedPart, LinkedSchema, SchemaObject } from './linked-schema.js';
import { isObject, subschemas } from './raw-schema.js';
import { isForeign } from './vocabularies.js';

export interface LinkOptions {
  /** Other documents that references may lead to, by URI. */
  readonly remotes?: Readonly<Record<string, unknown>>;
  /** Whether `format` is checked, or says nothing about which values are valid. A dialect may ask for the check by itself. */
  readonly format: 'assert' | 'annotate';
}

/** Keywords that are followed, or that only references need. */
const FOLLOWED = new Set([
  '$ref',
  '$dynamicRef',
  '$defs',
  'definitions',
  'contentSchema',
  'default',
  'dependencies',
]);

/**
 * The parts of a schema, the schema itself first.
 *
 * @throws when a reference leads nowhere
 */
export function linkedParts(schema: unknown, { remotes, format }: LinkOptions): readonly LinkedPart[] {
  const documents = new Documents(schema, remotes);
  const parts: LinkedPart[] = [];
  const ids = new Map<string, string>();
  const waiting: (() => void)[] = [];

  const refer = (location: Location, outer: DynamicScope): string => {
    const scope = documents.entered(outer, location.resource);
    const key = JSON.stringify([location.at, [...scope].map(([name, { at }]) => [name, at]).sort()]);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = `check${ids.size}`;
    ids.set(key, id);
    waiting.push(() =>
      parts.push({ id, name: id, about: location.at, schema: linked(location.schema, scope) }),
    );
    return id;
  };

  const linked = (raw: unknown, outer: DynamicScope): LinkedSchema => {
    if (typeof raw === 'boolean') return raw;
    if (!isObject(raw)) throw new Error('a schema must be an object or a boolean');
    const resource = documents.ownerOf(raw);
    const scope = documents.entered(outer, resource);
    const out: Record<string, unknown> = {};
    const isOff = (keyword: string): boolean => isForeign(keyword, resource.vocabularies);
    const isAsserted = format === 'assert' || resource.vocabularies.has('format-assertion');
    for (const [keyword, value] of Object.entries(raw))
      if (!FOLLOWED.has(keyword) && !isOff(keyword) && (keyword !== 'format' || isAsserted))
        out[keyword] = value;
    for (const { keyword, path, schema: inner } of subschemas(raw)) {
      if (FOLLOWED.has(keyword) || isOff(keyword)) continue;
      const [, key] = path;
      if (key === undefined) out[keyword] = linked(inner, scope);
      else if (typeof key === 'number')
        out[keyword] = [...(key === 0 ? [] : (out[keyword] as unknown[])), linked(inner, scope)];
      else
        out[keyword] = withMember(
          raw[keyword] === out[keyword] ? {} : out[keyword],
          key,
          linked(inner, scope),
        );
    }
    const { $ref, $dynamicRef } = raw;
    const references = [
      ...(typeof $ref === 'string' ? [refer(documents.resolve($ref, resource), scope)] : []),
      ...(typeof $dynamicRef === 'string'
        ? [refer(documents.resolveDynamic($dynamicRef, resource, scope), scope)]
        : []),
    ].map((id) => ({ $ref: id }));
    const old = isObject(raw['dependencies']) ? [linked(dependent(raw['dependencies']), scope)] : [];
    if (references.length + old.length === 0) return out;
    return { ...out, allOf: [...references, ...old, ...((out['allOf'] as unknown[] | undefined) ?? [])] };
  };

  refer({ schema, at: documents.root.at, resource: documents.ownerOf(schema) }, new Map());
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
  return parts;
}

/** What the `dependencies` of older dialects say, in the two keywords of today. */
function dependent(dependencies: SchemaObject): SchemaObject {
  const entries = Object.entries(dependencies);
  return {
    dependentRequired: Object.fromEntries(entries.filter(([, each]) => Array.isArray(each))),
    dependentSchemas: Object.fromEntries(entries.filter(([, each]) => !Array.isArray(each))),
  };
}

/** The same map with one more name; `__proto__` is a name like any other. */
function withMember(map: unknown, name: string, member: LinkedSchema): object {
  return Object.fromEntries([...Object.entries(map as object), [name, member]]);
}
