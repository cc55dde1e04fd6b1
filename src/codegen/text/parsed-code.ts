/** Parses generated TypeScript, to find the names that it mentions and to check the types that other generators print, and edits it. */

import ts from 'typescript';
import type { Code } from './code.js';

/** Every name that a syntax tree declares or refers to, with repetitions, except the names of properties and parameters. */
export function scopeNames(root: ts.Node): readonly string[] {
  const names: string[] = [];
  const visit = (node: ts.Node, parent?: ts.Node): void => {
    if (ts.isIdentifier(node) && !(parent && isMember(node, parent))) names.push(node.text);
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(root);
  return names;
}

/** The names that a module mentions outside of comments and strings. */
export function mentionedIn(text: Code): ReadonlySet<string> {
  return new Set(scopeNames(parsed(text)));
}

/** Comments are not parsed, because that takes as long as the rest. */
function parsed(text: string): Parsed {
  const options = {
    languageVersion: ts.ScriptTarget.ESNext,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  return ts.createSourceFile('generated.ts', text, options) as Parsed;
}

/** Whether a name belongs to something other than the scope. */
function isMember(name: ts.Identifier, parent: ts.Node): boolean {
  if (ts.isQualifiedName(parent)) return parent.right === name;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === name;
  if (ts.isImportTypeNode(parent)) return parent.qualifier === name;
  if (ts.isImportSpecifier(parent)) return parent.propertyName === name;
  const isNamed =
    ts.isPropertySignature(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isEnumMember(parent) ||
    ts.isParameter(parent);
  return isNamed && parent.name === name;
}

/**
 * Returns the text as source text.
 *
 * @throws if it does not parse, or does more than declare types, enums and constants of plain data: a text of the contract has
 *   ended its comment or its string
 */
export function printedTypes(text: string): Code {
  const file = parsed(text);
  const [broken] = file.parseDiagnostics;
  if (broken !== undefined)
    throw unsafe(file, broken.start, ts.flattenDiagnosticMessageText(broken.messageText, ' '));
  // The generators print their imports before all texts of the contract.
  const imports = file.statements.findIndex((statement) => !ts.isImportDeclaration(statement));
  const others = imports === -1 ? [] : file.statements.slice(imports);
  const running = others.find((statement) => !isInert(statement));
  if (running !== undefined) throw unsafe(file, running.getStart(file), 'this is no declaration of a type');
  return text as Code;
}

/** The compiler does not declare `parseDiagnostics`, and no public function parses a single text and reports its errors. */
type Parsed = ts.SourceFile & { readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[] };

/** Types, enums, and constants of plain data. */
function isInert(statement: ts.Statement): boolean {
  if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) return true;
  if (ts.isExportDeclaration(statement)) return statement.moduleSpecifier === undefined;
  if (ts.isEnumDeclaration(statement))
    return statement.members.every(({ initializer }) => initializer === undefined || isData(initializer));
  if (!ts.isVariableStatement(statement)) return false;
  const { declarations } = statement.declarationList;
  return declarations.every(({ initializer }) => initializer === undefined || isData(initializer));
}

function isData(node: ts.Expression): boolean {
  if (ts.isAsExpression(node)) return isData(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  if (!ts.isObjectLiteralExpression(node)) return ts.isStringLiteral(node) || ts.isNumericLiteral(node);
  return node.properties.every((each) => ts.isPropertyAssignment(each) && isData(each.initializer));
}

function unsafe(file: ts.SourceFile, start: number, reason: string): Error {
  const { line } = file.getLineAndCharacterOfPosition(start);
  const text = file.text.split('\n')[line]?.trim() ?? '';
  return new Error(`a text of the contract breaks the generated types: ${reason}: ${text}`);
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param edits - in any order; they do not overlap */
export function edited(text: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: part } of inOrder) {
    parts.push(text.slice(at, start), part);
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}
