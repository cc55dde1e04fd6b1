/** A restore that is killed at any step leaves the store or the copy in place, and names a damaged copy by its own name. */

import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { compileService, serviceProgram } from '../support/compiled-service.js';
import { run, useDirectory } from './run.js';

/** Ends the process before the step of the given number. */
const KILLER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
let steps = Number(process.env.KILL_BEFORE);
for (const name of ['renameSync', 'rmSync', 'linkSync', 'copyFileSync', 'chmodSync']) {
  const step = fs[name];
  fs[name] = (...given) => (steps-- === 0 ? process.kill(process.pid, 'SIGKILL') : step(...given));
}
syncBuiltinESMExports();
`;

describe('restore', () => {
  const at = useDirectory();
  let program = '';
  before(async () => (program = await compileService()));
  after(() => {
    rmSync(program, { recursive: true });
  });

  /** Runs a command in a process of its own: in this one, SQLite would keep a closed store open until the next garbage collection. */
  function runApart(name: string, parameters: readonly string[], env = {}, flags: readonly string[] = []) {
    const DATABASE_URL = `sqlite:${at(name)}`;
    const given = [...flags, serviceProgram(program), ...parameters];
    return spawnSync(process.execPath, given, { env: { DATABASE_URL, ...env }, encoding: 'utf8' });
  }

  it('leaves one of the two stores when it is killed', () => {
    writeFileSync(at('killer.mjs'), KILLER);
    for (const name of ['copy', 'store']) {
      const now = '2026-01-01T00:00:00.000000Z';
      const details = { name, email: `${name}@example.com`, role: 'user', status: 'active' };
      const row = { ...details, createdAt: now, updatedAt: now };
      writeFileSync(at(`${name}.jsonl`), JSON.stringify({ table: 'users', row }));
      const file = name === 'store' ? 'service.db' : 'copy.db';
      expect(runApart(file, ['import', 'store', at(`${name}.jsonl`)]).status).to.equal(0);
    }
    const seen = new Set<unknown>();
    let isDone = false;
    for (let step = 0; !isDone && step < 50; step += 1) {
      const env = { KILL_BEFORE: String(step) };
      const ended = runApart('service.db', ['restore', at('copy.db')], env, ['--import', at('killer.mjs')]);
      isDone = ended.signal === null;
      expect(existsSync(at('service.db')), `killed before step ${String(step)}`).to.equal(true);
      seen.add(/(?:copy|store)(?=@)/.exec(runApart('service.db', ['export', 'users']).stdout)?.[0]);
    }
    expect(isDone).to.equal(true);
    expect([...seen]).to.deep.equal(['store', 'copy']);
  });

  it('names a damaged copy by its own name', async () => {
    writeFileSync(at('garbage.dbx'), 'no database');
    const { exitCode, stderr } = await run(['restore', at('garbage.dbx'), '--json'], {
      DATABASE_URL: `sqlite:${at('service.db')}`,
    });
    expect(exitCode).to.equal(1);
    expect((JSON.parse(stderr) as { error: string }).error).to.match(/garbage\.dbx is not a whole database/);
    expect(stderr).to.not.include('.part');
  });
});
