/** Finds how records of two collections belong together: a line is shown in the list of its cart, and checkout makes an order of a cart. */

import type { Json } from '@concordat/runtime';
import type { OperationModel } from 'concordat/contract';
import {
  type Action,
  type Entity,
  isEntity,
  isSameName,
  nameOf,
  namesOf,
  singular,
  writtenValue,
} from '../../running/resources.js';
import { exampleItemParts } from '../../values/example-value.js';
import { namesIn, propertyParts } from '../../values/inner-parts.js';
import { type Part, listedValues, typesOf } from '../../values/parts.js';
import { type Collection, type StoredRecord, type Within, inForm, isKey, memberOf } from './collection.js';
import { closest, formsOf } from './fitted.js';
import { isSameKind } from './kinds.js';

/** The most records in such a list: each change reads all of them. The oldest make room. */
const MOST_INNER = 1000;

/** @param item - the schema of the records, where an operation shows them */
export function withinOf(parent: Collection, name: string, item?: readonly Part[]): Within | undefined {
  const plain = closest(parent.parts.item);
  const lists = [...parent.names].flatMap((member) => {
    const list = closest(propertyParts(plain, member) ?? []);
    const own = typesOf(list)?.[0] === 'array' ? exampleItemParts(list, 0) : [];
    const hasMembers = namesIn(closest(own), 'properties').length > 1;
    const isKind = item === undefined ? hasMembers : isSameKind(own, item);
    return isKind ? [{ parent, member, item: own, isShown: item !== undefined }] : [];
  });
  const last = name.split(/[-_]|(?=[A-Z])/).at(-1) ?? '';
  const isOfOne = ({ at }: Part): boolean => isSameName(at.split('/').at(-1) ?? '', singular(name));
  return (
    lists.find(({ member }) => isSameName(member, name)) ??
    lists.find(({ member }) => isSameName(member, last)) ??
    lists.find((each) => closest(each.item).some(isOfOne))
  );
}

/** Whether an operation answers with a record of a collection. */
export const answersOf = (operation: OperationModel, { parts }: Collection): boolean =>
  formsOf(operation, 'record').some(({ item }) => isSameKind(item, parts.item));

/** The last words of paths that create a record of another collection, and words of paths that keep no record. */
const MAKES =
  /^(?:check-?out|complete|place|submit|confirm|convert|finali[sz]e|buy|purchase|order|book|reserve|register|sign-?up|subscribe|issue|generate|create)/i;
const KEEPS_NOTHING =
  /preview|estimate|calculat|simulat|validat|verif|search|quer(?:y|ies)|batch|bulk|test|dry|login|auth|token|session/i;

/** The collection to which an action adds the record that it answers with, as `/carts/{id}/checkout` does to the orders. */
export function resultOf(
  operation: OperationModel,
  collections: readonly Collection[],
  parents: readonly Collection[],
): Collection | undefined {
  const { method, path, responses } = operation;
  const verb = /[/:]([^/:{}]+)\/?$/.exec(path)?.[1] ?? '';
  if (method !== 'POST' || verb === '' || KEEPS_NOTHING.test(path)) return undefined;
  const isCreation = MAKES.test(verb) || responses.some(({ status }) => status === '201');
  return collections.find((each) => {
    const { isSingle, isAddressed, name } = each.parts;
    const isNamed = [name, singular(name)].some((own) => isSameName(own, nameOf(path)));
    // An action on a record of the same kind changes or copies that.
    const isOther =
      !isSingle && isAddressed && !each.parts.key.slice(1).includes('{}/') && !parents.includes(each);
    return isOther && (isCreation || isNamed) && answersOf(operation, each);
  });
}

/** The members of a record that another one made of it has too: all but its state, which is of its own. */
export function carriedTo({ names, parts }: Collection, from: StoredRecord | undefined): Entity {
  const plain = closest(parts.item);
  const isCarried = ([name]: readonly [string, Json]): boolean =>
    names.has(name) &&
    name !== parts.idMember &&
    listedValues(closest(propertyParts(plain, name) ?? [])) === undefined;
  return Object.fromEntries(Object.entries(isEntity(from?.value) ? from.value : {}).filter(isCarried));
}

/** Writes a record into the list of the record above, or takes it out of that. @returns false if the record above would be faulty */
export function join(
  collection: Collection,
  record: StoredRecord,
  change: 'created' | 'changed' | 'removed',
  faultOf: (collection: Collection, record: StoredRecord) => string | undefined = () => undefined,
): boolean {
  const { within, idMember } = collection.parts;
  const above = within?.parent.get(record.at.slice(0, -1));
  if (within === undefined || above === undefined || !isEntity(above.value)) return true;
  const list = listIn(above, within);
  const isSame = (each: Json): boolean =>
    isEntity(each) && idMember !== undefined && writtenValue(each[idMember]) === record.at.at(-1);
  const index = list.findIndex(isSame);
  if (index === -1 && change !== 'created') return true;
  const lines = change === 'removed' ? [] : [inForm(record, within.item)];
  const next = list.toSpliced(index === -1 ? list.length : index, 1, ...lines).slice(-MOST_INNER);
  const before = { ...above };
  within.parent.replace(above, { ...above.value, [within.member]: next });
  if (faultOf(within.parent, above) === undefined) return true;
  within.parent.takeBack(above, before);
  return false;
}

/** Makes records of the list in the record above, which a client may have sent with that. @param at - the path of the record above */
export function adopt(collection: Collection, at: readonly unknown[]): void {
  const { within, idMember } = collection.parts;
  const above = within?.parent.get(at);
  if (within === undefined || idMember === undefined || above === undefined) return;
  const known = new Set<string>();
  for (const each of listIn(above, within)) {
    const id = isEntity(each) ? each[idMember] : undefined;
    if (!isKey(id)) continue;
    known.add(String(id));
    if (collection.get([...at, id]) === undefined) collection.create(each, at, id);
  }
  if (within.isShown) return;
  for (const each of collection.below(at)) if (!known.has(each.at.at(-1) ?? '')) collection.remove(each);
}

function listIn({ value }: StoredRecord, { member }: Within): readonly Json[] {
  const list = isEntity(value) ? value[member] : undefined;
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

/** Where the records of a collection are in another path: by their key, and by members that have the values of its other parameters. */
export function placeIn(
  { others }: Collection,
  { action, operation }: { readonly action: Action; readonly operation: OperationModel },
) {
  const parameters = namesOf(operation.path);
  const at = action === 'create' || action === 'list' ? [] : parameters.slice(-1);
  const bound = parameters
    .slice(0, parameters.length - at.length)
    .map((parameter) => [parameter, memberOf(others, operation.path, parameter) ?? ''] as const);
  return bound.some(([, member]) => member === '') ? undefined : { operation, action, at, bound };
}
