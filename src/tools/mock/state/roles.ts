/** Infers what each operation of a document does to which records, and says why. */

import { findByStatus } from '@concordat/runtime';
import { usageFailure } from '@concordat/runtime/terminal';
import {
  type OpenApiDocument,
  type OperationModel,
  byStatus,
  resolvePointer,
  responsePlace,
} from 'concordat/contract';
import {
  ACTIONS,
  type Action,
  type Entity,
  type Resource,
  actionsOf,
  correctionOf,
  isSameName,
  namesOf,
  prefixesOf,
  refersTo,
  resourcesOf,
  singular,
  withoutNames,
} from '../../running/resources.js';
import { namesIn, propertyParts, requiredNames } from '../../values/inner-parts.js';
import { type Part, listedValues, typesOf } from '../../values/parts.js';
import { Collection, type Surroundings } from './collection.js';
import { closest, formsOf, successOf } from './fitted.js';

/** What an operation does to the records of a collection. */
export interface Role {
  readonly operation: OperationModel;
  /** `change` sets members, as `/orders/{id}/cancel` does. */
  readonly action: Action | 'change';
  readonly collection: Collection;
  /** The path parameters that are in the path of the collection too. */
  readonly at: readonly string[];
  /** Path parameters that are members of the record: `userId` of `/users/{userId}/orders`. */
  readonly bound: readonly (readonly [parameter: string, member: string])[];
  /** The members that `change` sets. */
  readonly set?: Entity;
  /** The collections of the records above in the path, each with the number of its path values. */
  readonly parents: readonly { readonly collection: Collection; readonly depth: number }[];
  readonly why: string;
}

interface LinkObject {
  readonly parameters?: Readonly<Record<string, string>>;
}

type Own = readonly { readonly action: Action; readonly operation: OperationModel }[];

export class Roles {
  readonly collections: Collection[] = [];
  readonly byId = new Map<string, Role>();
  /** Why an operation has no role. */
  readonly refusals = new Map<string, string>();

  /** @throws CommandFailure if `x-sandbox` of an operation is not understood */
  constructor(
    private readonly operations: readonly OperationModel[],
    private readonly document: OpenApiDocument,
    private readonly surroundings: Surroundings,
  ) {
    for (const each of operations) this.#requireCorrection(each);
    // Views find the collections that they show, because these have shorter paths or create what they list.
    for (const resource of resourcesOf(operations).toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const own = actionsOf(resource).filter(({ operation }) => !this.byId.has(operation.id));
      const refusal = own.length === 0 ? undefined : this.#infer(resource, own);
      if (refusal !== undefined) for (const { operation } of own) this.refusals.set(operation.id, refusal);
    }
  }

  /** The collection with records of its own path that a member such as `userId` refers to. */
  referredBy(member: string): Collection | undefined {
    return this.collections.find(({ parts: { name, path, isAddressed }, records }) => {
      return isAddressed && namesOf(path).length === 1 && records.size > 0 && refersTo(member, name);
    });
  }

  #requireCorrection(operation: OperationModel): void {
    const given = operation.extensions['x-sandbox'];
    const { method, path, pointer } = operation;
    const correction = correctionOf(operation);
    if (correction === 'off') this.refusals.set(operation.id, 'x-sandbox switches it off');
    else if (given !== undefined && correction === undefined) {
      const actions = Object.keys(ACTIONS).join(', ');
      throw usageFailure(
        `${pointer}/x-sandbox of ${method} ${path} must be off or { resource, action } with one of the actions ${actions}`,
      );
    }
  }

  /** Gives the operations of a resource their roles. @returns why it cannot */
  #infer(resource: Resource, own: Own): string | undefined {
    const { name, path, create, list, read } = resource;
    const [first, ...others] = own;
    if (first !== undefined && others.length === 0 && this.#change(first.operation)) return undefined;
    const item = itemOf(resource);
    const plain = closest(item);
    const isList = typesOf(plain)?.[0] === 'array';
    if (namesIn(plain, 'properties').length === 0 && !isList)
      return 'its answers show no records of a collection';
    if (this.#view(name, item, own)) return undefined;
    if (create === undefined && this.collections.some(({ parts }) => isSameName(parts.name, name)))
      return `its answers have other members than the records of ${name}`;

    const isItem = path.endsWith('}');
    const isSingle = !isItem && read !== undefined && create === undefined && list === undefined;
    const isMissable = [404, 410].some((each) => read && findByStatus(byStatus(read.responses), each));
    if (!isSingle && read !== undefined && !isMissable)
      return 'its read declares no answer for a missing record';
    if (isSingle ? own.length < 2 : create === undefined && (list === undefined || list.path.includes('{')))
      return `no operation ${isSingle ? 'writes' : 'creates'} it`;
    const isShown = (list ?? read) !== undefined || create?.responses.some(({ status }) => status === '201');
    if (isShown !== true) return 'no operation shows what it may create';
    const below = this.operations.flatMap((each) => {
      const rest = withoutNames(each.path).replace(`${withoutNames(path)}/`, '');
      return /[/{]/.test(rest) ? [] : [rest];
    });
    const parameter = isItem ? namesOf(path).at(-1) : undefined;
    const linked = create && parameter && this.#linkedMember(create, parameter);
    const idMember = isSingle ? undefined : (linked ?? idMemberOf(plain, name, parameter));
    const home = isItem || isSingle ? path : `${path}/{id}`;
    const collection = new Collection(
      { name, path: home, isSingle, isAddressed: home === path, item, idMember, below },
      this.surroundings,
    );
    this.collections.push(collection);
    for (const { operation, action } of own)
      this.#give(operation, {
        action,
        collection,
        at: namesOf(operation.path),
        bound: [],
        why: 'path and method',
      });
    return undefined;
  }

  /** The member of a created record that a link gives to a path parameter (OpenAPI, Link Object). */
  #linkedMember(create: OperationModel, parameter: string): string | undefined {
    const success = successOf(create);
    const response = success && resolvePointer(this.document, responsePlace(create, success));
    const { links = {} } = (response ?? {}) as { readonly links?: Readonly<Record<string, LinkObject>> };
    const given = Object.values(links).map(
      ({ parameters = {} }) => parameters[parameter] ?? parameters[`path.${parameter}`],
    );
    return given.flatMap((each) => /^\$response\.body#\/([^/]+)$/.exec(String(each))?.[1] ?? []).at(0);
  }

  #give(operation: OperationModel, role: Omit<Role, 'operation' | 'parents'>): void {
    const parents = prefixesOf(operation.path).flatMap((prefix, index) => {
      const collection = this.collections.find(({ parts }) => withoutNames(parts.path) === prefix);
      return collection === undefined || collection === role.collection
        ? []
        : [{ collection, depth: index + 1 }];
    });
    const why = correctionOf(operation) === undefined ? role.why : 'x-sandbox';
    this.byId.set(operation.id, { ...role, operation, parents, why });
  }

  /** Finds the collection whose records other paths show too: `/users/{userId}/orders` for `/orders`. */
  #view(name: string, item: readonly Part[], own: Own): boolean {
    const isRead = own.every(({ action }) => action === 'list' || action === 'read');
    for (const collection of this.collections) {
      const { parts, names } = collection;
      const isKind = isSameKind(item, parts.item);
      const isPart = isRead && [...requiredNames(closest(item))].every((each) => names.has(each));
      const isCorrected = own.every(({ operation }) => correctionOf(operation) !== undefined);
      if (!(isSameName(parts.name, name) ? isKind || isPart || isCorrected : isKind && isRead)) continue;
      const roles = own.flatMap((each) => placeIn(collection, each) ?? []);
      if (roles.length < own.length) continue;
      const why = `it shows records of ${parts.path}`;
      for (const { operation, ...role } of roles) this.#give(operation, { ...role, collection, why });
      return true;
    }
    return false;
  }

  /** Finds the change that a path such as `/orders/{id}/cancel` makes: a member gets the listed value that the last segment resembles. */
  #change(operation: OperationModel): boolean {
    const [, path = '', verb = ''] = /^(.*\})\/([^/{}]+)$/.exec(operation.path) ?? [];
    const collection = this.collections.find(({ parts }) => withoutNames(parts.path) === withoutNames(path));
    if (collection === undefined || (operation.method !== 'POST' && operation.method !== 'PUT')) return false;
    const plain = closest(collection.parts.item);
    for (const member of collection.names) {
      const values = listedValues(closest(propertyParts(plain, member) ?? [])) ?? [];
      const value = values.find((each) => typeof each === 'string' && resembles(verb, each));
      if (value === undefined) continue;
      const why = `${verb} makes its ${member} ${JSON.stringify(value)}`;
      this.#give(operation, {
        action: 'change',
        collection,
        at: namesOf(path),
        bound: [],
        set: { [member]: value },
        why,
      });
      return true;
    }
    return false;
  }
}

/** Where the records of a collection are in another path: by their key, and by members that have the values of its other parameters. */
function placeIn({ parts, names }: Collection, { action, operation }: Own[number]) {
  const parameters = namesOf(operation.path);
  const at = action === 'create' || action === 'list' ? [] : parameters.slice(-1);
  const bound = parameters.slice(0, parameters.length - at.length).map((parameter) => {
    const above = operation.path.split(`/{${parameter}}`)[0]?.split('/').at(-1) ?? '';
    const isBound = (each: string): boolean =>
      [parameter, `${singular(above)}Id`].some((wanted) => isSameName(each, wanted));
    return [parameter, [...names].find((each) => each !== parts.idMember && isBound(each)) ?? ''] as const;
  });
  return bound.some(([, member]) => member === '') ? undefined : { operation, action, at, bound };
}

function rankOf({ create, read, list, path, name }: Resource): number {
  const shown = list && formsOf(list, 'list')[0]?.item;
  const names = shown?.map(({ schema }) => (typeof schema === 'object' ? String(schema.$ref) : ''));
  const isNamed = names?.some((each) => isSameName(each.split('/').at(-1) ?? '', singular(name)));
  const kind = create === undefined ? 100 : read === undefined && list === undefined ? 1000 : 0;
  return kind + path.split('/').length - (isNamed === true ? 0.5 : 0);
}

/** The schema of the records of a resource: as they are read, else created, listed or changed. */
function itemOf({ read, create, list, replace, update }: Resource): readonly Part[] {
  const recordOf = (each: OperationModel | undefined): readonly Part[] | undefined =>
    each && formsOf(each, 'record')[0]?.item;
  const listed = list && formsOf(list, 'list')[0]?.item;
  return recordOf(read) ?? recordOf(create) ?? listed ?? recordOf(replace) ?? recordOf(update) ?? [];
}

/** Whether two schemas of records share a schema with several members, and so describe the same kind of record. */
function isSameKind(a: readonly Part[], b: readonly Part[]): boolean {
  const placesOf = (parts: readonly Part[]): readonly string[] =>
    closest(parts)
      .filter((part) => namesIn([part], 'properties').length > 1)
      .map(({ at }) => at);
  const places = placesOf(a);
  return placesOf(b).some((at) => places.includes(at));
}

/** The member that has the key of a record: that with the name of the path parameter, `id`, or `userId` for `users`. */
function idMemberOf(plain: ReturnType<typeof closest>, name: string, parameter = 'id'): string | undefined {
  const one = singular(name);
  const isLonger = parameter.length > one.length && parameter.toLowerCase().startsWith(one.toLowerCase());
  const rest = isLonger ? parameter.slice(one.length).replace(/^[_-]/, '') : 'id';
  return [parameter, rest, 'id', '_id', `${one}Id`]
    .flatMap((wanted) => namesIn(plain, 'properties').find((each) => isSameName(each, wanted)) ?? [])
    .at(0);
}

/** Whether a verb leads to a state: `cancel` to `cancelled`, `activate` to `active`. */
function resembles(verb: string, state: string): boolean {
  const length = Math.max(3, verb.length - 3);
  return verb.length >= 3 && verb.slice(0, length).toLowerCase() === state.slice(0, length).toLowerCase();
}
