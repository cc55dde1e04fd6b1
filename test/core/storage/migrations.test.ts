/** Each column that the stores know has its migration, and no migration makes a column that they do not know. */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { openDatabase } from '../../../src/core/storage/sqlite/connection.js';
import { ROOT } from '../../architecture/source-tree.js';
import { strictOptions } from '../../codegen/strict-compiler.js';

const SCHEMA = join(ROOT, 'src/core/storage/sql/query/schema.ts');

/** The columns of each table, as the type `Tables` has them. */
function knownColumns(): Readonly<Record<string, readonly string[]>> {
  const program = ts.createProgram([SCHEMA], strictOptions());
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(SCHEMA);
  const tables = source?.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === 'Tables',
  );
  if (tables === undefined) throw new Error('schema.ts has no Tables');
  return Object.fromEntries(
    checker
      .getTypeAtLocation(tables)
      .getProperties()
      .map((table) => {
        const columns = checker.getTypeOfSymbolAtLocation(table, tables).getProperties();
        return [table.name, columns.map(({ name }) => name).sort()];
      }),
  );
}

describe('the migrations', function () {
  this.timeout(60_000);
  let directory = '';
  before(() => (directory = mkdtempSync(join(tmpdir(), 'concordat-migrations-'))));
  after(() => {
    rmSync(directory, { recursive: true });
  });

  it('make the tables and columns that the types of the query builder have, and no others', async () => {
    const database = await openDatabase(join(directory, 'new.db'));
    const namesOf = (query: string) =>
      (database.execute(query) as readonly { readonly name: string }[]).map(({ name }) => name);
    const tables = namesOf("select name from sqlite_master where type = 'table'").filter(
      (name) => !/^(?:sqlite|concordat)_/.test(name),
    );
    const made = tables.map((table) => [table, namesOf(`pragma table_info(${table})`).sort()]);
    database.close();
    expect(Object.fromEntries(made)).to.deep.equal(knownColumns());
  });
});
