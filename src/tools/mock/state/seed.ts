/** The records with which a sandbox begins, of a file or made so that they refer to each other, and the file that keeps those at its end. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Json } from '@concordat/runtime';
import { usageFailure } from '@concordat/runtime/terminal';
import { isEntity, namesOf, refersTo } from '../../running/resources.js';
import { nthExample } from '../../values/example-value.js';
import { propertyParts } from '../../values/inner-parts.js';
import { listedValues, typesOf } from '../../values/parts.js';
import { namedValues } from '../../values/named-values.js';
import { fitsText } from '../../values/texts.js';
import type { Collection } from './collection.js';
import { closest } from './fitted.js';
import { join } from './relations.js';
import type { Sandbox, Snapshot } from './sandbox.js';

/** @param seed - the number of records of each collection, or the name of a file @throws CommandFailure that names the fault */
export function plant(sandbox: Sandbox, seed: string): void {
  if (/^\d{1,4}$/.test(seed)) grow(sandbox, Number(seed));
  else loadText(sandbox, () => readFileSync(seed, 'utf8'), seed);
  sandbox.start = sandbox.snapshot();
}

/** Makes records; collections come after those that they refer to. */
function grow(sandbox: Sandbox, count: number): void {
  const { collections } = sandbox;
  for (const each of collections) each.clear();
  const referred = (from: Collection, member: string): Collection | undefined =>
    sandbox.references.get(`${from.parts.name}.${member}`) ??
    collections.find((each) => each !== from && refersTo(member, each.parts.name));
  const rankOf = (each: Collection): number =>
    namesOf(each.parts.path).length + [...each.names].filter((name) => referred(each, name)).length;
  for (const collection of collections.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const { key, isSingle } = collection.parts;
    const above = key.replace(/\/[^/]+(?:\/[^/]*|\()\{\}$/, '');
    const parent = collections.find((each) => each.parts.key === above);
    const places = above.includes('{') ? [...(parent?.records.values() ?? [])].map(({ at }) => at) : [[]];
    for (let nth = 0; nth < count && places.length > 0 && !isSingle; nth += 1) {
      const members = [...collection.names].map((name) => {
        const to = referred(collection, name);
        const other = [...(to?.records.values() ?? [])][nth % (to?.records.size ?? 1)]?.value ?? null;
        const id = isEntity(other) ? other[to?.parts.idMember ?? ''] : undefined;
        return [name, id ?? valueOf(collection, name, nth)] as const;
      });
      const known = members.filter(([, value]) => value !== undefined) as [string, Json][];
      const value = collection.accepted(Object.fromEntries(known));
      const record = collection.create(value, places[nth % places.length]);
      if (sandbox.faultOf(collection, record) === undefined) join(collection, record, 'created');
      else collection.remove(record);
    }
  }
}

/** A value that says what it is, where the schema allows that; undefined for a member that the sandbox makes. */
function valueOf({ parts: { item, idMember } }: Collection, name: string, nth: number): Json | undefined {
  if (name === idMember || /links$/i.test(name)) return undefined;
  const parts = propertyParts(closest(item), name) ?? [];
  const plain = closest(parts);
  const isText = typesOf(plain)?.[0] === 'string' && listedValues(plain) === undefined;
  const isPlain = isText && namedValues(name, 'string', nth).length === 0;
  const format = plain.map(({ schema }) => schema['format']).find((each) => each !== undefined);
  const end = { undefined: ` ${nth + 1}`, email: `${nth + 1}@example.com` }[format as string];
  const text = `${name}${end ?? ''}`;
  return isPlain && end !== undefined && fitsText(plain, text) ? text : nthExample(parts, nth, name);
}

/** @param about - begins the sentence about a fault @throws CommandFailure for a text that is no JSON object of lists that fit */
export function loadText(sandbox: Sandbox, textOf: () => string, about: string): void {
  let value: Json;
  try {
    value = JSON.parse(textOf()) as Json;
  } catch (error) {
    throw usageFailure(`${about} cannot be read: ${(error as Error).message}`);
  }
  if (!isEntity(value))
    throw usageFailure(`${about} must be an object with a list of records for each collection`);
  const [other] = Object.entries(value).find(([, records]) => !Array.isArray(records)) ?? [];
  if (other !== undefined) throw usageFailure(`${about}: ${other} must be a list of records`);
  sandbox.load(value as Snapshot, about);
}

/** Writes all records, at once, so that a reader never sees a part of them. */
export function save(sandbox: Sandbox, file: string): void {
  // It may be a link.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(sandbox.snapshot(), null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
