/** Finds exports that no other file imports, of files that are no entry points of packages. */

import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceTree } from './import-problems.js';

/** All names of a file, or all of its types. */
const ALL = '*';
const ALL_TYPES = 'type *';

interface Names {
  /** By name, whether it is a type alone. */
  readonly exported: ReadonlyMap<string, boolean>;
  /** What it takes from other files. */
  readonly taken: readonly (readonly [specifier: string, name: string])[];
}

/**
 * @param tree - the files that may use each other
 * @param entries - the files whose exports are for other packages
 * @returns `file: name` for each export that its own file uses at most
 */
export function unusedExports(tree: SourceTree, entries: ReadonlySet<string>): readonly string[] {
  const files = [...tree].map(([file, text]) => ({ file, ...namesOf(file, text) }));
  const used = new Set<string>();
  for (const { file, taken } of files) {
    for (const [specifier, name] of taken) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
      used.add(`${target}: ${name}`);
    }
  }
  return files.flatMap(({ file, exported }) => {
    if (entries.has(file) || used.has(`${file}: ${ALL}`)) return [];
    const areTypesUsed = used.has(`${file}: ${ALL_TYPES}`);
    return [...exported]
      .map(([name, isType]) => ({ place: `${file}: ${name}`, isType }))
      .filter(({ place, isType }) => !used.has(place) && !(isType && areTypesUsed))
      .map(({ place }) => place);
  });
}

function namesOf(file: string, text: string): Names {
  const exported = new Map<string, boolean>();
  const taken: [string, string][] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  for (const statement of source.statements) {
    if (isExported(statement)) {
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      for (const name of declaredBy(statement)) exported.set(name, isType);
    }
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, isTypeOnly } = statement;
      if (exportClause && ts.isNamedExports(exportClause))
        for (const each of exportClause.elements) exported.set(each.name.text, isTypeOnly || each.isTypeOnly);
    }
    taken.push(...takenBy(statement));
  }
  // Most files have none, and the walk through all of their nodes takes most of the time.
  if (text.includes('import(')) visit(source);
  return { exported, taken };

  function visit(node: ts.Node): void {
    const loaded = loadedBy(node);
    if (loaded && ts.isStringLiteralLike(loaded)) taken.push([loaded.text, ALL]);
    ts.forEachChild(node, visit);
  }
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundBy(name));
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

function boundBy(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundBy(element.name) : []));
}

function takenBy(statement: ts.Statement): readonly [string, string][] {
  const isExport = ts.isExportDeclaration(statement);
  if (!isExport && !ts.isImportDeclaration(statement)) return [];
  const { moduleSpecifier } = statement;
  if (moduleSpecifier === undefined || !ts.isStringLiteralLike(moduleSpecifier)) return [];
  const clause = isExport ? statement.exportClause : statement.importClause?.namedBindings;
  if (clause === undefined || !(ts.isNamedExports(clause) || ts.isNamedImports(clause)))
    return [[moduleSpecifier.text, isExport && statement.isTypeOnly ? ALL_TYPES : ALL]];
  return clause.elements.map(({ name, propertyName }) => [moduleSpecifier.text, (propertyName ?? name).text]);
}

/** The module of `import('…')`, as an expression or a type. */
function loadedBy(node: ts.Node): ts.Node | undefined {
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  const isLoading = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isLoading ? node.arguments[0] : undefined;
}
