/** The kinds of records: their schemas, the members with their keys, and the states that verbs lead to. */

import type { OperationModel } from 'concordat/contract';
import { type Resource, isSameName, singular } from '../../running/resources.js';
import { namesIn } from '../../values/inner-parts.js';
import type { Part } from '../../values/parts.js';
import { type Form, closest, formsOf } from './fitted.js';

export function rankOf({ create, read, list, path, name }: Resource): number {
  const shown = list && formsOf(list, 'list')[0]?.item;
  const names = shown?.map(({ schema }) => (typeof schema === 'object' ? String(schema.$ref) : ''));
  const isNamed = names?.some((each) => isSameName(each.split('/').at(-1) ?? '', singular(name)));
  const kind = create === undefined ? 100 : read === undefined && list === undefined ? 1000 : 0;
  // One whose records are read, too, is no deeper than one that is only listed.
  return kind + path.replace(/\/\{[^/]*\}$/, '').split('/').length - (isNamed === true ? 0.5 : 0);
}

/** The schema of the records of a resource: as they are read, else created, listed or changed. */
export function itemOf({ read, create, list, replace, update }: Resource): readonly Part[] {
  const recordOf = (each: OperationModel | undefined): readonly Part[] | undefined =>
    each && formsOf(each, 'record')[0]?.item;
  const listed = list && formsOf(list, 'list')[0]?.item;
  return recordOf(read) ?? recordOf(create) ?? listed ?? recordOf(replace) ?? recordOf(update) ?? [];
}

/** The form in which an operation answers with a record of a schema. */
export function shownForm(operation: OperationModel, item: readonly Part[]): Form | undefined {
  const [first, ...others] = formsOf(operation, 'record');
  if (first === undefined || others.length === 0 || isSameKind(first.item, item)) return first;
  return others.find((each) => isSameKind(each.item, item)) ?? first;
}

/** Whether two schemas of records share a schema with several members, and so describe the same kind of record. */
export function isSameKind(a: readonly Part[], b: readonly Part[]): boolean {
  const placesOf = (parts: readonly Part[]): readonly string[] =>
    closest(parts)
      .filter((part) => namesIn([part], 'properties').length > 1)
      .map(({ at }) => at);
  const places = placesOf(a);
  return placesOf(b).some((at) => places.includes(at));
}

/** The member that has the key of a record: that with the name of the path parameter, `id`, or `userId` for `users`. */
export function idMemberOf(
  plain: ReturnType<typeof closest>,
  name: string,
  parameter = 'id',
): string | undefined {
  const one = singular(name);
  const isLonger = parameter.length > one.length && parameter.toLowerCase().startsWith(one.toLowerCase());
  const rest = isLonger ? parameter.slice(one.length).replace(/^[_-]/, '') : 'id';
  // `uidOrKey` has two names.
  return [parameter, rest, ...parameter.split(/Or(?=[A-Z])/), 'id', '_id', `${one}Id`]
    .flatMap((wanted) => namesIn(plain, 'properties').find((each) => isSameName(each, wanted)) ?? [])
    .at(0);
}

/** Whether a verb leads to a state: `cancel` to `cancelled`, `activate` to `active`. */
export function resembles(verb: string, state: string): boolean {
  const length = Math.max(3, verb.length - 3);
  return verb.length >= 3 && verb.slice(0, length).toLowerCase() === state.slice(0, length).toLowerCase();
}
