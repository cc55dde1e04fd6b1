/** Writes the checks of the items of a list. */
import { all, any, condition, type Condition } from './condition.js';
import { type Code, code } from '../text/code.js';
import type { StatementWriter, Surroundings } from './statement-writer.js';
import { ANY_KIND } from './kinds.js';
import { schemaList, schemaOf, type LinkedSchema, type SchemaObject } from './linked-schema.js';
import { atLeast, atMost, fits } from './value-conditions.js';

export class ArrayWriter {
  constructor(private readonly writer: StatementWriter) {}

  /** @param value an expression that is known to be a list */
  write(schema: SchemaObject, value: Code, around: Surroundings): void {
    const { fail, evaluation } = around;
    const prefix = schemaList(schema, 'prefixItems');
    prefix.forEach((each, index) => this.#first(each, value, index, fail));
    if (prefix.length > 0) evaluation?.add({ items: prefix.length });
    const items = schemaOf(schema, 'items');
    if (items !== undefined) {
      this.#rest(items, value, prefix.length, fail);
      evaluation?.add({ items: 'all' });
    }
    if ('contains' in schema) this.#contains(schema, value, around);
    this.#unevaluated(schema, value, around);
  }

  #first(schema: LinkedSchema, value: Code, index: number, fail: Code): void {
    if (schema === true) return;
    const writer = this.writer;
    writer.block(code`if (${value}.length > ${index})`, () => {
      const name = writer.scope.local('item');
      if (schema !== false) writer.line(code`const ${name} = ${value}[${index}];`);
      writer.schema(schema, name, { fail, kinds: ANY_KIND, evaluation: undefined });
    });
  }

  #rest(schema: LinkedSchema, value: Code, from: number, fail: Code): void {
    if (schema === true) return;
    const writer = this.writer;
    if (schema === false) {
      writer.require([atMost(code`${value}.length`, from)], fail);
      return;
    }
    // By index: over a short list, an iterator costs more than the items.
    this.#fromIndex(value, from, (index) => {
      const item = writer.scope.local('item');
      writer.line(code`const ${item} = ${value}[${index}];`);
      writer.schema(schema, item, { fail, kinds: ANY_KIND, evaluation: undefined });
    });
  }

  #fromIndex(value: Code, from: number, write: (index: Code) => void): void {
    const index = this.writer.scope.local('index');
    this.writer.block(code`for (let ${index} = ${from}; ${index} < ${value}.length; ${index} += 1)`, () =>
      write(index),
    );
  }

  #contains(schema: SchemaObject, value: Code, { fail, evaluation }: Surroundings): void {
    const writer = this.writer;
    const { scope } = writer;
    const least = typeof schema['minContains'] === 'number' ? schema['minContains'] : 1;
    const most = typeof schema['maxContains'] === 'number' ? schema['maxContains'] : undefined;
    if (least === 0 && most === undefined && evaluation === undefined) return;
    const wanted = schemaOf(schema, 'contains') ?? true;
    const found = evaluation?.variable(scope, 'found') ?? scope.local('found');
    writer.line(evaluation === undefined ? code`let ${found} = 0;` : code`${found} = new Set();`);
    this.#fromIndex(value, 0, (index) => {
      const item = scope.local('item');
      writer.line(code`const ${item} = ${value}[${index}];`);
      const fitting = fits(scope, wanted, item, ANY_KIND, 'contains');
      const note = evaluation === undefined ? code`${found} += 1;` : code`${found}.add(${index});`;
      writer.line(code`if (${fitting.holds.text}) ${note}`);
    });
    const count = evaluation === undefined ? found : code`${found}.size`;
    const bounds: Condition[] = [];
    if (least > 0) bounds.push(atLeast(count, least));
    if (most !== undefined) bounds.push(atMost(count, most));
    writer.require(bounds, fail);
    evaluation?.add({ items: { indexes: found } });
  }

  #unevaluated(schema: SchemaObject, value: Code, { fail, evaluation }: Surroundings): void {
    const inner = schemaOf(schema, 'unevaluatedItems');
    if (inner === undefined || inner === true || evaluation === undefined) return;
    const writer = this.writer;
    const { looked } = evaluation;
    // A count that is known at generation shortens the loop.
    const certain = looked.flatMap(({ given, items }) => (given.holds.text === 'true' ? [items] : []));
    if (certain.includes('all')) return;
    const from = Math.max(0, ...certain.filter((items) => typeof items === 'number'));
    this.#fromIndex(value, from, (index) => {
      const isLooked = any(
        looked.flatMap(({ given, items }) => {
          if (items === undefined || (typeof items === 'number' && items <= from)) return [];
          if (items === 'all') return [given];
          if (typeof items === 'number')
            return [all([given, condition(code`${index} < ${items}`, code`${index} >= ${items}`)])];
          return [all([given, condition(code`${items.indexes}.has(${index})`)])];
        }),
      );
      if (inner === false) {
        writer.require([isLooked], fail);
        return;
      }
      const write = (): void => {
        const item = writer.scope.local('item');
        writer.line(code`const ${item} = ${value}[${index}];`);
        writer.schema(inner, item, { fail, kinds: ANY_KIND, evaluation: undefined });
      };
      if (isLooked.holds.text === 'false') write();
      else writer.block(code`if (${isLooked.fails.text})`, write);
    });
  }
}
