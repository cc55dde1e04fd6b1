/** The house style of a source file, as far as a linter does not know it. */

import { basename } from 'node:path';
import ts from 'typescript';

const MAX_LINES = 300;

/**
 * What is wrong with a file, a sentence each.
 *
 * @param isEntryPoint whether packages export the file itself: it may do nothing but pass on what others have
 */
export function styleProblems(file: string, text: string, isEntryPoint = false): readonly string[] {
  const name = basename(file).replace(/\.[jt]s$/, '');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const lines = linesOf(text);
  const problems = [
    lines > MAX_LINES && `has ${String(lines)} lines`,
    !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && 'has a name that is not in kebab-case',
    name === 'utils' && 'has a name that says nothing',
    !opensWithSentence(text) && 'does not open with a sentence that says what it is for',
    !isEntryPoint && onlyPassesOn(source) && 'is a barrel',
    ...source.statements.map((statement) => statementProblem(statement, isEntryPoint)),
  ];
  return problems.filter((problem) => typeof problem === 'string').map((problem) => `${file} ${problem}`);
}

export function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** The comment at the top; a program may say first what runs it. */
function opensWithSentence(text: string): boolean {
  const comment = /^(?:#!.*\n)?\/\*\*(.+?)\*\//s.exec(text)?.[1];
  return comment !== undefined && /^[\s*]+[A-Z`].*\.\s*$/s.test(comment);
}

/** Whether a file has nothing of its own. */
function onlyPassesOn(source: ts.SourceFile): boolean {
  return source.statements.every(
    (each) => ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined,
  );
}

function statementProblem(statement: ts.Statement, isEntryPoint: boolean): string | undefined {
  if (ts.isExportAssignment(statement) || hasDefault(statement)) return 'has a default export';
  if (ts.isExportDeclaration(statement) && passesOnValuesUnnamed(statement) && !isEntryPoint) {
    return 'exports another file without naming what';
  }
  if (ts.isInterfaceDeclaration(statement) && /^I[A-Z][a-z]/.test(statement.name.text)) {
    return `marks the interface ${statement.name.text} with an I`;
  }
  return undefined;
}

function passesOnValuesUnnamed({ exportClause, isTypeOnly }: ts.ExportDeclaration): boolean {
  return exportClause === undefined && !isTypeOnly;
}

function hasDefault(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false;
}
