/** The rules that hold for the records of every store. */
import assert from 'node:assert/strict';
import { parseId } from '../model/id.js';
import type { StoredValues } from '../model/stored.js';
import type { Stores } from '../ports/storage.js';
import {
  type Row,
  type Rules,
  runTable,
  storeChecks,
  type StorageCheck,
  type StoragePart,
  type Table,
  type Test,
} from './check.js';
import { overwritten, readAfterEach } from './reads.js';
import { atOnce, idsOf, inTurn, oddIds, storedValues } from './samples.js';

interface StoreRecord {
  readonly id: string;
  readonly stored?: StoredValues | undefined;
}

/** How the rules create, change, delete and read the records of one store. */
interface Records<Store extends keyof Stores, T extends StoreRecord> {
  /** The start of the ids of the checks. */
  readonly prefix: string;
  /** The word for a record. */
  readonly noun: string;
  readonly stores: readonly Store[];
  /** Creates the record of a number, with what it refers to. Records of different numbers refer to different records. */
  readonly create: (storage: StoragePart<Store>, number: number, stored?: StoredValues) => Promise<T>;
  /** Writes that a record admits in this order; each gives it as it is then stored. */
  readonly writes: readonly ((storage: StoragePart<Store>, record: T) => Promise<T | string | undefined>)[];
  /** The calls that delete a record, by the name of the rule that checks them. */
  readonly removals: Readonly<
    Record<`${string}: ${string}`, (storage: StoragePart<Store>, record: T) => Promise<string>>
  >;
  /** All reads, with what they must give while the store has these records; `gone` are records that were deleted. */
  readonly reads: (storage: StoragePart<Store>, all: readonly T[], gone?: readonly T[]) => Table;
  /** The list of the records with these values of the application's fields, and their number, for a store that keeps these. */
  readonly filtered?: (
    storage: StoragePart<Store>,
    stored: StoredValues,
  ) => Promise<readonly [readonly T[], number]>;
  /** All calls that take an id, with what they must give for one that no record has. */
  readonly unknown: (storage: StoragePart<Store>, id: string) => Table;
}

/** The checks of the records of a store. */
export function recordChecks<Store extends keyof Stores, T extends StoreRecord>(
  records: Records<Store, T>,
): readonly StorageCheck<Store>[] {
  const { prefix, noun, stores, create, writes, removals, reads, filtered, unknown } = records;
  type Part = StoragePart<Store>;
  const removalRules = Object.entries(removals).map(([rule, remove]) => [
    rule,
    async (storage: Part): Promise<Table> => {
      const [first, gone, last] = (await inTurn(3, (number) => create(storage, number))) as [T, T, T];
      const nextId = async () => BigInt((await create(storage, 4)).id);
      return [
        [() => remove(storage, gone), 'deleted'],
        ...reads(storage, [first, last], [gone]),
        ...unknown(storage, gone.id),
        ...reads(storage, [first, last], [gone]),
        [() => remove(storage, last), 'deleted'],
        [async () => (await nextId()) > BigInt(last.id), true],
      ];
    },
  ]);

  const writeAll = async (storage: Part, record: T): Promise<T> => {
    let last = record;
    for (const write of writes) last = Object(await write(storage, last)) as T;
    return last;
  };

  /** The values of the application's fields are kept, also by writes that do not give them. */
  const keepsStored = async (storage: Part): Promise<Table> => {
    if (storage.ownFields === undefined) return [];
    const plain = await create(storage, 1);
    assert.ok(!('stored' in plain), 'no values are not an empty object');
    const returned = await create(storage, 2, structuredClone(storedValues));
    const created = structuredClone(returned);
    assert.deepEqual(created.stored, storedValues);
    await runTable(await overwritten(returned, (record) => reads(storage, [plain, record])));
    const record = await writeAll(storage, created);
    assert.deepEqual(record.stored, storedValues);
    const { text } = storedValues;
    const row = (stored: StoredValues, ...all: readonly T[]): Row => [
      () => filtered?.(storage, stored),
      [all, all.length],
    ];
    return [
      ...reads(storage, [plain, record]),
      ...[{ text }, { count: 0.5 }, { flag: true, text }].map((stored) => row(stored, record)),
      row({ flag: false }, plain), // which is the default
      ...['A', 'A\0', '\uD800'].map((other) => row({ text: other })),
    ];
  };

  return storeChecks<Store>(stores, {
    [`${prefix}-odd-ids: a text that is not the id of a ${noun} is not found`]: async (storage: Part) => {
      const record = await create(storage, 1);
      const tables = [...oddIds, '999'].map((id) => unknown(storage, id));
      return [...tables.flat(), ...reads(storage, [record])];
    },

    [`${prefix}-list-order: lists ascend by id as a number, and have each ${noun} once`]: async (
      storage: Part,
    ) => reads(storage, await inTurn(12, (number) => create(storage, number))),

    [`${prefix}-immutable: changes to a returned ${noun} do not reach the store, and no write changes one that was returned`]:
      async (storage: Part) => {
        const returned = await create(storage, 1);
        const before = structuredClone(returned);
        const last = await writeAll(storage, returned);
        assert.deepEqual(returned, before);
        return await overwritten(await create(storage, 2), (record) => reads(storage, [last, record]));
      },

    [`${prefix}-fresh-reads: every read shows all earlier writes, also when the same record was read before`]:
      async (storage: Part) => {
        const steps = [...writes, ...Object.values(removals).slice(0, 1)];
        await readAfterEach(
          (all, gone) => reads(storage, all, gone),
          [() => create(storage, 1), ...steps.map((step) => (record: T) => step(storage, record))],
        );
      },

    [`${prefix}-race-ids: records that are created at once have different ids`]: async (storage: Part) => {
      const all = await atOnce(12, (number) => create(storage, number));
      for (const id of idsOf(all)) assert.equal(parseId(id), id);
      const inOrder = all.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
      return reads(storage, inOrder);
    },

    ...(filtered && {
      [`${prefix}-stored: a ${noun} keeps the values of the application's fields`]: keepsStored,
    }),
    ...(Object.fromEntries(removalRules) as Rules<Test<Part>>),
  });
}
