/** Conditions of generated code, each with the text of its negation. */

/** An expression, and the operator that decides whether it needs parentheses. */
interface Expression {
  readonly text: string;
  readonly operator: 'none' | '&&' | '||';
}

/** A condition and its negation as texts, so that the code never says `!(a !== b)`. */
export interface Condition {
  readonly holds: Expression;
  readonly fails: Expression;
}

export type Conditions = readonly Condition[];

/** A condition from its two texts, neither of which contains `&&` or `||` outside of parentheses. */
export function condition(holds: string, fails = `!${holds}`): Condition {
  return { holds: { text: holds, operator: 'none' }, fails: { text: fails, operator: 'none' } };
}

export const ALWAYS = condition('true', 'false');
export const NEVER = condition('false', 'true');

export function not({ holds, fails }: Condition): Condition {
  return { holds: fails, fails: holds };
}

export function all(conditions: Conditions): Condition {
  if (conditions.some(({ holds }) => holds.text === 'false')) return NEVER;
  const relevant = conditions.filter(({ holds }) => holds.text !== 'true');
  const [only] = relevant;
  if (only === undefined) return ALWAYS;
  if (relevant.length === 1) return only;
  return {
    holds: joined(
      relevant.map(({ holds }) => holds),
      '&&',
    ),
    fails: joined(
      relevant.map(({ fails }) => fails),
      '||',
    ),
  };
}

export function any(conditions: Conditions): Condition {
  return not(all(conditions.map(not)));
}

/** True when exactly one condition holds. */
export function exactlyOne(conditions: Conditions): Condition {
  const [first, second] = conditions;
  if (first === undefined) return NEVER;
  if (second === undefined) return first;
  const texts = conditions.map(({ holds }) => (holds.operator === 'none' ? holds.text : `(${holds.text})`));
  // `a !== b`: an operand that is a comparison itself needs parentheses.
  const operands = texts.map((text) => (/^[\w.]+(?:\([^()]*\))?$|^\(/.test(text) ? text : `(${text})`));
  if (conditions.length === 2) return condition(operands.join(' !== '), operands.join(' === '));
  const count = conditions.map(({ holds }) => `Number(${holds.text})`).join(' + ');
  return condition(`${count} === 1`, `${count} !== 1`);
}

function joined(parts: readonly Expression[], operator: '&&' | '||'): Expression {
  const text = parts
    .map((part) => (part.operator === 'none' || part.operator === operator ? part.text : `(${part.text})`))
    .join(` ${operator} `);
  return { text, operator };
}
