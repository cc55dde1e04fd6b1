/** The settings in `.env.example`, compared with the table in the code. */

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { readSettings, settingsTable } from '../../src/service/settings/settings.js';
import type { Setting } from '../../src/service/settings/setting.js';
import { block } from './readme-blocks.js';
import { ROOT } from '../architecture/source-tree.js';

const rows = Object.values<Setting<unknown>>(settingsTable);

describe('the settings', () => {
  it('are in .env.example, each once and empty', () => {
    const text = readFileSync(`${ROOT}.env.example`, 'utf8');
    const given = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    expect(given).to.deep.equal(rows.map(({ name }) => [name, '']));
  });

  it('keep their defaults where .env.example is loaded as it is', () => {
    const variables = parseEnv(readFileSync(`${ROOT}.env.example`, 'utf8'));
    expect(Object.keys(variables)).to.have.length(rows.length);
    expect(readSettings(variables)).to.deep.equal(readSettings({}));
  });

  it('are read from the guide about poolers and standbys', () => {
    const settingsOf = (name: Parameters<typeof block>[0]) => readSettings(parseEnv(block(name)));
    expect(settingsOf('pooler.env')).to.include({
      databasePooler: 'transaction',
      databaseDirectUrl: 'postgres://concordat:…@database:5432/concordat',
    });
    const url = 'postgres://concordat:…@one:5432,two:5432/concordat?target_session_attrs=read-write';
    expect(settingsOf('sentinel.env').events).to.include({ kind: 'redis' });
    expect(settingsOf('standby.env').database).to.deep.equal({ kind: 'postgres', url });
  });

  it('have names of their own', () => {
    const names = rows.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    for (const { name } of rows) expect(name).to.match(/^[A-Z][A-Z_]+$/);
  });
});
