/** Asks for lists by their filters and page by page, and compares the answers with the whole list. */

import type { Json } from '@concordat/runtime';
import { writeExactJson } from '@concordat/runtime/client';
import type { OperationModel, ParameterModel } from 'concordat/contract';
import { flattened } from '../../values/inner-parts.js';
import { partsOf } from '../../values/document-parts.js';
import { isMocked } from '../run/server.js';
import type { Rule } from '../run/verify-report.js';
import { changedMember, isScalar } from './read-back.js';
import { plainParts } from './request-cases.js';
import {
  type Entity,
  type ListParameters,
  firstPageOf,
  isEntity,
  itemsOf,
  listParametersOf,
  nextCursorOf,
  queryOf,
} from '../../running/resources.js';
import { bodyOf } from './named-resources.js';
import type { Outcome, Sender } from './session.js';

type Values = Readonly<Record<string, Json>>;

interface Page {
  readonly items: readonly Entity[];
  readonly outcome: Outcome;
  /** The values that it was asked for by. */
  readonly values: Values;
}

/** The most items that are asked for at once, the size of a page, and the number of pages. */
const MOST = 6;
const SIZE = 2;
const PAGES = 3;

/** The most items of a list that is read as a whole, per page. */
const MOST_ITEMS = 100;

const TOTAL = /^(?:total|count|total[_-]?(?:count|items|results))$/i;
const SORT = /^(?:sort|order)(?:[_-]?by)?$/i;

/** The most values of one filter. */
const VALUES = 6;

/** Verifies the list that an operation answers with, if it does. */
export class ListChecks {
  #first: Outcome | undefined;
  #last: Outcome | undefined;

  constructor(
    private readonly operation: OperationModel,
    private readonly run: Sender,
  ) {}

  /** @param create - creates another item of the list, if an operation does that */
  async check(
    create: () => Promise<Outcome | undefined>,
    remove: (item: Outcome) => Promise<boolean>,
  ): Promise<void> {
    if (queryOf(this.operation).length === 0) return;
    let all = await this.#ask({});
    if (all === undefined || isMocked(all.outcome.answer)) return;
    for (let missing = MOST - all.items.length; missing > 0; missing -= 1) await create();
    this.#last = await create();
    all = await this.#ask({});
    if (all === undefined) return;
    const parameters = listParametersOf(
      this.operation,
      new Set(all.items.flatMap((item) => Object.keys(item))),
    );
    this.#defaultLimit(parameters, all);
    const whole = await this.#whole(parameters, all);
    await this.#created(parameters, remove);
    await this.#order(whole ?? all);
    for (const filter of parameters.filters) await this.#filter(filter, all.items, whole);
    await this.#pages(parameters, all);
  }

  /** The list for values of its parameters; undefined if the contract or the server refuses them, or if it is no list. */
  async #ask(values: Values): Promise<Page | undefined> {
    const parts = plainParts(this.operation, false);
    if (parts === undefined) return undefined;
    const given = queryOf(this.operation).flatMap((parameter) => {
      const value = values[parameter.name];
      return value === undefined ? [] : [{ parameter, value }];
    });
    const others = parts.parameters.filter(({ parameter }) => values[parameter.name] === undefined);
    const outcome = await this.run.send(
      { about: `the list ${written(values)}`.trim(), parts: { ...parts, parameters: [...others, ...given] } },
      this.#first?.pathValues,
    );
    if (outcome === undefined || 'refusal' in outcome.reach) return undefined;
    await this.run.see(outcome, true);
    this.#first ??= outcome;
    const items = outcome.isSuccess ? itemsOf(bodyOf(outcome.answer)) : undefined;
    return items && { items, outcome, values };
  }

  #defaultLimit({ limit }: ListParameters, all: Page): void {
    const size = limit?.default;
    if (typeof size !== 'number' || all.items.length <= size) return;
    this.#found(
      'wrong-page',
      `${String(all.items.length)} items are more than ${String(size)}, the default of ${limit?.name ?? ''}`,
      all,
    );
  }

  /** The list with all its items, as far as its parameters allow; undefined if it may have more. */
  async #whole({ limit, offset, page, cursor }: ListParameters, all: Page): Promise<Page | undefined> {
    if (limit === undefined) return (offset ?? page ?? cursor) === undefined ? all : undefined;
    const { maximum } = limit.node.object;
    const size = typeof maximum === 'number' ? Math.min(maximum, MOST_ITEMS) : MOST_ITEMS;
    const first = await this.#ask({ [limit.name]: size });
    if (first === undefined || offset === undefined)
      return first !== undefined && first.items.length < size ? first : undefined;
    const items = [...first.items];
    for (let last = first; last.items.length >= size && items.length < MOST_ITEMS * PAGES;) {
      const next = await this.#ask({ [limit.name]: size, [offset.name]: items.length });
      if (next === undefined) return undefined;
      items.push(...next.items);
      last = next;
    }
    const beyond = await this.#ask({ [limit.name]: size, [offset.name]: items.length + size });
    if (
      beyond !== undefined &&
      beyond.items.length > 0 &&
      beyond.items.every((each) => items.some((item) => keyOf(item) === keyOf(each)))
    )
      this.#found(
        'wrong-page',
        `a page beyond the last of ${String(items.length)} items has items again`,
        beyond,
      );
    const whole = { ...first, items };
    this.#total(whole, first);
    return whole;
  }

  /** Compares the number that the list shows with the number of its items. */
  #total(whole: Page, shown: Page): void {
    const body = bodyOf(shown.outcome.answer);
    const [name, total] =
      Object.entries(isEntity(body) ? body : {}).find(
        ([each, value]) => TOTAL.test(each) && typeof value === 'number',
      ) ?? [];
    if (name === undefined || total === whole.items.length) return;
    this.#found(
      'wrong-total',
      `${name} is ${String(total)}, and the list has ${String(whole.items.length)} items`,
      shown,
    );
  }

  /** Compares the resource that was created last with its item, and asks for it again after its deletion. */
  async #created(parameters: ListParameters, remove: (item: Outcome) => Promise<boolean>): Promise<void> {
    const created = this.#last;
    const body = created?.isSuccess === true ? bodyOf(created.answer) : undefined;
    if (created === undefined || !isEntity(body) || body['id'] === undefined) return;
    const find = async (): Promise<
      { readonly page: Page; readonly item: Entity | undefined } | undefined
    > => {
      const all = await this.#ask({});
      const page = all && (await this.#whole(parameters, all));
      return page && { page, item: page.items.find((each) => keyOf(each) === keyOf(body)) };
    };
    const before = await find();
    if (before === undefined) return;
    const { page, item } = before;
    if (item === undefined) {
      // An empty list may be that of another parent.
      const message =
        'the list does not have the resource that was created last; the contract does not say whether it lists all';
      this.#found('wrong-list', message, page, [created], true);
      return;
    }
    const changed = changedMember(body, item, 'the resource was created with');
    if (changed !== undefined) this.#found('wrong-list', `${changed} in the list`, page, [created]);
    const after = (await remove(created)) ? await find() : undefined;
    if (after?.item !== undefined)
      this.#found('wrong-list', 'the list has a resource that was deleted', after.page, [created]);
  }

  /** Asks for the list in each order that a parameter names by a member. */
  async #order({ items }: Page): Promise<void> {
    const sort = queryOf(this.operation).find(({ name }) => SORT.test(name));
    const values = (sort === undefined ? [] : flattened(partsOf(sort))).flatMap(
      ({ schema }) => schema.enum ?? [],
    );
    for (const value of values) {
      const [, sign, name = ''] = /^([-+]?)(\w+)$/.exec(String(value)) ?? [];
      if (
        sort === undefined ||
        new Set(items.map((item) => (typeof item[name] === 'number' ? item[name] : undefined))).size < 2
      )
        continue;
      const page = await this.#ask({ [sort.name]: value });
      const numbers = (page?.items ?? [])
        .map((item) => item[name])
        .filter((each) => typeof each === 'number');
      const wanted = numbers.toSorted((a, b) => (sign === '-' ? b - a : a - b));
      if (page === undefined || wanted.join() === numbers.join()) continue;
      this.#found('wrong-order', `${name} of the items is ${numbers.join(', ')}`, page);
      return;
    }
  }

  /** Asks for the items with each value of a member that has the name of a parameter. */
  async #filter(parameter: ParameterModel, all: readonly Entity[], whole?: Page): Promise<void> {
    const { name, coercion } = parameter;
    const isList = 'type' in coercion && coercion.type === 'array';
    const parts = flattened(partsOf(parameter));
    const listed = parts.flatMap(({ schema }) => schema.enum ?? []).filter(isScalar);
    const present = all.map((item) => item[name] ?? null).filter(isScalar);
    const booleans = parts.some(({ schema }) => schema.type === 'boolean') ? [true, false] : [];
    const [first] = present;
    // A list of values may be read as one.
    if (isList) await this.#ask({ [name]: [first ?? 'one', first ?? 'two'] });
    for (const value of [...new Set([...listed, ...booleans, ...present])].slice(0, VALUES)) {
      const page = await this.#ask({ [name]: isList ? [value] : value });
      const values = (page?.items ?? []).map((item) => item[name] ?? null).filter(isScalar);
      const others = values.filter((each) => !isMatch(value, each));
      // Such a parameter may be a bound: then all others are on one side of it.
      const isBound = isOrdered(value) && new Set(others.map((each) => compare(each, value))).size < 2;
      const [other] = isBound && listed.length === 0 ? [] : others;
      if (page !== undefined && whole !== undefined && others.length === 0 && !isList) {
        const count = whole.items.filter(
          (item) => writeExactJson(item[name] ?? null) === writeExactJson(value),
        ).length;
        const isShort = page.items.length < Math.min(count, 2) && count > 0;
        if (isShort)
          this.#found(
            'wrong-filter',
            `${String(count)} items of the list have ${name} ${writeExactJson(value)}, and its filter finds ${String(page.items.length)}; the contract does not say that it finds all`,
            page,
            [],
            true,
          );
        if (page.items.length <= 1) this.#total(page, page);
      }
      if (page === undefined || other === undefined) continue;
      const message = `${name} of an item is ${writeExactJson(other)}, and the list is that of ${writeExactJson(value)}`;
      this.#found('wrong-filter', message, page);
      return;
    }
  }

  async #pages({ limit, offset, page: number, cursor }: ListParameters, all: Page): Promise<void> {
    const sized = (size: number): Values => (limit === undefined ? {} : { [limit.name]: size });
    const small = limit && (await this.#ask(sized(SIZE)));
    if (small !== undefined && small.items.length > SIZE) {
      const message = `${String(small.items.length)} items are more than the limit ${String(SIZE)}`;
      this.#found('wrong-page', message, small);
      return;
    }
    const large = (await this.#ask(sized(MOST))) ?? all;
    // Without a limit, only the first item of each part is known.
    const size = small === undefined ? 1 : SIZE;
    if (offset !== undefined) await this.#walk(large, size, sized(SIZE), offset, (page) => page * size);
    if (small === undefined) return;
    if (number !== undefined) {
      await this.#walk(large, size, sized(SIZE), number, (page) => firstPageOf(number) + page);
    }
    if (cursor !== undefined)
      await this.#walk(
        large,
        size,
        sized(SIZE),
        cursor,
        (_, before) => before && nextCursorOf(bodyOf(before.outcome.answer), cursor.name),
      );
  }

  /** Asks for one page after another, which must be the larger page together. */
  async #walk(
    large: Page,
    size: number,
    sized: Values,
    { name }: ParameterModel,
    at: (page: number, before: Page | undefined) => Json | undefined,
  ): Promise<void> {
    const whole = large.items.map(keyOf);
    let last: Page | undefined;
    for (let page = 0; page < PAGES && (page === 0 || page * size < whole.length); page += 1) {
      const value = at(page, last);
      if (page > 0 && value === undefined) return;
      const place = value === undefined ? {} : { [name]: value };
      last = await this.#ask({ ...sized, ...place });
      if (last === undefined) return;
      const keys = last.items.map(keyOf);
      const expected = whole.slice(page * size, (page + 1) * size);
      if (expected.every((key, index) => key === keys[index])) continue;
      // Lists that change by themselves, or have no order, are not compared.
      const again = await this.#ask(large.values);
      if (again === undefined || again.items.map(keyOf).join() !== whole.join()) return;
      const message = `the page ${written(place)} has other items than this part of a larger page`;
      this.#found('wrong-page', message, last);
      return;
    }
  }

  #found(
    rule: Rule,
    message: string,
    { outcome }: Page,
    before: readonly Outcome[] = [],
    isUncertain = false,
  ): void {
    this.run.add(`${rule} ${this.operation.id}`, { rule, message, isUncertain }, outcome, before);
  }
}

function written(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${writeExactJson(value)}`)
    .join(' ');
}

function keyOf(item: Entity): string {
  return writeExactJson(item['id'] ?? item);
}

/** Whether a member has the value of a filter; a text may be a part of it. */
function isMatch(filter: Json, value: Json): boolean {
  if (typeof filter !== 'string' || typeof value !== 'string')
    return writeExactJson(filter) === writeExactJson(value);
  return value.toLowerCase().includes(filter.toLowerCase());
}

/** Whether a value is a number or a time. */
function isOrdered(value: Json): boolean {
  return typeof value !== 'boolean' && (typeof value !== 'string' || /^\d{4}-\d\d-\d\d/.test(value));
}

function compare(a: Json, b: Json): number {
  return writeExactJson(a).localeCompare(writeExactJson(b), 'en', { numeric: true });
}
