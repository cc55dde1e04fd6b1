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

/** What the face exports of each module, by name or with all that it has. */
const exported = new Map<string, readonly string[]>();
for (const statement of parse(FACE).statements) {
  if (!ts.isExportDeclaration(statement)) continue;
  const { exportClause, moduleSpecifier } = statement;
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue;
  const path = moduleSpecifier.text.replace(/^\.\//, 'src/core/').replace(/\.js$/, '.ts');
  const names =
    exportClause !== undefined && ts.isNamedExports(exportClause)
      ? exportClause.elements.map(({ name }) => name.text)
      : declaredTypes(path);
  exported.set(path, [...(exported.get(path) ?? []), ...names]);
}

/** The input and answers of the services, but not what they are made of. */
const services = [
  'reads/lists',
  'orders/comments',
  'orders/order-items',
  'orders/orders',
  'posts/posts',
  'products/products',
  'rights/caller',
  'rights/policy',
  'services',
  'sign-in/authentication',
  'sign-in/external-sign-in',
  'sign-in/sessions',
  'users/users',
].map((name) => `src/core/services/${name}.ts`);

describe('the public face of the core', () => {
  const modules = [...tree.keys()].filter((file) => /^src\/core\/(?:model|ports)\//.test(file));

  it('is compared with modules that there are', () => {
    expect(services.filter((file) => !tree.has(file))).to.deep.equal([]);
  });

  for (const file of [...modules, ...services]) {
    const types = declaredTypes(file).filter((name) => !name.endsWith('Service'));
    if (types.length === 0) continue;

    it(`has ${types.join(', ')} of ${file}`, () => {
      expect(exported.get(file)).to.include.members([...types]);
    });
  }

  it('has the functions that a store of one’s own must go by', () => {
    expect(exported.get('src/core/model/user.ts')).to.include.members(['emailKey', 'revokesTokens']);
    expect(exported.get('src/core/model/id.ts')).to.include.members(['parseId', 'compareIds']);
    expect(exported.get('src/core/model/timestamp.ts')).to.include.members(['nextTimestamp', 'latestOf']);
  });
});
