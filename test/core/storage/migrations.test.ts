/** Each column that the stores know has its migration, and no migration makes a column that they do not know. */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { migrations } from '../../../src/core/storage/sql/migrations/migrations.js';
import { requireMigrations } from '../../../src/core/storage/sql/migrations/migrate.js';
import { connect, openDatabase } from '../../../src/core/storage/sqlite/connection.js';
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

describe('the migrations', () => {
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

  it('only expand, each of them: what is there stays, and a new column of an older table needs no value', async () => {
    const connection = await connect(join(directory, 'expanding.db'));
    type Column = { readonly name: string; readonly notnull: number; readonly dflt_value: unknown };
    const columns = () => {
      const tables = connection.execute(`select name from sqlite_master where type = 'table'`);
      return new Map(
        (tables as readonly { readonly name: string }[]).map(({ name }) => {
          const found = connection.execute(`pragma table_info(${name})`) as readonly Column[];
          return [name, new Map(found.map((column) => [column.name, JSON.stringify(column)]))];
        }),
      );
    };
    let before = columns();
    for (const [name, migrate] of Object.entries(migrations)) {
      for (const statement of migrate('sqlite')) connection.execute(statement);
      if (name.includes('>=')) continue; // it names the versions that it excludes
      const after = columns();
      for (const [table, known] of before) {
        for (const [column, text] of known)
          expect(after.get(table)?.get(column), `${name} ${column}`).to.equal(text);
        for (const [column, text] of after.get(table) ?? []) {
          const { notnull, dflt_value } = JSON.parse(text) as Column;
          if (!known.has(column))
            expect(notnull === 0 || dflt_value !== null, `${name} ${column}`).to.equal(true);
        }
      }
      before = after;
    }
    connection.close();
  });

  it('compare the minimum of a later version with the version of the package', async () => {
    const text = await readFile(join(ROOT, 'src/core/package.json'), 'utf8');
    const { version } = JSON.parse(text) as { readonly version: string };
    const refusalOf = (name: string): string | undefined => {
      const checking = requireMigrations('');
      // It asks whether there is a table of migrations, and then for those that have run.
      for (const answer of [[], [{}]]) checking.next(answer);
      const ran = [...Object.keys(migrations), name].map((each) => ({ name: each }));
      try {
        checking.next(ran);
      } catch (error) {
        return String(error);
      }
      return undefined;
    };
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    const named = (...parts: readonly number[]) => refusalOf(`0099_later>=${parts.join('.')}`);
    expect(named(major, minor, patch)).to.equal(undefined);
    expect(named(major, minor - 1, patch + 1)).to.equal(undefined);
    expect(named(major, minor, patch + 1)).to.include('0099_later');
    expect(named(major, minor + 10, 0)).to.include('0099_later');
    expect(named(major + 1, 0, 0)).to.include('0099_later');
    expect(refusalOf('0099_later')).to.equal(undefined);
  });
});
