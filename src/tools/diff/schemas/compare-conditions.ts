/** Finds the differences of conditional keywords, whose schemas apply if a value fits another schema or has a property. */

import { flattened, propertyParts } from '../../values/inner-parts.js';
import { type Part, isAlways, partIn } from '../../values/parts.js';
import type { Schema } from 'concordat/contract';
import {
  type Candidates,
  type Compare,
  type Difference,
  type Effect,
  effectBetween,
  isEmpty,
  keywordChange,
  mapOf,
  paired,
  placeOf,
  schemaAt,
  schemaIn,
  sourceOf,
  type ValueMaker,
} from './difference.js';
import type { WrittenKeyword, SchemaView } from './schema-view.js';

/** An `if` with its `then` and `else`. */
interface Condition {
  readonly keyword: WrittenKeyword;
  readonly if: Part;
  readonly then?: Part;
  readonly else?: Part;
}

function conditionsOf(view: SchemaView): readonly Condition[] {
  return view.keywords('if').flatMap((keyword): readonly Condition[] => {
    const branch = (name: 'then' | 'else'): Partial<Condition> => {
      const schema = schemaIn(keyword.part, name) as Schema | undefined;
      return schema === undefined || isAlways(schema) ? {} : { [name]: partIn(keyword.part, schema, name) };
    };
    const branches = { ...branch('then'), ...branch('else') };
    if (isEmpty(branches)) return [];
    return [{ keyword, if: schemaAt(keyword, 'if'), ...branches }];
  });
}

export const compareIf: Compare = function* (at, descend) {
  const effectOf = (one: Condition, other: Condition, name: 'if' | 'then' | 'else') =>
    effectBetween(at, descend, [one[name], other[name]]);
  const isSame = (one: Condition, other: Condition): boolean =>
    (['if', 'then', 'else'] as const).every((name) => effectOf(one, other, name).effect === 'ignored');
  const { pairs, removed, added } = paired(conditionsOf(at.old), conditionsOf(at.new), isSame);
  for (const pair of pairs) {
    const [before, after] = pair;
    const values = (make: ValueMaker): Candidates => pair.flatMap((each) => [...conditionValues(make, each)]);
    if (effectOf(before, after, 'if').effect !== 'ignored') {
      const change = keywordChange(at, 'if', before.keyword, after.keyword);
      yield { ...change, effect: 'changed', doubt: 'conditional', values };
      continue;
    }
    for (const name of ['then', 'else'] as const) {
      const { effect, doubt } = effectOf(before, after, name);
      if (effect === 'ignored') continue;
      const change = keywordChange(at, name, placeOf(before[name]), placeOf(after[name]));
      yield { ...change, effect, doubt, values };
    }
  }
  const lone = (condition: Condition, effect: Effect): Difference => {
    const [before, after] = effect === 'wider' ? [condition.keyword] : [undefined, condition.keyword];
    const doubt = sourceOf(at, effect).listed && 'implied';
    const change = keywordChange(at, 'if', before, after);
    return { ...change, effect, doubt, values: (make) => conditionValues(make, condition) };
  };
  for (const each of removed) yield lone(each, 'wider');
  for (const each of added) yield lone(each, 'narrower');
};

/** Values at the edges of the schemas, to find one that fits `if` but not `then`, or neither `if` nor `else`. */
function* conditionValues(make: ValueMaker, { if: condition, then, else: otherwise }: Condition): Candidates {
  const list = (part: Part | undefined): readonly Part[] => (part === undefined ? [] : [part]);
  // Values that `then` and `else` forbid with `not` are tried too.
  const refused = [then, otherwise].flatMap((part) =>
    typeof part?.schema === 'object' && part.schema['not'] !== undefined
      ? [partIn(part, part.schema['not'] as Schema, 'not')]
      : [],
  );
  yield make.own();
  yield make.own([condition]);
  const [fitting, broken] = [list(then), refused].map((parts) => [condition, ...parts]);
  for (const parts of [[condition], fitting, list(otherwise), refused, broken]) yield* make.variants(parts);
}

export const compareDependentRequired: Compare = function* (at) {
  const pairsOf = (view: SchemaView) =>
    new Map(
      [...view.keywords('dependentRequired'), ...view.keywords('dependencies')].flatMap((keyword) =>
        Object.entries(keyword.value as Readonly<Record<string, unknown>>).flatMap(([name, all]) =>
          (Array.isArray(all) ? (all as readonly string[]) : []).map(
            (needed) => [JSON.stringify([name, needed]), [name, needed, keyword]] as const,
          ),
        ),
      ),
    );
  const [before, after] = [pairsOf(at.old), pairsOf(at.new)];
  const change = (
    [name, needed, keyword]: readonly [string, string, WrittenKeyword],
    effect: 'narrower' | 'wider',
  ): Difference => {
    const [was, is] = effect === 'wider' ? [keyword] : [undefined, keyword];
    return {
      ...keywordChange(at, 'dependentRequired', was, is),
      text: `: ${needed} is ${effect === 'wider' ? 'no longer ' : ''}required beside ${name}`,
      effect,
      values: (make) => [
        make.own({ type: 'object', required: [name] }, { [needed]: undefined }),
        ...['text', 1, true].map((value) =>
          make.own({ type: 'object' }, { [name]: value, [needed]: undefined }),
        ),
      ],
    };
  };
  /** Whether the needed property is always present, or the property that needs it is never allowed. */
  const isImplied = (view: SchemaView, name: string, needed: string): boolean =>
    name === needed ||
    view.required.has(needed) ||
    propertyParts(flattened(view.members), name) === undefined;
  for (const [key, pair] of after)
    if (!before.has(key) && !isImplied(at.old, pair[0], pair[1])) yield change(pair, 'narrower');
  for (const [key, pair] of before)
    if (!after.has(key) && !isImplied(at.new, pair[0], pair[1])) yield change(pair, 'wider');
};

export const compareDependentSchemas: Compare = function* (at, descend) {
  const [before = new Map<string, Part>(), after = new Map<string, Part>()] = [at.old, at.new].map(
    (view) => new Map([...mapOf(view, 'dependencies'), ...mapOf(view, 'dependentSchemas')]),
  );
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, next] = [before.get(name), after.get(name)];
    const { effect, doubt } = effectBetween(at, descend, [old, next]);
    if (effect === 'ignored') continue;
    yield {
      ...keywordChange(at, 'dependentSchemas', placeOf(old), placeOf(next)),
      effect,
      doubt,
      *values(make) {
        const present = { schema: { type: 'object', required: [name] }, at: '#' };
        for (const part of [old, next]) if (part !== undefined) yield* make.variants([present, part]);
      },
    };
  }
};
