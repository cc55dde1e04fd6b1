/** Infers what each operation of a document does to which records, and says why. */

import { findByStatus } from '@concordat/runtime';
import { usageFailure } from '@concordat/runtime/terminal';
import { type OperationModel, byStatus } from 'concordat/contract';
import {
  ACTIONS,
  type Resource,
  actionsOf,
  correctionOf,
  isSameName,
  nameOf,
  namesOf,
  prefixesOf,
  refersTo,
  resourcesOf,
  singular,
  withoutNames,
} from '../../running/resources.js';
import { partsOf } from '../../values/document-parts.js';
import { namesIn, propertyParts, requiredNames } from '../../values/inner-parts.js';
import { type Part, listedValues, typesOf } from '../../values/parts.js';
import { Collection, type StoredRecord, type Surroundings, memberOf } from './collection.js';
import { closest, formsOf } from './fitted.js';
import { idMemberOf, isSameKind, itemOf, rankOf, resembles } from './kinds.js';
import { answersOf, join, placeIn, resultOf, withinOf } from './relations.js';
import { MISSING, type Role } from './role.js';

const UNDECLARED = 'path and method; a missing record is answered by 404, which its read does not declare';

type Own = ReturnType<typeof actionsOf>;

export class Roles {
  readonly collections: Collection[] = [];
  readonly byId = new Map<string, Role>();
  /** The records above operations without a role. */
  readonly above = new Map<string, Role['parents']>();
  /** Why an operation has no role. */
  readonly refusals = new Map<string, string>();

  /** @throws CommandFailure if `x-sandbox` of an operation is not understood */
  constructor(
    private readonly operations: readonly OperationModel[],
    private readonly surroundings: Surroundings,
  ) {
    for (const each of operations) this.#requireCorrection(each);
    // Views find the collections that they show, because these have shorter paths or create what they list.
    for (const resource of resourcesOf(operations).toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const own = actionsOf(resource).filter(({ operation }) => !this.byId.has(operation.id));
      const refusal = own.length === 0 ? undefined : this.#infer(resource, own);
      if (refusal !== undefined) for (const { operation } of own) this.refusals.set(operation.id, refusal);
    }
    const isLeft = (each: OperationModel): boolean => !this.byId.has(each.id) && correctionOf(each) !== 'off';
    for (const each of operations) {
      this.#clear(each);
      if (isLeft(each)) this.#result(each);
    }
    for (const each of operations.filter(isLeft)) this.above.set(each.id, this.#parentsOf(each));
  }

  /** Whether an operation adds records to a collection. */
  isAdded(collection: Collection): boolean {
    return [...this.byId.values()].some(
      (each) => each.collection === collection && each.action === 'create' && each.isResult !== true,
    );
  }

  /** Removes a record with those below it. */
  remove(collection: Collection, record: StoredRecord): void {
    const above = `${collection.parts.path}/`;
    const inner = this.collections.filter(({ parts }) => parts.path.startsWith(above));
    for (const each of inner) for (const below of each.below(record.at)) each.remove(below);
    collection.remove(record);
    join(collection, record, 'removed');
  }

  /** The collection with records of its own path that a member such as `userId` refers to. */
  referredBy(member: string): Collection | undefined {
    return this.collections.find(
      ({ parts: { name, path, isAddressed }, records }) =>
        isAddressed && namesOf(path).length === 1 && records.size > 0 && refersTo(member, name),
    );
  }

  #requireCorrection(operation: OperationModel): void {
    const given = operation.extensions['x-sandbox'];
    const { method, path, pointer } = operation;
    const correction = correctionOf(operation);
    if (correction === 'off') this.refusals.set(operation.id, 'x-sandbox switches it off');
    else if (given !== undefined && correction === undefined) {
      const allowed = `off or { resource, action } with one of the actions ${Object.keys(ACTIONS).join(', ')}`;
      throw usageFailure(`${pointer}/x-sandbox of ${method} ${path} must be ${allowed}`);
    }
  }

  /** Gives the operations of a resource their roles. @returns why it cannot */
  #infer(resource: Resource, own: Own): string | undefined {
    const { name, path, key, create, list, read, replace, update, remove } = resource;
    const [first, ...others] = own;
    if (first !== undefined && others.length === 0 && this.#change(first.operation)) return undefined;
    const keyAbove = key.replace(/\/[^/{}]+(?:\/\{\})?$/, '');
    const above = this.collections.find(({ parts }) => parts.key === keyAbove);
    const isInner = above !== undefined && own.some(({ operation }) => answersOf(operation, above));
    const inner = isInner ? withinOf(above, name) : undefined;
    const item = inner?.item ?? itemOf(resource);
    const plain = closest(item);
    if (namesIn(plain, 'properties').length === 0 && typesOf(plain)?.[0] !== 'array')
      return 'its answers show no records of a collection';
    if (inner === undefined && this.#view(name, item, own)) return undefined;
    if (inner === undefined && own.length === 1 && first !== undefined && this.#result(first.operation))
      return undefined;
    const isItem = key.endsWith('{}');
    const isList = create === undefined && !isItem && (replace ?? update) === undefined;
    if (isList && this.collections.some(({ parts }) => isSameName(parts.name, name)))
      return `its answers have other members than the records of ${name}`;

    const isSingle = !isItem && read !== undefined && create === undefined && list === undefined;
    if (inner === undefined && (isSingle ? own.length < 2 : (create ?? list) === undefined))
      return `no operation ${isSingle ? 'writes' : 'creates'} it`;
    const shows = list ?? read ?? replace ?? update;
    const isShown = shows !== undefined || create?.responses.some(({ status }) => status === '201');
    if (isShown !== true && inner === undefined) return 'no operation shows what it may create';
    if (inner === undefined && (shows ?? remove) === undefined && name === singular(name))
      return `no operation shows what it may create, and ${name} is not the name of several`;
    const below = this.operations.flatMap((each) => {
      const rest = withoutNames(each.path).replace(`${key}/`, '');
      return /[/{]/.test(rest) ? [] : [rest];
    });
    const parameter = isItem ? namesOf(path).at(-1) : undefined;
    const idMember = isSingle ? undefined : idMemberOf(plain, name, parameter);
    const isAddressed = isItem || isSingle;
    const [home, homeKey] = isAddressed ? [path, key] : [`${path}/{id}`, `${key}/{}`];
    const inPath = [read, replace, update, remove].find((each) => each !== undefined)?.parameters;
    const keyed = inPath?.find((each) => each.in === 'path' && each.name === parameter);
    const address = isItem ? partsOf(keyed) : [];
    const forms = own.flatMap(({ operation: each, action }) =>
      formsOf(each, action === 'list' ? 'list' : 'record'),
    );
    const items = inner === undefined ? forms.map((form) => form.item) : [item];
    const shown = new Set(items.flatMap((each) => namesIn(closest(each), 'properties')));
    const within = inner ?? (above && !isSingle ? withinOf(above, name, item) : undefined);
    const place = { name: this.#nameFor(name, home), path: home, key: homeKey, isSingle, isAddressed };
    const parts = { ...place, item, idMember, address, shown, below, within };
    const collection = new Collection(parts, this.surroundings);
    this.collections.push(collection);
    const isMissable =
      read === undefined || MISSING.some((each) => findByStatus(byStatus(read.responses), each));
    const why = isMissable || isSingle ? 'path and method' : UNDECLARED;
    for (const { operation, action } of own) {
      const shows = inner !== undefined && answersOf(operation, inner.parent) ? inner.parent : undefined;
      this.#give(operation, { action, collection, at: namesOf(operation.path), bound: [], shows, why });
    }
    return undefined;
  }

  /** The name of a collection, with that of the one above where two of as many parameters have the same. */
  #nameFor(name: string, path: string): string {
    const depth = namesOf(path).length;
    const same = this.collections.filter(({ parts }) => parts.name === name);
    const isTaken = same.some(({ parts }) => namesOf(parts.path).length === depth);
    const above = nameOf(path.slice(0, path.lastIndexOf(`/${name}`)));
    return isTaken && above !== '' ? `${above}.${name}` : name;
  }

  #give(operation: OperationModel, role: Omit<Role, 'operation' | 'parents'>): void {
    const parents = this.#parentsOf(operation, role.collection);
    const why = correctionOf(operation) === undefined ? role.why : 'x-sandbox';
    this.byId.set(operation.id, { ...role, operation, parents, why });
  }

  #parentsOf({ path }: OperationModel, own?: Collection): Role['parents'] {
    return prefixesOf(path).flatMap((prefix, index) => {
      const collection = this.collections.find(({ parts }) => parts.key === prefix);
      return collection === undefined || collection === own ? [] : [{ collection, depth: index + 1 }];
    });
  }

  /** Finds the collection whose records other paths show too: `/users/{userId}/orders` for `/orders`. */
  #view(name: string, item: readonly Part[], own: Own): boolean {
    const isRead = own.every(({ action }) => action === 'list' || action === 'read');
    for (const collection of this.collections) {
      const { parts, names } = collection;
      const isKind = isSameKind(item, parts.item);
      const others = namesIn(closest(item), 'properties').filter((each) => !names.has(each));
      const isPart = isRead
        ? [...requiredNames(closest(item))].every((each) => names.has(each))
        : others.length <= names.size / 10;
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

  /** `DELETE /users/{userId}/alerts` deletes all records of the list, unless it asks which. */
  #clear(operation: OperationModel): void {
    const { id, method, path, parameters, requestBody } = operation;
    // A parameter of the creation too says nothing of the records.
    const create = this.operations.find((each) => each.method === 'POST' && each.path === path);
    const isShared = (name: string): boolean =>
      create?.parameters.some((each) => each.name === name) === true;
    const asking = parameters.some((each) => each.in === 'query' && !isShared(each.name));
    const isAsked = requestBody !== undefined || asking;
    if (method !== 'DELETE' || isAsked || this.byId.has(id) || this.refusals.has(id)) return;
    const lists = [...this.byId.values()].filter(({ action }) => action === 'list');
    const list = lists.find((each) => each.operation.path === path);
    const why = 'path and method; it deletes all';
    if (list !== undefined) this.#give(operation, { ...list, action: 'clear', why });
  }

  /** Finds the collection to which an action adds what it answers with. */
  #result(operation: OperationModel): boolean {
    const parents = this.#parentsOf(operation).map((each) => each.collection);
    const collection = resultOf(operation, this.collections, parents);
    if (collection === undefined) return false;
    const bound = namesOf(operation.path).flatMap((parameter) => {
      const member = memberOf(collection.others, operation.path, parameter);
      return member === undefined ? [] : [[parameter, member] as const];
    });
    const why = `it answers with a new record of ${collection.parts.path}`;
    this.#give(operation, { action: 'create', collection, at: [], bound, isResult: true, why });
    return true;
  }

  /** Finds the change that a path such as `/orders/{id}/cancel` makes: a member gets the listed value that the last segment resembles. */
  #change(operation: OperationModel): boolean {
    const [, path = '', verb = ''] = /^(.*\})\/([^/{}]+)$/.exec(operation.path) ?? [];
    const collection = this.collections.find(({ parts }) => parts.key === withoutNames(path));
    if (collection === undefined || (operation.method !== 'POST' && operation.method !== 'PUT')) return false;
    const plain = closest(collection.parts.item);
    for (const member of collection.names) {
      const values = listedValues(closest(propertyParts(plain, member) ?? [])) ?? [];
      const value = values.find((each) => typeof each === 'string' && resembles(verb, each));
      if (value === undefined) continue;
      const why = `${verb} makes its ${member} ${JSON.stringify(value)}`;
      const set = { [member]: value };
      this.#give(operation, { action: 'change', collection, at: namesOf(path), bound: [], set, why });
      return true;
    }
    return false;
  }
}
