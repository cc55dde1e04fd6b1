/** Asks for lists by their filters and page by page, and compares the answers with the whole list. */

import type { Json } from '@concordat/runtime';
import { writeExactJson } from '@concordat/runtime/client';
import type { ParameterModel } from 'concordat/contract';
import { flattened } from '../../values/inner-parts.js';
import { partsOf } from '../../values/document-parts.js';
import { isMocked } from '../run/server.js';
import { isScalar } from './read-back.js';
import {
  type Entity,
  type ListParameters,
  firstPageOf,
  listParametersOf,
  nextCursorOf,
  queryOf,
} from '../../running/resources.js';
import { bodyOf } from './named-resources.js';
import type { Outcome } from './session.js';
import { type Page, type Values, WholeList, keyOf, written } from './whole-list.js';

/** The most items that are asked for at once, the size of a page, and the number of pages. */
const MOST = 6;
const SIZE = 2;
const PAGES = 3;

/** The most values of one filter. */
const VALUES = 6;

/** Verifies the list that an operation answers with, if it does. */
export class ListChecks extends WholeList {
  /** @param create - creates another item of the list, if an operation does that */
  async check(
    create: () => Promise<Outcome | undefined>,
    remove: (item: Outcome) => Promise<boolean>,
  ): Promise<void> {
    if (queryOf(this.operation).length === 0) return;
    let all = await this.ask({});
    if (all === undefined || isMocked(all.outcome.answer)) return;
    for (let missing = MOST - all.items.length; missing > 0; missing -= 1) await create();
    const last = await create();
    all = await this.ask({});
    if (all === undefined) return;
    const names = new Set(all.items.flatMap((item) => Object.keys(item)));
    const parameters = listParametersOf(this.operation, names);
    this.defaultLimit(parameters, all);
    await this.created(last, parameters, remove);
    // It may have lost an item.
    all = (await this.ask({})) ?? all;
    const whole = await this.whole(parameters, all);
    await this.order(whole ?? all);
    for (const filter of parameters.filters) await this.#filter(filter, all.items, whole);
    await this.#pages(parameters, all);
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
    if (isList) await this.ask({ [name]: [first ?? 'one', first ?? 'two'] });
    for (const value of [...new Set([...listed, ...booleans, ...present])].slice(0, VALUES)) {
      const page = await this.ask({ [name]: isList ? [value] : value });
      const values = (page?.items ?? []).map((item) => item[name] ?? null).filter(isScalar);
      const others = values.filter((each) => !isMatch(value, each));
      // Such a parameter may be a bound: then all others are on one side of it.
      const isBound = isOrdered(value) && new Set(others.map((each) => compare(each, value))).size < 2;
      const [other] = isBound && listed.length === 0 ? [] : others;
      if (page !== undefined && whole !== undefined && others.length === 0 && !isList) {
        const texts = whole.items.map((item) => writeExactJson(item[name] ?? null));
        const count = texts.filter((each) => each === writeExactJson(value)).length;
        const isShort = page.items.length < Math.min(count, 2) && count > 0;
        if (isShort) {
          const message = `${count} items of the list have ${name} ${writeExactJson(value)}, and its filter finds ${page.items.length}; the contract does not say that it finds all`;
          this.found('wrong-filter', message, page, [], true);
        }
        if (page.items.length <= 1) this.total(page, page);
      }
      if (page === undefined || other === undefined) continue;
      const message = `${name} of an item is ${writeExactJson(other)}, and the list is that of ${writeExactJson(value)}`;
      this.found('wrong-filter', message, page);
      return;
    }
  }

  async #pages({ limit, offset, page: number, cursor }: ListParameters, all: Page): Promise<void> {
    const sized = (size: number): Values => (limit === undefined ? {} : { [limit.name]: size });
    const small = limit && (await this.ask(sized(SIZE)));
    if (small !== undefined && small.items.length > SIZE) {
      const message = `${small.items.length} items are more than the limit ${SIZE}`;
      this.found('wrong-page', message, small);
      return;
    }
    const large = (await this.ask(sized(MOST))) ?? all;
    // Without a limit, only the first item of each part is known.
    const size = small === undefined ? 1 : SIZE;
    if (offset !== undefined) await this.#walk(large, size, sized(SIZE), offset, (page) => page * size);
    if (small === undefined) return;
    if (number !== undefined)
      await this.#walk(large, size, sized(SIZE), number, (page) => firstPageOf(number) + page);
    if (cursor === undefined) return;
    const next = (_: number, before: Page | undefined): Json | undefined =>
      before && nextCursorOf(bodyOf(before.outcome.answer), cursor.name);
    await this.#walk(large, size, sized(SIZE), cursor, next);
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
      last = await this.ask({ ...sized, ...place });
      if (last === undefined) return;
      const keys = last.items.map(keyOf);
      const expected = whole.slice(page * size, (page + 1) * size);
      if (expected.every((key, index) => key === keys[index])) continue;
      // Lists that change by themselves, or have no order, are not compared.
      const again = await this.ask(large.values);
      if (again === undefined || again.items.map(keyOf).join() !== whole.join()) return;
      const message = `the page ${written(place)} has other items than this part of a larger page`;
      this.found('wrong-page', message, last);
      return;
    }
  }
}

/** Whether a member has the value of a filter; a text may be a part of it. */
function isMatch(filter: Json, value: Json): boolean {
  if (typeof filter !== 'string' || typeof value !== 'string')
    return writeExactJson(filter) === writeExactJson(value);
  return value.toLowerCase().includes(filter.toLowerCase());
}

/** Whether a value is a number or a time. */
const isOrdered = (value: Json): boolean =>
  typeof value !== 'boolean' && (typeof value !== 'string' || /^\d{4}-\d\d-\d\d/.test(value));

const compare = (a: Json, b: Json): number =>
  writeExactJson(a).localeCompare(writeExactJson(b), 'en', { numeric: true });
