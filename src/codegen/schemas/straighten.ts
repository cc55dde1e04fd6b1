/**
 * Straightens the code of a compiled check: Ajv counts failures and asks after each step whether the count has changed;
 * where every failure returns, the answer is known, and the nested questions become one flat list of steps.
 */
import ts from 'typescript';
import {
  folded,
  isCounter,
  knownValue,
  merged,
  negated,
  refined,
  truth,
  type Knowledge,
} from './known-values.js';
import { declaredNames, isPure, namesRead, withoutUnused } from './unused.js';

const { factory } = ts;

/** Statements, and what is known after them; nothing, when they always leave. */
interface Straight {
  readonly statements: readonly ts.Statement[];
  readonly after: Knowledge | undefined;
}

/**
 * The statements of a check without the questions whose answer is known and without what nobody reads.
 *
 * @param statements the body of a function that Ajv wrote; its local names are unique in the function
 * @throws when the body has a kind of statement that Ajv is not known to write
 */
export function straightened(statements: readonly ts.Statement[]): readonly ts.Statement[] {
  const straight = withoutUnused(new Straightener().list(statements, new Map()).statements);
  return [...missingDeclarations(statements, straight), ...straight];
}

/** What a schema has looked at, as Ajv names it. */
const EVALUATED = /^(?:props|items)\d+$/;

/**
 * Ajv's `var`s are declared for the whole function, also by statements that are never reached and are gone now. Ajv 8.20
 * itself forgets what it notes down about the schema's parts after one that never holds, and reads it in the end.
 */
function missingDeclarations(
  before: readonly ts.Statement[],
  after: readonly ts.Statement[],
): readonly ts.Statement[] {
  const declared = declaredNames(after);
  const read = namesRead(after);
  const meant = declaredNames(before);
  return [...read]
    .filter((name) => !declared.has(name) && (meant.has(name) || EVALUATED.test(name)))
    .map((name) =>
      factory.createVariableStatement(
        undefined,
        factory.createVariableDeclarationList([factory.createVariableDeclaration(name)], ts.NodeFlags.Let),
      ),
    );
}

class Straightener {
  #counts = 0;
  /** For each loop around the current statement, what is known where it is broken off or goes into the next round. */
  readonly #breaks: Knowledge[][] = [];

  list(statements: readonly ts.Statement[], before: Knowledge): Straight {
    const written: ts.Statement[] = [];
    let knowledge: Knowledge | undefined = before;
    for (const statement of statements) {
      const step: Straight = this.#statement(statement, knowledge);
      written.push(...step.statements);
      knowledge = step.after;
      if (knowledge === undefined) break;
    }
    return { statements: written, after: knowledge };
  }

  #statement(statement: ts.Statement, before: Knowledge): Straight {
    if (ts.isBlock(statement)) return this.list(statement.statements, before);
    if (ts.isVariableStatement(statement)) return this.#declaration(statement, before);
    if (ts.isExpressionStatement(statement)) return this.#expression(statement, before);
    if (ts.isIfStatement(statement)) return this.#if(statement, before);
    if (ts.isReturnStatement(statement)) {
      const value = statement.expression && folded(statement.expression, before);
      return { statements: [factory.updateReturnStatement(statement, value)], after: undefined };
    }
    if (ts.isBreakStatement(statement) || ts.isContinueStatement(statement)) {
      // What is known here may be all that is known after the loop. With a label, it may leave any of the loops around.
      const left = statement.label === undefined ? this.#breaks.slice(-1) : this.#breaks;
      for (const breaks of left) breaks.push(before);
      return { statements: [statement], after: undefined };
    }
    if (ts.isLabeledStatement(statement)) {
      const { statements, after } = this.#statement(statement.statement, before);
      const [loop] = statements;
      if (statements.length !== 1 || loop === undefined) throw new Error('a label without a loop');
      return { statements: [factory.updateLabeledStatement(statement, statement.label, loop)], after };
    }
    if (ts.isForStatement(statement)) {
      const { initializer, condition, incrementor } = statement;
      return this.#loop(statement.statement, before, (body) =>
        factory.updateForStatement(statement, initializer, condition, incrementor, body),
      );
    }
    if (ts.isForInStatement(statement)) {
      const { initializer, expression } = statement;
      return this.#loop(statement.statement, before, (body) =>
        factory.updateForInStatement(statement, initializer, expression, body),
      );
    }
    if (ts.isForOfStatement(statement)) {
      const { initializer, expression, awaitModifier } = statement;
      return this.#loop(statement.statement, before, (body) =>
        factory.updateForOfStatement(statement, awaitModifier, initializer, expression, body),
      );
    }
    throw new Error(`Ajv wrote a ${ts.SyntaxKind[statement.kind]}, which is not known here`);
  }

  #declaration(statement: ts.VariableStatement, before: Knowledge): Straight {
    const [declaration] = statement.declarationList.declarations;
    if (
      declaration === undefined ||
      !ts.isIdentifier(declaration.name) ||
      statement.declarationList.declarations.length > 1
    ) {
      throw new Error('Ajv wrote a declaration that is not known here');
    }
    const { name, initializer } = declaration;
    if (initializer === undefined) return { statements: [statement], after: before };
    const { value, after } = this.#assigned(name.text, initializer, before);
    const updated = factory.updateVariableDeclaration(declaration, name, undefined, undefined, value);
    const list = factory.updateVariableDeclarationList(statement.declarationList, [updated]);
    return { statements: [factory.updateVariableStatement(statement, undefined, list)], after };
  }

  #expression(statement: ts.ExpressionStatement, before: Knowledge): Straight {
    const { expression } = statement;
    if (ts.isPostfixUnaryExpression(expression) && ts.isIdentifier(expression.operand)) {
      return {
        statements: [statement],
        after: new Map(before).set(expression.operand.text, this.#newCount()),
      };
    }
    if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) {
      return { statements: [statement], after: before };
    }
    const { left, right, operatorToken } = expression;
    // A recursive check hands its own errors on to itself.
    if (isSameMember(left, right)) return { statements: [], after: before };
    const name = ts.isIdentifier(left) ? left.text : '';
    const { value, after } = this.#assigned(name, right, before);
    const updated = factory.updateBinaryExpression(expression, left, operatorToken, value);
    return { statements: [factory.updateExpressionStatement(statement, updated)], after };
  }

  #assigned(
    name: string,
    expression: ts.Expression,
    before: Knowledge,
  ): { value: ts.Expression; after: Knowledge } {
    const after = new Map(before);
    const value = folded(expression, before);
    // Taking down a count that is not known makes it one that can be compared with later.
    if (ts.isIdentifier(value) && value.text === 'errors' && !after.has('errors'))
      after.set('errors', this.#newCount());
    const known = knownValue(value, after);
    if (isCounter(name) && known !== undefined) after.set(name, known);
    else after.delete(name);
    return { value, after };
  }

  #if(statement: ts.IfStatement, before: Knowledge): Straight {
    const otherwise = statement.elseStatement ?? factory.createBlock([]);
    const decided = truth(statement.expression, before);
    if (decided !== undefined) return this.#statement(decided ? statement.thenStatement : otherwise, before);
    const condition = folded(statement.expression, before);
    const yes = this.#statement(statement.thenStatement, refined(condition, true, before));
    const no = this.#statement(otherwise, refined(condition, false, before));
    return { statements: branches(condition, yes, no), after: merged([yes.after, no.after]) };
  }

  #loop(body: ts.Statement, before: Knowledge, write: (body: ts.Block) => ts.Statement): Straight {
    // What is known at the start of every round: less each time, until a round leaves it as it was.
    for (let start = before; ;) {
      const breaks: Knowledge[] = [];
      this.#breaks.push(breaks);
      const round = this.#statement(body, start);
      this.#breaks.pop();
      const again: Knowledge = merged([start, round.after, ...breaks]) ?? start;
      if (again.size === start.size) {
        const statements = [write(factory.createBlock(round.statements, true))];
        return { statements, after: start };
      }
      start = again;
    }
  }

  #newCount(): number {
    this.#counts += 1;
    return this.#counts;
  }
}

/** True for `check.errors` twice. */
function isSameMember(left: ts.Expression, right: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(left) || !ts.isPropertyAccessExpression(right)) return false;
  const [from, to] = [right.expression, left.expression];
  return (
    ts.isIdentifier(from) &&
    ts.isIdentifier(to) &&
    from.text === to.text &&
    left.name.text === right.name.text
  );
}

/** The shortest way to write two branches: one that leaves comes first, and the other follows it. */
function branches(condition: ts.Expression, yes: Straight, no: Straight): readonly ts.Statement[] {
  const when = (test: ts.Expression, { statements }: Straight): ts.Statement =>
    factory.createIfStatement(test, factory.createBlock(statements, true));
  if (yes.after === undefined) return [when(condition, yes), ...no.statements];
  if (no.after === undefined) return [when(negated(condition), no), ...yes.statements];
  if (no.statements.length === 0)
    return yes.statements.length === 0 && isPure(condition) ? [] : [when(condition, yes)];
  if (yes.statements.length === 0) return [when(negated(condition), no)];
  const [only] = no.statements;
  const otherwise =
    no.statements.length === 1 && only !== undefined && ts.isIfStatement(only)
      ? only
      : factory.createBlock(no.statements, true);
  return [factory.createIfStatement(condition, factory.createBlock(yes.statements, true), otherwise)];
}
