/** Finds the resources that the answers of a server name, by the ids in their bodies and by their `Location`. */

import type { Json } from '@concordat/runtime';
import { parseExactJson } from '@concordat/runtime/client';
import type { CheckedAnswer } from '@concordat/runtime/testing';
import { type OperationModel, percentDecoded } from 'concordat/contract';
import { type Entity, isEntity, namesOf, writtenValue } from '../../running/resources.js';
import type { RequestParts } from '../../running/wire-request.js';

/** The values of a path's parameters, in order. */
export type PathValues = readonly Json[];

export const isSameResource = (a: PathValues, b: PathValues): boolean =>
  a.length === b.length && a.every((value, index) => writtenValue(value) === writtenValue(b[index]));

/** The values of a request's path parameters. */
export function pathValuesOf({ operation, parameters }: RequestParts): PathValues {
  const inPath = parameters.filter(({ parameter }) => parameter.in === 'path');
  const valueOf = (name: string) => inPath.find(({ parameter }) => parameter.name === name)?.value;
  return namesOf(operation.path).flatMap((name) => valueOf(name) ?? []);
}

/** A request that was answered. */
export interface Exchange {
  readonly parts: RequestParts;
  readonly answer: CheckedAnswer;
}

/** A resource that an answer names. */
interface NamedResource {
  readonly template: string;
  readonly values: PathValues;
  readonly entity?: Entity;
}

/** The resources that a success names: by the ids in its body, and by its `Location`. */
export function resourcesIn(
  operations: readonly OperationModel[],
  { parts, answer }: Exchange,
): readonly NamedResource[] {
  const { path, method } = parts.operation;
  const above = pathValuesOf(parts);
  const body = bodyOf(answer);
  const templates = [...new Set(operations.map((each) => each.path))];
  const named = (template: string, name: string, entities: readonly Entity[]): readonly NamedResource[] =>
    entities.flatMap((entity) => {
      const id = entity[name] ?? entity['id'];
      return isId(id) ? [{ template: `${template}/{${name}}`, values: [...above, id], entity }] : [];
    });
  const inner = templates.filter((each) => each.startsWith(`${path}/`));
  const below = inner.map((each) => each.slice(path.length + 1));
  // The parameter that directly follows the path.
  const names = new Set(below.flatMap((rest) => /^\{([^}/]+)\}(?:\/|$)/.exec(rest)?.[1] ?? []));
  const own = entitiesOf(body, method === 'POST' ? 1 : 2);
  // A member may list the items of a path below: `items` for `/orders/{id}/items/{itemId}`.
  const lists = below.flatMap((rest) => {
    const [, member = '', name = ''] = /^([^/{}]+)\/\{([^}/]+)\}$/.exec(rest) ?? [];
    const list = isEntity(body) ? body[member] : undefined;
    return Array.isArray(list) ? named(`${path}/${member}`, name, entitiesOf(list as Json, 1)) : [];
  });
  const location = locationOf(answer);
  const located = templates.flatMap((template) => {
    const values = (location === undefined ? undefined : valuesIn(template, location)) ?? [];
    return values.length > 0 ? [{ template, values }] : [];
  });
  return [...[...names].flatMap((name) => named(path, name, own)), ...lists, ...located];
}

const isId = (value: unknown): value is string | number =>
  ['string', 'number', 'bigint'].includes(typeof value);

/** The objects of a body down to a depth, in lists and in wrapping objects. */
function entitiesOf(body: Json | undefined, depth: number): readonly Entity[] {
  if (depth < 0) return [];
  if (Array.isArray(body)) return body.flatMap((item: Json) => entitiesOf(item, depth - 1));
  if (!isEntity(body)) return [];
  if ('id' in body) return [body];
  return [body, ...Object.values(body).flatMap((member) => entitiesOf(member, depth - 1))];
}

/** The JSON body of an answer. Its integers beyond 2^53 are bigints, which are sent again with all their digits. */
export function bodyOf(answer: CheckedAnswer | { readonly failure: string }): Json | undefined {
  if ('failure' in answer || !/[/+]json/.test(String(answer.headers['content-type']))) return undefined;
  try {
    return parseExactJson(answer.text) as Json;
  } catch {
    return undefined;
  }
}

export const locationOf = (answer: CheckedAnswer | { readonly failure: string }): string | undefined =>
  'headers' in answer ? [answer.headers['location'] ?? []].flat()[0] : undefined;

/** The path values of a `Location`, whose path may begin with the server's base path; undefined if it is of another template. */
export function valuesIn(template: string, location: string): PathValues | undefined {
  const path = location.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*/s, '');
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '([^/]+)');
  return new RegExp(`${pattern}/?$`).exec(path)?.slice(1).map(percentDecoded);
}
