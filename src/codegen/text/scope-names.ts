/** Finds the names that generated types mention, so that no name of a contract hides one of them. */

import ts from 'typescript';

/** Every name that a syntax tree declares or refers to, as often as it does: not the names of properties and parameters. */
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

/** Whether a name belongs to something other than the scope. */
function isMember(name: ts.Identifier, parent: ts.Node): boolean {
  if (ts.isQualifiedName(parent)) return parent.right === name;
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
