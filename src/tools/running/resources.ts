/**
 * Finds the resources of a document: the operations that create, list, read, change and delete each of them, and the parameters of their
 * lists.
 */

import type { Json } from '@concordat/runtime';
import { isObject } from '@concordat/runtime/parts';
import type { OperationModel, ParameterModel } from 'concordat/contract';

/** The state of a resource in an answer. */
export type Entity = Readonly<Record<string, Json>>;

/** What an operation does to a resource. */
export type Action = 'create' | 'list' | 'read' | 'replace' | 'update' | 'remove';

/** The operations on one kind of resource, and on the collection that it is in: POST and GET of the collection, and those of an item. */
export interface Resource extends Readonly<Record<Action, OperationModel | undefined>> {
  /** The last fixed segment of its path: `users`. */
  readonly name: string;
  /** The path of an item; of a collection whose items have no path, and of a single resource, their own. */
  readonly path: string;
  /** The path without the names of parameters, and without the end that an item has after its parameter: `/lines/{}` of `/lines/{id}.json`. */
  readonly key: string;
}

const NO_OPERATIONS = {
  create: undefined,
  list: undefined,
  read: undefined,
  replace: undefined,
  update: undefined,
  remove: undefined,
};

const PARAMETER = /\{([^}]+)\}/g;
/** The key of an item after that of its collection, also in the form of OData: `/lines({id})`. */
const ITEM = /^(.+)(?:\/[^/{}]*|\()\{\}$/;
/** The end of an item; `:cancel` names an action. */
const END = /\{\}([^/{}:][^/{}]*\/?|\/)$/;

/** The actions that `x-sandbox` names. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  create: 'create',
  list: 'list',
  read: 'read',
  replace: 'replace',
  update: 'update',
  delete: 'remove',
};

/** The operations of a resource. */
export function actionsOf(resource: Resource) {
  return Object.values(ACTIONS).flatMap((action) => {
    const operation = resource[action];
    return operation === undefined ? [] : [{ action, operation }];
  });
}

/** The correction that `x-sandbox` makes: the resource of an operation and what it does to it, or `off`. */
type Correction = { readonly resource: string; readonly action: Action } | 'off';

export function correctionOf({ extensions }: OperationModel): Correction | undefined {
  const given = extensions['x-sandbox'];
  if (!isEntity(given)) return given === 'off' ? 'off' : undefined;
  const { resource, action } = given;
  const known = typeof action === 'string' && Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  return typeof resource === 'string' && known !== undefined ? { resource, action: known } : undefined;
}

/**
 * The resources of a document: `/users/{id}` in `/users`, the single `/profile`, and those of `/reports`, whose items have no path.
 * `x-sandbox` corrects them.
 */
export function resourcesOf(operations: readonly OperationModel[]): readonly Resource[] {
  const plain = operations.filter((each) => correctionOf(each) === undefined);
  return operations.reduce((found, operation) => {
    const correction = correctionOf(operation);
    if (correction === undefined || correction === 'off') return found;
    const { resource: name, action } = correction;
    const at = found.findIndex((each) => each.name === name && each[action] === undefined);
    const { path } = operation;
    const home = found[at] ?? { ...NO_OPERATIONS, name, path, key: withoutNames(path) };
    return found.toSpliced(at === -1 ? found.length : at, 1, { ...home, [action]: operation });
  }, resourcesByPath(plain));
}

function resourcesByPath(operations: readonly OperationModel[]): readonly Resource[] {
  const keys = keysOf(operations.map(({ path }) => path));
  const byKey = new Map<string, OperationModel[]>();
  for (const each of operations) {
    const key = keys.get(each.path) ?? each.path;
    byKey.set(key, [...(byKey.get(key) ?? []), each]);
  }
  const at = (method: string, key: string): OperationModel | undefined =>
    byKey.get(key)?.find((each) => each.method === method);
  const collections = new Set([...byKey.keys()].map((key) => ITEM.exec(key)?.[1]));
  return [...byKey].flatMap(([key, [first]]) => {
    const { path = key } = first ?? {};
    const [get, replace, update, remove] = ['GET', 'PUT', 'PATCH', 'DELETE'].map((each) => at(each, key));
    const collection = ITEM.exec(key)?.[1];
    const named = { ...NO_OPERATIONS, path, key, name: nameOf(collection ?? key) };
    const changes = { replace, update, remove };
    if (collection !== undefined) {
      const [create, list] = [at('POST', collection), at('GET', collection)];
      // Where an item has no other operation that changes it, POST does.
      const isPosted = (get ?? remove) !== undefined && (replace ?? update) === undefined;
      const posted = isPosted ? { update: at('POST', key) } : {};
      return [{ ...named, create, list, read: get, ...changes, ...posted }];
    }
    // What is read page by page is a list, although PUT adds to it.
    const { limit, offset, page, cursor } = listParametersOf(get ?? { parameters: [] }, new Set());
    const isPaged = limit !== undefined && (offset ?? page ?? cursor) !== undefined;
    const isSingle = (replace ?? update) !== undefined && !isPaged;
    if (isSingle) return [{ ...named, read: get, ...changes }];
    if (collections.has(key)) return [];
    return [{ ...named, create: at('POST', key), list: get }];
  });
}

/** The keys of paths: an end that items share, such as `.json` or `/`, belongs to no key, unless two paths would have the same. */
function keysOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const plain = new Set(paths.map(withoutNames));
  const ends = new Set([...plain].flatMap((each) => END.exec(each)?.[1] ?? []));
  const keys = paths.map((path) => {
    const whole = withoutNames(path);
    const [own] = [...ends].filter((each) => whole.endsWith(each)).toSorted((a, b) => b.length - a.length);
    const key = own === undefined ? whole : whole.slice(0, -own.length);
    return [path, plain.has(key) ? whole : key] as const;
  });
  return new Map(keys);
}

/** The last fixed segment of a path: `orders` for `/users/{userId}/orders/{orderId}`. */
export function nameOf(path: string): string {
  return path.split('/').findLast((each) => each !== '' && !each.includes('{')) ?? '';
}

/** The name of one resource of a collection: `user` for `users`. */
export function singular(name: string): string {
  return name.replace(/ies$/i, 'y').replace(/(?<=ss|x|ch|sh)es$|(?<![sui])s$/i, '');
}

/** Whether a property such as `userId` or `user_id` refers to the resources of a collection such as `users`. */
export function refersTo(property: string, collection: string): boolean {
  const stem = /^(.+?)_?ids?$/i.exec(property)?.[1];
  return stem !== undefined && [collection, singular(collection)].some((each) => isSameName(each, stem));
}

/** Whether two names differ in nothing but case, hyphens and underscores. */
export function isSameName(a: string, b: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
  return plain(a) === plain(b);
}

/** The parameters of a list: filters have the names of members of its items, and the others choose a part of it. */
export interface ListParameters {
  readonly filters: readonly ParameterModel[];
  readonly limit: ParameterModel | undefined;
  readonly offset: ParameterModel | undefined;
  readonly page: ParameterModel | undefined;
  readonly cursor: ParameterModel | undefined;
  /** The place of the last item before the page, by its id or its time. */
  readonly keyset: ParameterModel | undefined;
}

export const LIMIT =
  /^\$?(?:limit|top|first|take|count|size|rows|(?:per|max)[_-]?(?:page|results|items)|page[_-]?size)$/i;
export const OFFSET = /^\$?(?:offset|skip|start|start[_-]?index)$/i;
const PAGE = /^(?:page|page[_-]?(?:number|no))$/i;
export const CURSOR = /cursor|token|^after$/i;
const KEYSET = /^(?:since|(?:last|after|since)[_-]?id|starting[_-]?after)$/i;

/** The parameters of an operation that may be those of a list. */
export function queryOf({ parameters }: Pick<OperationModel, 'parameters'>): readonly ParameterModel[] {
  return parameters.filter((each) => each.in === 'query' && each.style !== undefined);
}

/** @param names - those of the members of its items */
export function listParametersOf(
  list: Pick<OperationModel, 'parameters'>,
  names: ReadonlySet<string>,
): ListParameters {
  const filters = queryOf(list).filter(({ name }) => names.has(name));
  const named = (pattern: RegExp): ParameterModel | undefined =>
    queryOf(list).find((each) => pattern.test(each.name) && !filters.includes(each));
  return {
    filters,
    limit: named(LIMIT),
    offset: named(OFFSET),
    page: named(PAGE),
    cursor: named(CURSOR),
    keyset: named(KEYSET),
  };
}

/** The number of the first page: the default of the parameter, else its minimum, else 1. */
export function firstPageOf({ default: byDefault, node }: ParameterModel): number {
  const { minimum } = node.object;
  return [byDefault, minimum].find((each) => typeof each === 'number') ?? 1;
}

/** The items of a list: the body, or its only member that is a list of objects. */
export function itemsOf(body: Json | undefined): readonly Entity[] | undefined {
  if (isList(body)) return body;
  if (!isEntity(body)) return undefined;
  const [list, ...others] = Object.values(body).filter(isList);
  return others.length === 0 ? list : undefined;
}

const isList = (value: Json | undefined): value is readonly Entity[] & Json =>
  Array.isArray(value) && (value as readonly Json[]).every(isEntity);

/** The cursor of the next page in the body of a page: `nextCursor` for `cursor`. */
export function nextCursorOf(body: Json | undefined, cursor: string): Json | undefined {
  const members = Object.entries(isEntity(body) ? body : {});
  const [, next] = members.find(([name]) => isSameName(name, `next${cursor}`)) ?? [];
  return next ?? undefined;
}

export const isEntity = (value: Json | undefined): value is Entity => isObject(value);

/** The names of a template's parameters. */
export const namesOf = (template: string): readonly string[] =>
  [...template.matchAll(PARAMETER)].map(([, name = '']) => name);

/** A template without the names of its parameters: `/users/{}`. */
export const withoutNames = (template: string): string => template.replaceAll(PARAMETER, '{}');

/** The paths up to each parameter of a template: `/users/{}` and `/users/{}/posts/{}`. */
export function prefixesOf(template: string): readonly string[] {
  return [...template.matchAll(PARAMETER)].map(({ index, 0: text }) =>
    withoutNames(template.slice(0, index + text.length)),
  );
}

/** A value as a path has it: the number 7 and the text "7" are the same there. */
export const writtenValue = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
