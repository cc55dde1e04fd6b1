/** Holds the SQLite storage against the conformance suite, and against what only it promises. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStorage } from '../../../src/adapters/storage/sqlite.js';
import { storageChecks } from '../../../src/conformance/storage.js';

describe('sqliteStorage', () => {
  let directory = '';
  let files = 0;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'concordat-sqlite-'))));
  after(() => {
    rmSync(directory, { recursive: true });
  });
  const newPath = () => join(directory, `${++files}.db`);

  for (const check of storageChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () =>
      check.run(() => sqliteStorage({ path: newPath() })));
  }
});
