/**
 * Finds the resources of a document: the operations that create, list, read, change and delete each of them, the parameters of their
 * lists, and the resources that an answer names.
 */

import type { Json } from '@concordat/runtime';
import { parseExactJson } from '@concordat/runtime/client';
import { isObject } from '@concordat/runtime/parts';
import type { CheckedAnswer } from '@concordat/runtime/testing';
import type { OperationModel, ParameterModel } from 'concordat/contract';
import type { RequestParts } from '../../running/wire-request.js';

/** The values of a path's parameters, in order. */
export type PathValues = readonly Json[];

/** The state of a resource in an answer. */
export type Entity = Readonly<Record<string, Json>>;

/** The operations on one kind of resource, and on the collection that it is in. */
export interface Resource {
  /** POST of the collection. */
  readonly create: OperationModel | undefined;
  /** GET of the collection. */
  readonly list: OperationModel | undefined;
  readonly read: OperationModel | undefined;
  /** PUT. */
  readonly replace: OperationModel | undefined;
  /** PATCH. */
  readonly update: OperationModel | undefined;
  readonly remove: OperationModel | undefined;
}

const PARAMETER = /\{([^}]+)\}/g;
const ITEM = /^(.+)\/\{[^/{}]+\}$/;

/** The resources of a document: `/users/{id}` in `/users`, the single `/profile`, and those of `/reports`, whose items have no path. */
export function resourcesOf(operations: readonly OperationModel[]): readonly Resource[] {
  const at = (method: string, path: string | undefined): OperationModel | undefined =>
    operations.find((each) => each.method === method && each.path === path);
  const paths = [...new Set(operations.map(({ path }) => path))];
  const collections = new Set(paths.map((path) => ITEM.exec(path)?.[1]));
  return paths.flatMap((path) => {
    const [replace, update, remove] = [at('PUT', path), at('PATCH', path), at('DELETE', path)];
    const changes = { replace, update, remove };
    const collection = ITEM.exec(path)?.[1];
    if (collection !== undefined) {
      const [create, list] = [at('POST', collection), at('GET', collection)];
      return [{ create, list, read: at('GET', path), ...changes }];
    }
    const get = at('GET', path);
    const isSingle = (replace ?? update) !== undefined;
    if (isSingle) return [{ create: undefined, list: undefined, read: get, ...changes }];
    if (collections.has(path)) return [];
    return [{ create: at('POST', path), list: get, read: undefined, ...changes, remove: undefined }];
  });
}

/** The parameters of a list: filters have the names of members of its items, and the others choose a part of it. */
export interface ListParameters {
  readonly filters: readonly ParameterModel[];
  readonly limit: ParameterModel | undefined;
  readonly offset: ParameterModel | undefined;
  readonly page: ParameterModel | undefined;
  readonly cursor: ParameterModel | undefined;
}

const LIMIT = /^\$?(?:limit|top|take|count|size|rows|(?:per|max)[_-]?(?:page|results|items)|page[_-]?size)$/i;
const OFFSET = /^\$?(?:offset|skip|start|start[_-]?index)$/i;
const PAGE = /^(?:page|page[_-]?(?:number|no))$/i;
const CURSOR = /cursor|token|^after$/i;

/** The parameters of an operation that may be those of a list. */
export function queryOf({ parameters }: OperationModel): readonly ParameterModel[] {
  return parameters.filter((each) => each.in === 'query' && each.style !== undefined);
}

export function listParametersOf(list: OperationModel, items: readonly Entity[]): ListParameters {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  const filters = queryOf(list).filter(({ name }) => names.has(name));
  const named = (pattern: RegExp): ParameterModel | undefined =>
    queryOf(list).find((each) => pattern.test(each.name) && !filters.includes(each));
  return { filters, limit: named(LIMIT), offset: named(OFFSET), page: named(PAGE), cursor: named(CURSOR) };
}

/** The items of a list: the body, or its only member that is a list of objects. */
export function itemsOf(body: Json | undefined): readonly Entity[] | undefined {
  if (isList(body)) return body;
  if (!isEntity(body)) return undefined;
  const [list, ...others] = Object.values(body).filter(isList);
  return others.length === 0 ? list : undefined;
}

function isList(value: Json | undefined): value is readonly Entity[] & Json {
  return Array.isArray(value) && (value as readonly Json[]).every(isEntity);
}

/** The cursor of the next page in the body of a page: `nextCursor` for `cursor`. */
export function nextCursorOf(body: Json | undefined, cursor: string): Json | undefined {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
  const members = Object.entries(isEntity(body) ? body : {});
  const [, next] = members.find(([name]) => plain(name) === `next${plain(cursor)}`) ?? [];
  return next ?? undefined;
}

export function isEntity(value: Json | undefined): value is Entity {
  return isObject(value);
}

/** The names of a template's parameters. */
export function namesOf(template: string): readonly string[] {
  return [...template.matchAll(PARAMETER)].map(([, name = '']) => name);
}

/** A template without the names of its parameters: `/users/{}`. */
export function withoutNames(template: string): string {
  return template.replaceAll(PARAMETER, '{}');
}

/** The paths up to each parameter of a template: `/users/{}` and `/users/{}/posts/{}`. */
export function prefixesOf(template: string): readonly string[] {
  return [...template.matchAll(PARAMETER)].map(({ index, 0: text }) =>
    withoutNames(template.slice(0, index + text.length)),
  );
}

/** The number 7 and the text "7" are the same in a path. */
export function isSameResource(a: PathValues, b: PathValues): boolean {
  const written = (value: Json | undefined): string =>
    typeof value === 'object' ? JSON.stringify(value) : String(value);
  return a.length === b.length && a.every((value, index) => written(value) === written(b[index]));
}

/** The values of a request's path parameters. */
export function pathValuesOf({ operation, parameters }: RequestParts): PathValues {
  return namesOf(operation.path).flatMap(
    (name) =>
      parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)?.value ?? [],
  );
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
  const below = templates
    .filter((each) => each.startsWith(`${path}/`))
    .map((each) => each.slice(path.length + 1));
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
  const located =
    location === undefined
      ? []
      : templates.flatMap((template) => {
          const values = valuesIn(template, location) ?? [];
          return values.length > 0 ? [{ template, values }] : [];
        });
  return [...[...names].flatMap((name) => named(path, name, own)), ...lists, ...located];
}

function isId(value: unknown): value is string | number {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

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

export function locationOf(answer: CheckedAnswer | { readonly failure: string }): string | undefined {
  return 'headers' in answer ? [answer.headers['location'] ?? []].flat()[0] : undefined;
}

/** The path values of a `Location`, whose path may begin with the server's base path; undefined if it is of another template. */
export function valuesIn(template: string, location: string): PathValues | undefined {
  const path = location.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*/s, '');
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '([^/]+)');
  return new RegExp(`${pattern}/?$`).exec(path)?.slice(1).map(decoded);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
