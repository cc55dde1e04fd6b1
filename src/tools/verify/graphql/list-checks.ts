/** Asks a GraphQL server for lists of records page by page, by their filters and in their orders, and compares the answers. */

import { type GraphQLArgument, getNamedType, isEnumType } from 'graphql';
import type { Json } from '@concordat/runtime';
import { defaultOf } from '@concordat/runtime/graphql';
import { CURSOR, LIMIT, OFFSET, type Entity } from '../../running/resources.js';
import { isEntity, isSameName, writtenValue } from '../../running/resources.js';
import type { RootField } from '../../values/graphql/operation-draft.js';
import { SORT, TOTAL } from '../openapi/whole-list.js';
import { isScalar } from '../openapi/read-back.js';
import type { Rule } from '../run/verify-report.js';
import type { RecordChecks } from './record-checks.js';
import { type Asked, type Asker, changedLeaf, recordsIn } from './records.js';
import type { RecordRoots } from './record-roots.js';
import type { Variables } from './resources.js';

/** The records that are created, the size of a page, the most of a list that is read, and the most values of a filter. */
const SOME = 5;
const SIZE = 2;
const MOST = 100;
const VALUES = 4;

interface Page<Outcome> extends Asked<Outcome> {
  readonly items: readonly Entity[];
}

/** The first member of a name in a result, but not in a record. */
function memberIn(data: Json, name: RegExp): Json | undefined {
  if (!isEntity(data) || data['id'] != null) return undefined;
  const own = Object.entries(data).find(([each, value]) => name.test(each) && !isEntity(value));
  const inner = Object.values(data).map((each) => memberIn(each, name));
  return own?.[1] ?? inner.find((each) => each !== undefined);
}

export class ListChecks<Outcome> {
  readonly #args: readonly GraphQLArgument[];

  constructor(
    private readonly of: RecordRoots,
    private readonly list: RootField,
    private readonly run: Asker<Outcome>,
  ) {
    this.#args = list.field.args;
  }

  async check(records: RecordChecks<Outcome>): Promise<void> {
    const { run, of } = this;
    let last: Awaited<ReturnType<typeof records.create>>;
    for (let count = 0; count <= SOME; count += 1)
      last = await records.create(run.sample(of.create), 'a record of the list');
    const limit = this.#named(LIMIT);
    const large = (limit && (await this.#ask({ [limit.name]: MOST }))) ?? (await this.#ask({}));
    if (large === undefined || last === undefined) return;
    const plain = await this.#ask({});
    const size: unknown = limit && defaultOf(limit);
    if (plain !== undefined && typeof size === 'number' && plain.items.length > size) {
      const message = `${plain.items.length} records are more than ${size}, the default of ${String(limit?.name)}`;
      this.#found('wrong-page', message, plain);
    }
    const isWhole = large.items.length < MOST;
    const item = large.items.find(({ id }) => id === last.record['id']);
    const read = await records.read(last.record);
    const changed = item && read && changedLeaf(read.record, item, 'the record has');
    if (changed !== undefined) this.#found('wrong-list', `${changed} in the list`, large, [last.outcome]);
    if (item === undefined && isWhole) {
      const message =
        'the list does not have the record that was created last; the schema does not say whether it lists all';
      this.#found('wrong-list', message, large, [last.outcome], true);
    }
    if (isWhole) this.#total(large, large);
    if (limit !== undefined) await this.#pages(large, limit, isWhole);
    for (const argument of this.#args) {
      const names = Object.keys(large.items[0] ?? {});
      if (SORT.test(argument.name)) await this.#order(argument, large);
      else if (names.includes(argument.name)) await this.#filter(argument, large, isWhole);
    }
    await this.#removed(large, last);
  }

  #named(pattern: RegExp): GraphQLArgument | undefined {
    return this.#args.find(({ name }) => pattern.test(name));
  }

  async #ask(given: Variables): Promise<Page<Outcome> | undefined> {
    const asked = await this.run.ask(this.list, given, `the list ${JSON.stringify(given)}`);
    return asked && { ...asked, items: recordsIn(asked.data, this.of.type) };
  }

  #total(shown: Page<Outcome>, whole: Page<Outcome>): void {
    const total = memberIn(shown.data, TOTAL);
    if (typeof total !== 'number' || total === whole.items.length) return;
    const message = `the total is ${total}, and the list has ${whole.items.length} records`;
    this.#found('wrong-total', message, shown);
  }

  async #pages(large: Page<Outcome>, { name: limit }: GraphQLArgument, isWhole: boolean): Promise<void> {
    const small = await this.#ask({ [limit]: SIZE });
    if (small === undefined) return;
    const ids = (page: Page<Outcome>): readonly string[] => page.items.map(({ id }) => writtenValue(id));
    if (small.items.length > SIZE) {
      this.#found('wrong-page', `${small.items.length} records are more than the limit ${SIZE}`, small);
      return;
    }
    if (isWhole) this.#total(small, large);
    for (const [page, isMore] of [[small, large.items.length > SIZE] as const, [large, false] as const]) {
      const next = memberIn(page.data, /^has_?next(?:_?page)?$/i);
      if (typeof next === 'boolean' && next !== isMore && (isWhole || isMore)) {
        const message = `hasNextPage is ${String(next)}, and ${isMore ? 'there are more records' : 'there are no more'}`;
        this.#found('wrong-page', message, page);
      }
    }
    const [offset, after] = [this.#named(OFFSET), this.#named(CURSOR)];
    const cursor = memberIn(small.data, /^(?:end|next)_?cursor$/i);
    const byCursor = after && isScalar(cursor) ? { [after.name]: cursor ?? null } : undefined;
    const place = offset ? { [offset.name]: SIZE } : byCursor;
    const next = place && (await this.#ask({ [limit]: SIZE, ...place }));
    const wanted = ids(large).slice(SIZE, 2 * SIZE);
    if (next === undefined || ids(next).join() === wanted.join()) return;
    // A list that changes by itself is not compared.
    const again = await this.#ask(large.sent);
    if (again !== undefined && ids(again).join() === ids(large).join()) {
      const message = `the page after the first ${SIZE} records has other records than the whole list`;
      this.#found('wrong-page', message, next, [small.outcome]);
    }
  }

  async #filter({ name, type }: GraphQLArgument, large: Page<Outcome>, isWhole: boolean): Promise<void> {
    const named = getNamedType(type);
    const listed = isEnumType(named) ? named.getValues().map((each) => each.name) : [];
    const present = large.items.map((item) => item[name] ?? null).filter(isScalar);
    const booleans = named.name === 'Boolean' ? [false, true] : [];
    for (const value of [...new Set<Json>([...booleans, ...present, ...listed])].slice(0, VALUES)) {
      const page = await this.#ask({ ...large.sent, [name]: value });
      if (page === undefined) continue;
      const others = page.items.filter((item) => isScalar(item[name]) && item[name] !== value);
      const count = large.items.filter((item) => item[name] === value).length;
      // Texts may be searched, and numbers and times be bounds.
      const isExact = listed.length > 0 || typeof value === 'boolean';
      const isNoBound = isExact || others.length === page.items.length || typeof value === 'string';
      if (others.length > 0 && isNoBound) {
        const text = typeof value === 'string' ? value.toLowerCase() : undefined;
        const isFound = (item: Entity): boolean =>
          text !== undefined && writtenValue(item[name]).toLowerCase().includes(text);
        if (!others.every(isFound)) {
          const message = `${name} of a record is ${JSON.stringify(others[0]?.[name])}, and the list is that of ${JSON.stringify(value)}`;
          this.#found('wrong-filter', message, page, [], !isExact);
        }
      } else if (isWhole && page.items.length < count) {
        const message = `${count} records of the list have ${name} ${JSON.stringify(value)}, and its filter finds ${page.items.length}; the schema does not say that it finds all`;
        this.#found('wrong-filter', message, page, [], true);
      } else if (page.items.length < MOST) this.#total(page, page);
    }
  }

  /** Asks for the list in each order that an enum names by a member: `PRICE_DESC`. */
  async #order({ name, type }: GraphQLArgument, large: Page<Outcome>): Promise<void> {
    const named = getNamedType(type);
    for (const { name: value } of isEnumType(named) ? named.getValues() : []) {
      const [, key = '', way = ''] = /^(\w+?)_?(asc|desc)(?:ending)?$/i.exec(value) ?? [];
      const member = Object.keys(large.items[0] ?? {}).find((each) => isSameName(each, key));
      const page = member === undefined ? undefined : await this.#ask({ ...large.sent, [name]: value });
      const values = (page?.items ?? []).map((item) => item[member ?? '']);
      const numbers = values.filter((each) => typeof each === 'number');
      const wanted = numbers.toSorted((a, b) => (/^d/i.test(way) ? b - a : a - b));
      if (page !== undefined && wanted.join() !== numbers.join()) {
        const message = `${String(member)} of the records is ${numbers.join(', ')} for ${value}`;
        this.#found('wrong-order', message, page);
      }
    }
  }

  /** Deletes the record that was created last. */
  async #removed(large: Page<Outcome>, last: Asked<Outcome> & { record: Entity }): Promise<void> {
    const { remove, named } = this.of;
    const given = remove && named(remove, writtenValue(last.record['id']));
    const done = remove && (await this.run.ask(remove, given ?? {}, 'the deletion of a record'));
    const after = done && (await this.#ask(large.sent));
    if (done === undefined || after === undefined || large.items.length >= MOST) return;
    const item = after.items.find(({ id }) => id === last.record['id']);
    const old = large.items.find(({ id }) => id === last.record['id']);
    // A server may keep what was deleted and show it differently.
    const led = [last.outcome, done.outcome];
    if (item !== undefined && JSON.stringify(item) === JSON.stringify(old))
      this.#found('wrong-list', 'the list has a record that was deleted', after, led);
    const others = large.items.filter(({ id }) => id !== last.record['id']);
    const gone = others.find(({ id }) => !after.items.some((each) => each['id'] === id));
    if (gone !== undefined) {
      const message = `the list lacks ${JSON.stringify(gone['id'])} after the deletion of another record; the schema does not say that only one is deleted`;
      this.#found('wrong-list', message, after, [done.outcome], true);
    }
  }

  #found(
    rule: Rule,
    message: string,
    { outcome }: Page<Outcome>,
    before: readonly Outcome[] = [],
    isUncertain = false,
  ): void {
    this.run.add(rule, message, outcome, before, isUncertain);
  }
}
