/** The public face of the core has everything that authors of adapters and callers of services need. */
import { expect } from 'chai';
import ts from 'typescript';
import { readTree } from '../architecture/source-tree.js';

const FACE = 'src/core/index.ts';
const tree = readTree('src/core');

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, tree.get(file) ?? '', ts.ScriptTarget.Latest);
}

/** The names that a module declares for others: types, and classes. */
function declaredTypes(file: string): readonly string[] {
  return parse(file).statements.flatMap((statement) => {
    const isType =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement);
    const isExported =
      isType && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isType && isExported === true && statement.name !== undefined ? [statement.name.text] : [];
  });
}

/** What the face exports of each module. */
const exported = new Map(
  parse(FACE).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) return [];
    if (!ts.isNamedExports(statement.exportClause)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const path = moduleSpecifier.text.replace(/^\.\//, 'src/core/').replace(/\.js$/, '.ts');
    return [[path, statement.exportClause.elements.map(({ name }) => name.text)] as const];
  }),
);

/** The input and answers of the services, but not what they are made of. */
const services = [
  'authentication',
  'caller',
  'comments',
  'external-sign-in',
  'order-items',
  'orders',
  'policy',
  'posts',
  'products',
  'services',
  'sessions',
  'users',
  'version',
  'whole-list',
].map((name) => `src/core/services/${name}.ts`);

describe('the public face of the core', () => {
  const modules = [...tree.keys()].filter((file) => /^src\/core\/(?:model|ports)\//.test(file));

  for (const file of [...modules, ...services]) {
    const types = declaredTypes(file).filter((name) => !name.endsWith('Service'));
    if (types.length === 0) continue;

    it(`has ${types.join(', ')} of ${file}`, () => {
      expect(exported.get(file)).to.include.members([...types]);
    });
  }

  it('has the functions that a store of one’s own must go by', () => {
    expect(exported.get('src/core/model/user.ts')).to.include.members(['emailKey', 'endsSessions']);
    expect(exported.get('src/core/model/id.ts')).to.include.members(['parseId', 'compareIds']);
    expect(exported.get('src/core/model/timestamp.ts')).to.include.members(['nextTimestamp', 'latestOf']);
  });
});
