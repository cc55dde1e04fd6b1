/** Explains how the items of a list and the properties of an object fail a schema. */

import type { ApplicatorTo } from '../contract/keywords.js';
import { expression, findings, has } from './assertion-failures.js';
import { type SchemaKeywords, type Trial, finding } from './failure.js';
import { isObject, memberPointer } from './json-value.js';

/** A list or an object that is explained. */
interface Target<Value> {
  readonly trial: Trial;
  readonly schema: SchemaKeywords;
  readonly value: Value;
  readonly place: string;
}

type Members = Readonly<Record<string, unknown>>;
type Explain<Value> = (target: Target<Value>) => void;

function explainEachItem({ trial, schema, value, place }: Target<readonly unknown[]>): void {
  const prefix = (schema['prefixItems'] ?? []) as readonly unknown[];
  const { items } = schema;
  if (items === false && value.length > prefix.length) tooMany(trial, place, 'items', prefix.length);
  for (const [index, item] of value.entries()) {
    const inner = index < prefix.length ? prefix[index] : items;
    if (inner === undefined) continue;
    trial.looked.indexes.add(index);
    if (index < prefix.length || items !== false) trial.part(inner, item, `${place}/${index}`);
  }
}

function explainContains({ trial, schema, value, place }: Target<readonly unknown[]>): void {
  if (!('contains' in schema)) return;
  const { contains, minContains = 1, maxContains } = schema as Readonly<Record<string, number | undefined>>;
  const fitting = [...value.keys()].filter((index) => trial.attempt(contains, value[index], '').fits);
  for (const index of fitting) trial.looked.indexes.add(index);
  if (fitting.length >= minContains && fitting.length <= (maxContains ?? Infinity)) return;
  const limit = maxContains === undefined ? '' : ` and no more than ${maxContains}`;
  const params = { minContains, ...(maxContains !== undefined && { maxContains }) };
  const message = `must contain at least ${minContains}${limit} valid item(s)`;
  trial.fail(place, finding('contains', params, message));
}

function explainOtherItems({ trial, schema, value, place }: Target<readonly unknown[]>): void {
  if (!('unevaluatedItems' in schema)) return;
  const inner = schema['unevaluatedItems'];
  const { indexes } = trial.looked;
  const left = [...value.keys()].filter((index) => !indexes.has(index));
  const [first] = left;
  if (inner === false && first !== undefined) tooMany(trial, place, 'unevaluatedItems', first);
  else for (const index of left) trial.part(inner, value[index], `${place}/${index}`);
  for (const index of left) indexes.add(index);
}

function tooMany(trial: Trial, place: string, keyword: string, limit: number): void {
  trial.fail(place, finding(keyword, { limit }, `must NOT have more than ${limit} items`));
}

/** In the order of the failures. */
const OF_ITEMS: Readonly<Record<ApplicatorTo<'items'>, Explain<readonly unknown[]>>> = {
  prefixItems: explainEachItem,
  items: explainEachItem,
  contains: explainContains,
  unevaluatedItems: explainOtherItems,
};

export function explainList(target: Target<readonly unknown[]>): void {
  for (const each of findings('array', target.schema, target.value)) target.trial.fail(target.place, each);
  for (const explain of new Set(Object.values(OF_ITEMS))) explain(target);
}

/** A keyword that holds schemas by name. */
const named = (schema: SchemaKeywords, keyword: string): Members => (schema[keyword] ?? {}) as Members;

function insertDefaults({ schema, value }: Target<Members>): void {
  for (const [name, inner] of Object.entries(named(schema, 'properties'))) {
    if (!isObject(inner) || !('default' in inner) || has(value, name)) continue;
    const property = { value: inner['default'], writable: true, enumerable: true, configurable: true };
    Object.defineProperty(value, name, property);
  }
}

/** The name of each property, and the value of each undescribed property. */
function explainNames({ trial, schema, value, place }: Target<Members>): void {
  const { propertyNames, additionalProperties } = schema;
  const patterns = Object.keys(named(schema, 'patternProperties'));
  for (const name of Object.keys(value)) {
    if (propertyNames !== undefined) {
      const params = { propertyName: name };
      if (!trial.part(propertyNames, name, place))
        trial.fail(place, finding('propertyNames', params, 'property name must be valid'));
    }
    const isDescribed =
      Object.hasOwn(named(schema, 'properties'), name) ||
      patterns.some((pattern) => expression(pattern).test(name));
    if (additionalProperties === undefined || isDescribed) continue;
    explainOther({ trial, schema, value, place }, 'additional', name);
  }
}

/** Explains a property that only `additionalProperties` or `unevaluatedProperties` describes. */
function explainOther(
  { trial, schema, value, place }: Target<Members>,
  kind: 'additional' | 'unevaluated',
  name: string,
): void {
  const keyword = `${kind}Properties` as const;
  const inner = schema[keyword];
  trial.looked.names.add(name);
  if (inner === false)
    trial.fail(place, finding(keyword, { [`${kind}Property`]: name }, `must NOT have ${kind} properties`));
  else trial.part(inner, value[name], place + memberPointer(name));
}

function explainDependent({ trial, schema, value, place }: Target<Members>): void {
  for (const [name, inner] of Object.entries(named(schema, 'dependentSchemas')))
    if (has(value, name)) trial.same(inner, value, place);
}

function explainDescribed({ trial, schema, value, place }: Target<Members>): void {
  const explain = (name: string, inner: unknown): void => {
    trial.looked.names.add(name);
    trial.part(inner, value[name], place + memberPointer(name));
  };
  for (const [name, inner] of Object.entries(named(schema, 'properties')))
    if (has(value, name)) explain(name, inner);
  for (const [pattern, inner] of Object.entries(named(schema, 'patternProperties')))
    for (const name of Object.keys(value)) if (expression(pattern).test(name)) explain(name, inner);
}

function explainOtherProperties({ trial, schema, value, place }: Target<Members>): void {
  if (!('unevaluatedProperties' in schema)) return;
  for (const name of Object.keys(value))
    if (!trial.looked.names.has(name)) explainOther({ trial, schema, value, place }, 'unevaluated', name);
}

function explainDispatch({ trial, schema, value, place }: Target<Members>): void {
  if (!('dispatch' in schema)) return;
  const { property, values } = schema['dispatchOn'] as {
    readonly property: string;
    readonly values: readonly (readonly unknown[])[];
  };
  const tag = has(value, property) ? value[property] : undefined;
  for (const [index, branch] of (schema['dispatch'] as readonly unknown[]).entries())
    if (values[index]?.includes(tag) === true) trial.same(branch, value, place);
}

type OfProperties = ApplicatorTo<'properties' | 'names'> | 'dependentSchemas' | 'dispatch';

/** In the order of the failures. */
const OF_PROPERTIES: Readonly<Record<OfProperties, Explain<Members>>> = {
  propertyNames: explainNames,
  additionalProperties: explainNames,
  dependentSchemas: explainDependent,
  properties: explainDescribed,
  patternProperties: explainDescribed,
  unevaluatedProperties: explainOtherProperties,
  dispatch: explainDispatch,
};

export function explainObject(target: Target<Members>): void {
  insertDefaults(target);
  for (const each of findings('object', target.schema, target.value)) target.trial.fail(target.place, each);
  for (const explain of new Set(Object.values(OF_PROPERTIES))) explain(target);
}
