/** Reads the imports of a source file, in every form that TypeScript has. */

import ts from 'typescript';

export interface Import {
  /** As it is written: `./page.js`, `koa`. */
  readonly specifier: string;
  /** Whether nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

/** By the text of the file: several checks read the whole source. */
const known = new Map<string, readonly Import[]>();

/** The imports of a file: declarations, re-exports, `import()`, `require()` and `import('…')` types. */
export function readImports(file: string, text: string): readonly Import[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  const found: Import[] = [];
  known.set(text, found);
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;

  function visit(node: ts.Node): void {
    const reference = referenceOf(node);
    if (reference !== undefined) found.push(reference);
    ts.forEachChild(node, visit);
  }
}

function referenceOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node))
    return reference(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
  if (ts.isExportDeclaration(node)) return reference(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return reference(node.moduleReference.expression, node.isTypeOnly);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return reference(node.argument.literal, true);
  }
  if (ts.isCallExpression(node) && isLoading(node.expression)) return reference(node.arguments[0], false);
  return undefined;
}

function isLoading(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
  );
}

/** A module that is chosen at run time has no name to read. */
function reference(specifier: ts.Node | undefined, typeOnly = false): Import | undefined {
  return specifier !== undefined && ts.isStringLiteralLike(specifier)
    ? { specifier: specifier.text, typeOnly }
    : undefined;
}
