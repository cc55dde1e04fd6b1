/** Explains how the items of a list fail a schema. */

import type { SchemaKeywords } from './failure.js';
import type { Trial } from './trial.js';
import { canonical } from './json-value.js';
import { countFindings, finding } from './value-failures.js';

export class ArrayKeywords {
  constructor(
    private readonly trial: Trial,
    private readonly schema: SchemaKeywords,
    private readonly items: readonly unknown[],
    private readonly place: string,
  ) {}

  look(): void {
    for (const each of countFindings(this.schema, 'Items', 'items', () => this.items.length))
      this.trial.fail(this.place, each);
    if (this.schema['uniqueItems'] === true) this.#unique();
    this.#eachItem();
    if ('contains' in this.schema) this.#contains();
    if ('unevaluatedItems' in this.schema) this.#unevaluated();
  }

  #unique(): void {
    const seen = new Map<string, number>();
    for (const [i, item] of this.items.entries()) {
      const text = canonical(item);
      const j = seen.get(text);
      if (j !== undefined) {
        const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
        this.trial.fail(this.place, finding('uniqueItems', { i, j }, message));
        return;
      }
      seen.set(text, i);
    }
  }

  #eachItem(): void {
    const prefix = (this.schema['prefixItems'] ?? []) as readonly unknown[];
    const { items } = this.schema;
    if (items === false && this.items.length > prefix.length) this.#tooMany('items', prefix.length);
    for (const [index, item] of this.items.entries()) {
      const schema = index < prefix.length ? prefix[index] : items;
      if (schema === undefined) continue;
      this.trial.looked.indexes.add(index);
      if (index < prefix.length || items !== false) this.trial.part(schema, item, `${this.place}/${index}`);
    }
  }

  #contains(): void {
    const least = Number(this.schema['minContains'] ?? 1);
    const most = this.schema['maxContains'];
    const wanted = this.schema['contains'];
    const fitting = [...this.items.keys()].filter(
      (index) => this.trial.attempt(wanted, this.items[index], '').fits,
    );
    for (const index of fitting) this.trial.looked.indexes.add(index);
    if (fitting.length >= least && (typeof most !== 'number' || fitting.length <= most)) return;
    const limit = typeof most === 'number' ? ` and no more than ${most}` : '';
    const params = { minContains: least, ...(typeof most === 'number' && { maxContains: most }) };
    this.trial.fail(
      this.place,
      finding('contains', params, `must contain at least ${least}${limit} valid item(s)`),
    );
  }

  #unevaluated(): void {
    const schema = this.schema['unevaluatedItems'];
    const { indexes } = this.trial.looked;
    const left = [...this.items.keys()].filter((index) => !indexes.has(index));
    const [first] = left;
    if (schema === false && first !== undefined) this.#tooMany('unevaluatedItems', first);
    else for (const index of left) this.trial.part(schema, this.items[index], `${this.place}/${index}`);
    for (const index of left) indexes.add(index);
  }

  #tooMany(keyword: string, limit: number): void {
    this.trial.fail(this.place, finding(keyword, { limit }, `must NOT have more than ${limit} items`));
  }
}
