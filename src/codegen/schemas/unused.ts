/** Removes from a compiled check what is written and never read. */
import ts from 'typescript';

const { factory } = ts;

/** Variables that Ajv makes in case they are needed. */
const REMOVABLE = /^(?:errors|vErrors|(?:_errs|_?valid|data|len|tag|missing|evaluated)\d+)$/;

/** The statements without the variables that nobody reads, without the branches that are empty then, and with the nested ones joined. */
export function withoutUnused(statements: readonly ts.Statement[]): readonly ts.Statement[] {
  for (let current = statements; ;) {
    const kept = prunedList(current, namesRead(current));
    if (kept === current) return kept;
    current = kept;
  }
}

/** The names that statements read. */
export function namesRead(statements: readonly ts.Statement[]): ReadonlySet<string> {
  const read = new Set<string>();
  for (const statement of statements) gatherReads(statement, read);
  return read;
}

/** The names that statements declare. */
export function declaredNames(statements: readonly ts.Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  statements.forEach(visit);
  return names;
}

/** True when evaluating an expression changes nothing. */
export function isPure(expression: ts.Node): boolean {
  if (ts.isCallExpression(expression) || ts.isPostfixUnaryExpression(expression)) return false;
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return false;
  return !ts.forEachChild(expression, (child) => !isPure(child));
}

/** The variable that a statement writes, when writing it is all that the statement does. */
function writtenOnly(statement: ts.Statement): string | undefined {
  if (ts.isVariableStatement(statement)) {
    const [declaration] = statement.declarationList.declarations;
    if (declaration === undefined || !ts.isIdentifier(declaration.name)) return undefined;
    return declaration.initializer === undefined || isPure(declaration.initializer)
      ? declaration.name.text
      : undefined;
  }
  if (!ts.isExpressionStatement(statement)) return undefined;
  const target = writeTarget(statement.expression);
  if (target === undefined) return undefined;
  const isPlain = ts.isPostfixUnaryExpression(statement.expression);
  return isPlain || isPure((statement.expression as ts.BinaryExpression).right) ? target : undefined;
}

function writeTarget(expression: ts.Expression): string | undefined {
  if (ts.isPostfixUnaryExpression(expression) && ts.isIdentifier(expression.operand))
    return expression.operand.text;
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
    return undefined;
  return ts.isIdentifier(expression.left) ? expression.left.text : undefined;
}

function gatherReads(node: ts.Node, read: Set<string>): void {
  if (ts.isIdentifier(node)) read.add(node.text);
  else if (ts.isVariableDeclaration(node)) {
    if (node.initializer) gatherReads(node.initializer, read);
  } else if (ts.isExpressionStatement(node) && writeTarget(node.expression) !== undefined) {
    if (ts.isBinaryExpression(node.expression)) gatherReads(node.expression.right, read);
  } else if (ts.isPropertyAccessExpression(node)) gatherReads(node.expression, read);
  else
    ts.forEachChild(node, (child) => {
      gatherReads(child, read);
    });
}

function prunedList(statements: readonly ts.Statement[], read: ReadonlySet<string>): readonly ts.Statement[] {
  const kept = statements.flatMap((statement) => pruned(statement, read));
  const isSame =
    kept.length === statements.length && kept.every((statement, index) => statement === statements[index]);
  return isSame ? statements : kept;
}

function pruned(statement: ts.Statement, read: ReadonlySet<string>): readonly ts.Statement[] {
  const name = writtenOnly(statement);
  if (name !== undefined) return REMOVABLE.test(name) && !read.has(name) ? [] : [statement];
  if (ts.isIfStatement(statement)) {
    const yes = prunedBlock(statement.thenStatement, read);
    const no = statement.elseStatement && prunedBlock(statement.elseStatement, read);
    const otherwise = no && isEmpty(no) ? undefined : no;
    if (isEmpty(yes) && otherwise === undefined && isPure(statement.expression)) return [];
    return [joinedConditions(factory.updateIfStatement(statement, statement.expression, yes, otherwise))];
  }
  if (ts.isForStatement(statement)) {
    const body = prunedBlock(statement.statement, read);
    return [
      factory.updateForStatement(
        statement,
        statement.initializer,
        statement.condition,
        statement.incrementor,
        body,
      ),
    ];
  }
  if (ts.isForInStatement(statement)) {
    const body = prunedBlock(statement.statement, read);
    return [factory.updateForInStatement(statement, statement.initializer, statement.expression, body)];
  }
  return [statement];
}

/** `if (a) { if (b) {…} }` becomes `if (a && b) {…}`. */
function joinedConditions(statement: ts.IfStatement): ts.IfStatement {
  const { expression, thenStatement, elseStatement } = statement;
  if (elseStatement !== undefined || !ts.isBlock(thenStatement) || thenStatement.statements.length !== 1) {
    return statement;
  }
  const [inner] = thenStatement.statements;
  if (inner === undefined || !ts.isIfStatement(inner) || inner.elseStatement !== undefined) return statement;
  return factory.createIfStatement(
    factory.createLogicalAnd(expression, inner.expression),
    inner.thenStatement,
  );
}

function prunedBlock(statement: ts.Statement, read: ReadonlySet<string>): ts.Statement {
  if (!ts.isBlock(statement)) return pruned(statement, read)[0] ?? factory.createBlock([]);
  const kept = prunedList(statement.statements, read);
  return kept === statement.statements ? statement : factory.createBlock(kept, true);
}

function isEmpty(statement: ts.Statement): boolean {
  return ts.isBlock(statement) && statement.statements.length === 0;
}
