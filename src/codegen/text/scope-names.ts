/** Finds the names that generated code mentions: it must import them, and no name of the contract may hide them. */

import ts from 'typescript';
import type { Code } from './code.js';

/** Every name that a syntax tree declares or refers to, with repetitions, except the names of properties and parameters. */
export function scopeNames(root: ts.Node): readonly string[] {
  const names: string[] = [];
  const visit = (node: ts.Node, parent?: ts.Node): void => {
    if (ts.isIdentifier(node) && !(parent && isMember(node, parent))) names.push(node.text);
    ts.forEachChild(node, (child) => {
      visit(child, node);
    });
  };
  visit(root);
  return names;
}

/** The names that a module mentions outside of comments and strings. */
export function mentionedIn(text: Code): ReadonlySet<string> {
  return new Set(scopeNames(ts.createSourceFile('module.ts', text, ts.ScriptTarget.ESNext, true)));
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
