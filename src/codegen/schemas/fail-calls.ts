/** Writes the end of a failed check as one call instead of an assignment and a return. */
import ts from 'typescript';

const { factory } = ts;
const MEMBERS = ['instancePath', 'keyword', 'params', 'message'];

/**
 * `f.errors = [{…}]; return false;` becomes `return fail(f, place, keyword, params, message);`.
 *
 * @param onCall called when a call was written, which needs the helper `fail`
 */
export function withFailCalls(
  statements: readonly ts.Statement[],
  onCall: () => void,
): readonly ts.Statement[] {
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, undefined);
    return ts.isBlock(visited) ? factory.updateBlock(visited, joined(visited.statements)) : visited;
  };
  const joined = (list: readonly ts.Statement[]): readonly ts.Statement[] => {
    const last = list.at(-1);
    const before = list.at(-2);
    if (last === undefined || before === undefined || !isReturnFalse(last)) return list;
    const call = failCall(before);
    if (call === undefined) return list;
    onCall();
    return [...list.slice(0, -2), factory.createReturnStatement(call)];
  };
  return joined(statements.map((statement) => visit(statement) as ts.Statement));
}

function isReturnFalse(statement: ts.Statement): boolean {
  return ts.isReturnStatement(statement) && statement.expression?.kind === ts.SyntaxKind.FalseKeyword;
}

function failCall(statement: ts.Statement): ts.Expression | undefined {
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return undefined;
  const { left, right } = statement.expression;
  if (!ts.isPropertyAccessExpression(left) || !ts.isArrayLiteralExpression(right)) return undefined;
  const [error] = right.elements;
  if (error === undefined || !ts.isObjectLiteralExpression(error)) return undefined;
  const values = error.properties.map(memberValue);
  const names = error.properties.map((property) =>
    property.name && ts.isIdentifier(property.name) ? property.name.text : '',
  );
  if (names.join() !== MEMBERS.join() || !values.every((value) => value !== undefined)) return undefined;
  return factory.createCallExpression(factory.createIdentifier('fail'), undefined, [
    left.expression,
    ...values,
  ]);
}

function memberValue(property: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isShorthandPropertyAssignment(property)) return factory.createIdentifier(property.name.text);
  return ts.isPropertyAssignment(property) ? property.initializer : undefined;
}
