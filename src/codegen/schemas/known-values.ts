/** What is known at one point of a compiled check about the variables in which Ajv counts failures. */
import ts from 'typescript';

/**
 * A number stands for a count of failures that is not known but always the same, 0 for none; `some` for a list that is
 * not null. No entry: nothing is known.
 */
export type Known = number | boolean | null | 'some';
export type Knowledge = ReadonlyMap<string, Known>;

const { factory } = ts;
const COUNTERS = /^(?:errors|vErrors|_errs\d+|_?valid\d+)$/;

/** True for the variables that knowledge is about. */
export function isCounter(name: string): boolean {
  return COUNTERS.test(name);
}

/** What an expression is certain to be. */
export function knownValue(expression: ts.Expression, knowledge: Knowledge): Known | undefined {
  if (ts.isIdentifier(expression)) return knowledge.get(expression.text);
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (expression.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isNumericLiteral(expression) && expression.text === '0') return 0;
  if (ts.isArrayLiteralExpression(expression)) return 'some';
  return undefined;
}

/** The expression with what is known about it put in. */
export function folded(expression: ts.Expression, knowledge: Knowledge): ts.Expression {
  if (ts.isIdentifier(expression)) return literal(knowledge.get(expression.text)) ?? expression;
  if (ts.isPrefixUnaryExpression(expression) && expression.operator === ts.SyntaxKind.ExclamationToken) {
    return negated(folded(expression.operand, knowledge));
  }
  if (ts.isConditionalExpression(expression)) {
    const test = truth(expression.condition, knowledge);
    if (test === undefined) return expression;
    return folded(test ? expression.whenTrue : expression.whenFalse, knowledge);
  }
  if (!ts.isBinaryExpression(expression)) return expression;
  const { left, right, operatorToken } = expression;
  const operator = operatorToken.kind;
  if (
    operator === ts.SyntaxKind.EqualsEqualsEqualsToken ||
    operator === ts.SyntaxKind.ExclamationEqualsEqualsToken
  ) {
    const same = equality(knownValue(left, knowledge), knownValue(right, knowledge));
    return same === undefined
      ? expression
      : bool(same === (operator === ts.SyntaxKind.EqualsEqualsEqualsToken));
  }
  if (operator === ts.SyntaxKind.BarBarToken || operator === ts.SyntaxKind.AmpersandAmpersandToken) {
    const first = folded(left, knowledge);
    const decided = asTruth(knownValue(first, knowledge));
    if (decided !== undefined) {
      return decided === (operator === ts.SyntaxKind.BarBarToken) ? bool(decided) : folded(right, knowledge);
    }
    return factory.updateBinaryExpression(expression, first, operatorToken, folded(right, knowledge));
  }
  return expression;
}

/** Whether a condition is certain to hold or to fail. */
export function truth(condition: ts.Expression, knowledge: Knowledge): boolean | undefined {
  return asTruth(knownValue(folded(condition, knowledge), knowledge));
}

function asTruth(value: Known | undefined): boolean | undefined {
  if (value === 'some') return true;
  if (value === null || value === 0) return false;
  return typeof value === 'boolean' ? value : undefined;
}

/** What is known once a condition has been found to hold, or to fail. */
export function refined(condition: ts.Expression, holds: boolean, knowledge: Knowledge): Knowledge {
  if (ts.isIdentifier(condition) && /valid\d+$/.test(condition.text))
    return new Map(knowledge).set(condition.text, holds);
  if (ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken) {
    return refined(condition.operand, !holds, knowledge);
  }
  if (!ts.isBinaryExpression(condition) || !ts.isIdentifier(condition.left)) return knowledge;
  const isEquality = condition.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
  if (condition.left.text !== 'vErrors' || knownValue(condition.right, knowledge) !== null) return knowledge;
  return new Map(knowledge).set('vErrors', isEquality === holds ? null : 'some');
}

/** What is known whichever way was taken; a way that was left is undefined. */
export function merged(ways: readonly (Knowledge | undefined)[]): Knowledge | undefined {
  const [first, ...others] = ways.filter((way) => way !== undefined);
  if (first === undefined || others.length === 0) return first;
  return new Map([...first].filter(([name, value]) => others.every((other) => other.get(name) === value)));
}

/** The opposite of a condition. */
export function negated(condition: ts.Expression): ts.Expression {
  if (condition.kind === ts.SyntaxKind.TrueKeyword) return factory.createFalse();
  if (condition.kind === ts.SyntaxKind.FalseKeyword) return factory.createTrue();
  if (ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken) {
    return condition.operand;
  }
  if (ts.isBinaryExpression(condition)) {
    const opposite = OPPOSITES.get(condition.operatorToken.kind);
    if (opposite !== undefined)
      return factory.createBinaryExpression(condition.left, opposite, condition.right);
  }
  return factory.createLogicalNot(condition);
}

const OPPOSITES = new Map<ts.SyntaxKind, ts.BinaryOperator>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsEqualsToken],
]);

function equality(a: Known | undefined, b: Known | undefined): boolean | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a === b) return a === 'some' ? undefined : true;
  return a === null || b === null || typeof a === 'boolean' ? false : undefined;
}

function literal(value: Known | undefined): ts.Expression | undefined {
  if (value === null) return factory.createNull();
  return typeof value === 'boolean' ? bool(value) : undefined;
}

function bool(value: boolean): ts.Expression {
  return value ? factory.createTrue() : factory.createFalse();
}
