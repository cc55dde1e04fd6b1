/** Writes the schemas of the items of a list. */
import type { ApplicatorTo } from '@concordat/runtime/parts';
import { compared } from './assertion-conditions.js';
import { ALWAYS, condition, type Condition } from './condition.js';
import { type Code, code } from '../../text/code.js';
import {
  ANY_KIND,
  type Evaluation,
  isLooked,
  ofPart,
  type StatementWriter,
  type Surroundings,
} from './surroundings.js';
import { schemaList, schemaOf, type LinkedSchema, type SchemaObject } from './linked-schema.js';
import { fits } from './value-conditions.js';

/** Writes statements. @param value an expression that is known to be a list */
type Step = (writer: StatementWriter, schema: SchemaObject, value: Code, around: Surroundings) => void;

const writeFirst: Step = (writer, schema, value, { fail, evaluation }) => {
  const prefix = schemaList(schema, 'prefixItems');
  for (const [index, each] of prefix.entries()) {
    if (each === true) continue;
    writer.block(code`if (${value}.length > ${index})`, () => {
      const name = writer.scope.local('item');
      if (each !== false) writer.line(code`const ${name} = ${value}[${index}];`);
      writer.schema(each, name, ofPart(fail));
    });
  }
  if (prefix.length > 0) evaluation?.add({ items: prefix.length });
};

const writeRest: Step = (writer, schema, value, { fail, evaluation }) => {
  const items = schemaOf(schema, 'items');
  if (items === undefined) return;
  const from = schemaList(schema, 'prefixItems').length;
  if (items === false) writer.require([compared(code`${value}.length`, '<=', from)], fail);
  else if (items !== true)
    writeEach(writer, value, from, (index) => writeItem(writer, items, value, index, fail));
  evaluation?.add({ items: 'all' });
};

/** By index: over a short list, an iterator costs more than the items. */
export function writeEach(
  writer: StatementWriter,
  value: Code,
  from: number,
  write: (index: Code) => void,
): void {
  const index = writer.scope.local('index');
  writer.block(code`for (let ${index} = ${from}; ${index} < ${value}.length; ${index} += 1)`, () =>
    write(index),
  );
}

function readItem(writer: StatementWriter, value: Code, index: Code): Code {
  const item = writer.scope.local('item');
  writer.line(code`const ${item} = ${value}[${index}];`);
  return item;
}

function writeItem(
  writer: StatementWriter,
  schema: LinkedSchema,
  value: Code,
  index: Code,
  fail: Code,
): void {
  writer.schema(schema, readItem(writer, value, index), ofPart(fail));
}

const writeContains: Step = (writer, schema, value, { fail, evaluation }) => {
  const wanted = schemaOf(schema, 'contains');
  if (wanted === undefined) return;
  const { scope } = writer;
  const { minContains: least = 1, maxContains: most } = schema as Readonly<
    Record<string, number | undefined>
  >;
  if (least === 0 && most === undefined && evaluation === undefined) return;
  const found = evaluation?.variable(scope, 'found') ?? scope.local('found');
  writer.line(evaluation === undefined ? code`let ${found} = 0;` : code`${found} = new Set();`);
  writeEach(writer, value, 0, (index) => {
    const fitting = fits(scope, wanted, readItem(writer, value, index), ANY_KIND, 'contains');
    const note = evaluation === undefined ? code`${found} += 1;` : code`${found}.add(${index});`;
    writer.line(code`if (${fitting.holds.text}) ${note}`);
  });
  const count = evaluation === undefined ? found : code`${found}.size`;
  const enough = least > 0 ? [compared(count, '>=', least)] : [];
  writer.require(most === undefined ? enough : [...enough, compared(count, '<=', most)], fail);
  evaluation?.add({ items: { indexes: found } });
};

const writeUnevaluated: Step = (writer, schema, value, { fail, evaluation }) => {
  const inner = schemaOf(schema, 'unevaluatedItems');
  if (inner === undefined || inner === true || evaluation === undefined) return;
  const { looked } = evaluation;
  // A count that is known at generation shortens the loop.
  const certain = looked.flatMap(({ given, items }) => (given.holds.text === 'true' ? [items] : []));
  if (certain.includes('all')) return;
  const from = Math.max(0, ...certain.filter((items) => typeof items === 'number'));
  writeEach(writer, value, from, (index) => {
    const isEvaluated = isLookedItem(evaluation, index, from);
    const write = (): void => writeItem(writer, inner, value, index, fail);
    if (inner === false) writer.require([isEvaluated], fail);
    else if (isEvaluated.holds.text === 'false') write();
    else writer.block(code`if (${isEvaluated.fails.text})`, write);
  });
};

/** The condition that an item was evaluated. @param from - the least index that it may have */
export function isLookedItem({ looked }: Evaluation, index: Code, from = 0): Condition {
  return isLooked(looked, index, ({ items }) => {
    if (items === undefined || (typeof items === 'number' && items <= from)) return undefined;
    if (items === 'all') return ALWAYS;
    return typeof items === 'number'
      ? compared(index, '<', items)
      : condition(code`${items.indexes}.has(${index})`);
  });
}

/** In the order in which they are written. */
const STEPS: Readonly<Record<ApplicatorTo<'items'>, Step>> = {
  prefixItems: writeFirst,
  items: writeRest,
  contains: writeContains,
  unevaluatedItems: writeUnevaluated,
};

export const writeItems: Step = (...about) => {
  for (const step of Object.values(STEPS)) step(...about);
};
