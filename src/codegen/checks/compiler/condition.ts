/** Conditions of generated code, each with the text of its negation. */

import { type Code, code, joined } from '../../text/code.js';

/** An expression, and the operator that decides whether it needs parentheses. */
interface Expression {
  readonly text: Code;
  readonly operator: 'none' | '&&' | '||';
}

/** A condition and its negation as texts, so that generated code never contains `!(a !== b)`. */
export interface Condition {
  readonly holds: Expression;
  readonly fails: Expression;
}

export type Conditions = readonly Condition[];

/** A condition from its two texts, neither of which contains `&&` or `||` outside of parentheses. */
export function condition(holds: Code, fails = code`!${holds}`): Condition {
  return { holds: { text: holds, operator: 'none' }, fails: { text: fails, operator: 'none' } };
}

export const ALWAYS = condition(code`true`, code`false`);
export const NEVER = condition(code`false`, code`true`);

export function not({ holds, fails }: Condition): Condition {
  return { holds: fails, fails: holds };
}

export function all(conditions: Conditions): Condition {
  if (conditions.some(({ holds }) => holds.text === 'false')) return NEVER;
  const relevant = conditions.filter(({ holds }) => holds.text !== 'true');
  const [only] = relevant;
  if (only === undefined) return ALWAYS;
  if (relevant.length === 1) return only;
  const [holds, fails] = [relevant.map((each) => each.holds), relevant.map((each) => each.fails)];
  return { holds: chain(holds, '&&'), fails: chain(fails, '||') };
}

export function any(conditions: Conditions): Condition {
  return not(all(conditions.map(not)));
}

/** True when exactly one condition holds. */
export function exactlyOne(conditions: Conditions): Condition {
  const [first, second] = conditions;
  if (first === undefined) return NEVER;
  if (second === undefined) return first;
  const texts = conditions.map(({ holds }) =>
    holds.operator === 'none' ? holds.text : code`(${holds.text})`,
  );
  // `a !== b`: an operand that is a comparison itself needs parentheses.
  const operands = texts.map((text) => (/^[\w.]+(?:\([^()]*\))?$|^\(/.test(text) ? text : code`(${text})`));
  if (conditions.length === 2) return condition(joined(operands, code` !== `), joined(operands, code` === `));
  const numbers = conditions.map(({ holds }) => code`Number(${holds.text})`);
  const count = joined(numbers, code` + `);
  return condition(code`${count} === 1`, code`${count} !== 1`);
}

function chain(parts: readonly Expression[], operator: '&&' | '||'): Expression {
  const texts = parts.map((part) =>
    part.operator === 'none' || part.operator === operator ? part.text : code`(${part.text})`,
  );
  return { text: joined(texts, operator === '&&' ? code` && ` : code` || `), operator };
}
