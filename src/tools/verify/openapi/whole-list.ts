/** Asks for a list as a whole, and compares it with its total, its order, and the resource that was created last. */

import type { Json } from '@concordat/runtime';
import { writeExactJson } from '@concordat/runtime/client';
import type { OperationModel } from 'concordat/contract';
import { flattened } from '../../values/inner-parts.js';
import { partsOf } from '../../values/document-parts.js';
import type { Rule } from '../run/verify-report.js';
import { changedMember } from './read-back.js';
import { plainParts } from '../../running/plain-parts.js';
import {
  type Entity,
  type ListParameters,
  firstPageOf,
  isEntity,
  itemsOf,
  listParametersOf,
  queryOf,
} from '../../running/resources.js';
import { bodyOf } from './named-resources.js';
import type { Outcome, Sender } from './session.js';

export type Values = Readonly<Record<string, Json>>;

export interface Page {
  readonly items: readonly Entity[];
  readonly outcome: Outcome;
  /** The values that it was asked for by. */
  readonly values: Values;
}

/** The most items of a list that is read as a whole, per page. */
const MOST_ITEMS = 100;

export const TOTAL = /^(?:total|count|total[_-]?(?:count|items|results))$/i;
export const SORT = /^(?:sort|order)(?:[_-]?by)?$/i;

/** The most pages that a list is read by. */
const MOST_PAGES = 3;

export class WholeList {
  #first: Outcome | undefined;

  constructor(
    protected readonly operation: OperationModel,
    protected readonly run: Sender,
  ) {}

  /** The list for values of its parameters; undefined if the contract or the server refuses them, or if it is no list. */
  protected async ask(values: Values): Promise<Page | undefined> {
    const parts = plainParts(this.operation, false);
    if (parts === undefined) return undefined;
    const given = queryOf(this.operation).flatMap((parameter) => {
      const value = values[parameter.name];
      return value === undefined ? [] : [{ parameter, value }];
    });
    const { offset, page } = listParametersOf(this.operation, new Set());
    const starts = new Map([
      [offset, offset?.default ?? offset?.node.object.minimum ?? 0],
      [page, page && firstPageOf(page)],
    ]);
    // A required offset is where the list starts, not just any that the contract allows.
    const others = parts.parameters
      .filter(({ parameter }) => values[parameter.name] === undefined)
      .map(({ parameter, value }) => ({ parameter, value: starts.get(parameter) ?? value }));
    const wanted = { ...parts, parameters: [...others, ...given] };
    const about = `the list ${written(values)}`.trim();
    const outcome = await this.run.send({ about, parts: wanted }, this.#first?.pathValues);
    if (outcome === undefined || 'refusal' in outcome.expected) return undefined;
    await this.run.see(outcome, true);
    this.#first ??= outcome;
    const items = outcome.isSuccess ? itemsOf(bodyOf(outcome.answer)) : undefined;
    return items && { items, outcome, values };
  }

  protected defaultLimit({ limit }: ListParameters, all: Page): void {
    const size = limit?.default;
    if (typeof size !== 'number' || all.items.length <= size) return;
    const message = `${all.items.length} items are more than ${size}, the default of ${limit?.name ?? ''}`;
    this.found('wrong-page', message, all);
  }

  /** The list with all its items, as far as its parameters allow; undefined if it may have more. */
  protected async whole(
    { limit, offset, page, cursor }: ListParameters,
    all: Page,
  ): Promise<Page | undefined> {
    if (limit === undefined) return (offset ?? page ?? cursor) === undefined ? all : undefined;
    const { maximum } = limit.node.object;
    const size = typeof maximum === 'number' ? Math.min(maximum, MOST_ITEMS) : MOST_ITEMS;
    const first = await this.ask({ [limit.name]: size });
    if (first === undefined || offset === undefined)
      return first !== undefined && first.items.length < size ? first : undefined;
    const items = [...first.items];
    for (let last = first; last.items.length >= size && items.length < MOST_ITEMS * MOST_PAGES;) {
      const next = await this.ask({ [limit.name]: size, [offset.name]: items.length });
      if (next === undefined) return undefined;
      items.push(...next.items);
      last = next;
    }
    const beyond = await this.ask({ [limit.name]: size, [offset.name]: items.length + size });
    const isAgain = beyond?.items.every((each) => items.some((item) => keyOf(item) === keyOf(each)));
    if (beyond !== undefined && beyond.items.length > 0 && isAgain === true)
      this.found('wrong-page', `a page beyond the last of ${items.length} items has items again`, beyond);
    const whole = { ...first, items };
    this.total(whole, all);
    return whole;
  }

  /** Compares the number that the list shows with the number of its items. */
  protected total(whole: Page, shown: Page): void {
    const body = bodyOf(shown.outcome.answer);
    const numbers = Object.entries(isEntity(body) ? body : {}).filter(
      ([, value]) => typeof value === 'number',
    );
    const [name, total] = numbers.find(([each]) => TOTAL.test(each)) ?? [];
    if (name === undefined || total === whole.items.length) return;
    const message = `${name} is ${JSON.stringify(total)}, and the list has ${whole.items.length} items`;
    this.found('wrong-total', message, shown);
  }

  /** Compares the resource that was created last with its item, and asks for it again after its deletion. */
  protected async created(
    created: Outcome | undefined,
    parameters: ListParameters,
    remove: (item: Outcome) => Promise<boolean>,
  ): Promise<void> {
    const body = created?.isSuccess === true ? bodyOf(created.answer) : undefined;
    if (created === undefined || !isEntity(body) || body['id'] === undefined) return;
    const find = async () => {
      const all = await this.ask({});
      const page = all && (await this.whole(parameters, all));
      return page && { page, item: page.items.find((each) => keyOf(each) === keyOf(body)) };
    };
    const before = await find();
    if (before === undefined) return;
    const { page, item } = before;
    if (item === undefined) {
      // An empty list may be that of another parent.
      const message =
        'the list does not have the resource that was created last; the contract does not say whether it lists all';
      this.found('wrong-list', message, page, [created], true);
      return;
    }
    const changed = changedMember(body, item, 'the resource was created with');
    if (changed !== undefined) this.found('wrong-list', `${changed} in the list`, page, [created]);
    const after = (await remove(created)) ? await find() : undefined;
    // A server that keeps what was deleted, as revoked keys, shows it differently.
    if (after?.item !== undefined && writeExactJson(after.item) === writeExactJson(item))
      this.found('wrong-list', 'the list has a resource that was deleted', after.page, [created]);
  }

  /** Asks for the list in each order that a parameter names by a member. */
  protected async order({ items, values }: Page): Promise<void> {
    const sort = queryOf(this.operation).find(({ name }) => SORT.test(name));
    const orders = (sort === undefined ? [] : flattened(partsOf(sort))).flatMap(
      ({ schema }) => schema.enum ?? [],
    );
    for (const value of orders) {
      const [, sign, name = ''] = /^([-+]?)(\w+)$/.exec(typeof value === 'string' ? value : '') ?? [];
      if (
        sort === undefined ||
        new Set(items.map((item) => (typeof item[name] === 'number' ? item[name] : undefined))).size < 2
      )
        continue;
      const page = await this.ask({ ...values, [sort.name]: value });
      const numbers = (page?.items ?? [])
        .map((item) => item[name])
        .filter((each) => typeof each === 'number');
      const wanted = numbers.toSorted((a, b) => (sign === '-' ? b - a : a - b));
      if (page === undefined || wanted.join() === numbers.join()) continue;
      this.found('wrong-order', `${name} of the items is ${numbers.join(', ')}`, page);
      return;
    }
  }

  protected found(
    rule: Rule,
    message: string,
    { outcome }: Page,
    before: readonly Outcome[] = [],
    isUncertain = false,
  ): void {
    this.run.add(`${rule} ${this.operation.id}`, { rule, message, isUncertain }, outcome, before);
  }
}

export function written(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${writeExactJson(value)}`)
    .join(' ');
}

export function keyOf(item: Entity): string {
  return writeExactJson(item['id'] ?? item);
}
