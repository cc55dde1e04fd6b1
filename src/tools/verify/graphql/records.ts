/** Calls root fields of a GraphQL server, and finds the records in its results. */

import type { Json } from '@concordat/runtime';
import { type Entity, isEntity, writtenValue } from '../../running/resources.js';
import type { Field, RootField } from '../../values/graphql/operation-draft.js';
import { changedMember } from '../openapi/read-back.js';
import type { Rule } from '../run/verify-report.js';
import type { Variables } from './resources.js';

/** A root field that was called with success. @typeParam Outcome - the request and its answer */
export interface Asked<Outcome> {
  readonly sent: Variables;
  readonly data: Json;
  readonly outcome: Outcome;
}

/** Calls root fields, and reports what their answers show. */
export interface Asker<Outcome> {
  /** Calls a field with exactly these arguments. @returns undefined unless it succeeds */
  readonly ask: (root: RootField, given: Variables, about: string) => Promise<Asked<Outcome> | undefined>;
  /** All arguments of a field: new texts, and known ids. */
  readonly sample: (root: RootField) => Variables | undefined;
  /** The ids of the type to which the id in an argument or a member belongs. */
  readonly ids: (field: Field, name: string) => readonly (string | number)[];
  readonly add: (
    rule: Rule,
    message: string,
    shown: Outcome,
    before?: readonly (Outcome | undefined)[],
    isUncertain?: boolean,
  ) => void;
}

/** The records of a type in a result, in their order; a record within another is not among them. */
export function recordsIn(data: Json, type: string): readonly Entity[] {
  if (Array.isArray(data))
    return distinct((data as readonly Json[]).flatMap((each) => recordsIn(each, type)));
  if (!isEntity(data)) return [];
  if (data['__typename'] === type && data['id'] != null) return [data];
  return distinct(Object.values(data).flatMap((each) => recordsIn(each, type)));
}

/** A page may have its records as nodes and in edges. */
const distinct = (records: readonly Entity[]): readonly Entity[] => [
  ...new Map(records.map((each) => [writtenValue(each['id']), each])).values(),
];

/** As {@link changedMember}, of the members that are values of their own: what a record refers to may change by itself. */
export function changedLeaf(
  before: Entity,
  after: Entity,
  how: string,
  isCompared?: (name: string) => boolean,
): string | undefined {
  const isLeaf = (value: Json): boolean =>
    Array.isArray(value) ? (value as readonly Json[]).every(isLeaf) : !isEntity(value);
  const own = Object.entries(before).filter(([, value]) => isLeaf(value));
  return changedMember(Object.fromEntries(own), after, how, isCompared);
}

/** Arguments with some members replaced, also within input objects; undefined leaves one out. */
export function replaced(
  given: Variables,
  change: (name: string, value: Json) => Json | undefined,
): Variables {
  const members = Object.entries(given).flatMap(([name, value]): (readonly [string, Json])[] => {
    const made = isEntity(value) ? (replaced(value, change) as Json) : change(name, value);
    return made === undefined ? [] : [[name, made]];
  });
  return Object.fromEntries(members);
}

/** The members that were sent, as a record has them. */
export function membersOf(given: Variables): Entity {
  const parts = Object.entries(given).map(([name, value]) =>
    isEntity(value) ? membersOf(value) : { [name]: value },
  );
  return Object.assign({}, ...parts) as Entity;
}
