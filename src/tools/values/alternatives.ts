/** Chooses among the alternatives of schemas. */

import { KEYWORD_VALUES } from './keyword-values.js';
import { type Part, type PlainPart, isNever, listedValues, members, remembered, typesOf } from './parts.js';

/** The keywords whose second alternative has more: it fits the condition, so that its consequence applies. */
const CONDITIONAL: ReadonlySet<string> = new Set(['if', 'dependentSchemas', 'dependentRequired']);

/** The alternatives that are chosen: all, those of `oneOf` and `anyOf` only, or all and values that fit conditions first. */
export type Choice = 'all' | 'alternations' | 'full';

/** The parts with each alternative of the first keyword that has alternatives; undefined if no keyword has any. */
export function choicesOf(
  plain: readonly PlainPart[],
  choice: Choice = 'all',
): readonly (readonly Part[])[] | undefined {
  for (const [at, part] of plain.entries()) {
    for (const [keyword, value] of Object.entries(part.schema)) {
      const way = rowOf(keyword).alternatives;
      const isChosen = choice !== 'alternations' || keyword === 'oneOf' || keyword === 'anyOf';
      if (way === undefined || value === undefined || !isChosen) continue;
      const own = Object.entries(part.schema).filter(([other]) => other !== keyword);
      const others = plain.toSpliced(
        at,
        1,
        ...(own.length === 0 ? [] : [{ ...part, schema: Object.fromEntries(own) }]),
      );
      const all = way(part, value);
      const isReversed = choice === 'full' && CONDITIONAL.has(keyword);
      return (isReversed ? all.toReversed() : all).map((chosen) => [...others, ...chosen]);
    }
  }
  return undefined;
}

function rowOf(keyword: string): (typeof KEYWORD_VALUES)[keyof typeof KEYWORD_VALUES] {
  return Object.hasOwn(KEYWORD_VALUES, keyword) ? KEYWORD_VALUES[keyword as keyof typeof KEYWORD_VALUES] : {};
}

/** Whether values that are made for parts without alternatives may not fit them. */
export function isTried({ schema }: PlainPart): boolean {
  return Object.keys(schema).some((keyword) => rowOf(keyword).isTried === true);
}

/** The maximum number of choices that are tried for one value, because nested alternatives multiply. */
const MOST_CHOICES = 1000;

/**
 * The parts with one alternative in place of each keyword that has some: every choice in turn. A choice whose types or listed values
 * contradict each other is left out.
 */
export function allChoices(parts: readonly Part[], choice: Choice): Generator<readonly PlainPart[]> {
  return choices(parts, choice, isContradiction, { left: MOST_CHOICES });
}

/** The first choice among the alternatives of `oneOf` and `anyOf` without a contradiction, or else the first choice. */
export function flattened(parts: readonly Part[]): readonly PlainPart[] {
  return remembered(parts, `flat ${parts.map(({ at }) => at).join(' ')}`, () => firstChoice(parts));
}

function firstChoice(parts: readonly Part[]): readonly PlainPart[] {
  for (const isLeftOut of [isContradiction, () => false])
    for (const choice of choices(parts, 'alternations', isLeftOut, { left: MOST_CHOICES })) return choice;
  return [];
}

function* choices(
  parts: readonly Part[],
  choice: Choice,
  isLeftOut: (plain: readonly PlainPart[]) => boolean,
  budget: { left: number },
): Generator<readonly PlainPart[]> {
  budget.left -= 1;
  const plain = members(parts);
  if (budget.left < 0 || isLeftOut(plain)) return;
  const found = choicesOf(plain, choice);
  if (found === undefined) yield plain;
  else for (const each of found) yield* choices(each, choice, isLeftOut, budget);
}

/** Whether no value can fit the types and the listed values of all parts. */
function isContradiction(plain: readonly PlainPart[]): boolean {
  return (
    plain.some(({ schema }) => isNever(schema)) ||
    typesOf(plain)?.length === 0 ||
    listedValues(plain)?.length === 0
  );
}
