/** The choice of SQLite: that of Node, or the package's, or a sentence that says what to install. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { transformSync } from 'esbuild';

const DRIVER = new URL('../../../src/core/storage/sqlite/driver.ts', import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasOwn = major > 22 || (major === 22 && minor >= 16);

describe('the driver of SQLite', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'concordat-driver-'));
    const { code } = transformSync(readFileSync(DRIVER, 'utf8'), { loader: 'ts', format: 'esm' });
    writeFileSync(join(folder, 'driver.mjs'), code);
    writeFileSync(
      join(folder, 'use.mjs'),
      `import { DatabaseSync } from './driver.mjs';
process.on('warning', ({ name }) => console.log(name));
process.emitWarning('later');
console.log(new DatabaseSync(':memory:').prepare('select 1 as one').get().one);`,
    );
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it(`without the package is ${hasOwn ? 'that of Node, which prints no warning of its own' : 'asked for in one sentence'}`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-deprecation', 'use.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (hasOwn) {
      expect([status, stdout]).to.deep.equal([0, '1\nWarning\n']);
      expect(stderr).to.not.include('SQLite');
    } else {
      expect(status).to.equal(1);
      expect(stderr).to.include(
        'has no SQLite that suffices, and the optional package @photostructure/sqlite is not installed: npm install @photostructure/sqlite, or use Node 24',
      );
    }
  });
});
