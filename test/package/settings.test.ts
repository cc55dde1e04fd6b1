/** The settings in the service's README and in `.env.example`, compared with the table in the code. */

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { readSettings, settingsTable } from '../../src/service/settings/settings.js';
import type { Setting } from '../../src/service/settings/setting.js';
import { ROOT } from '../architecture/source-tree.js';

const rows = Object.values<Setting<unknown>>(settingsTable);

/** The rows of the README's settings table, split into cells. */
function readmeRows(): readonly (readonly string[])[] {
  const lines = readFileSync(`${ROOT}src/service/README.md`, 'utf8').split('\n');
  const head = lines.findIndex((line) => /^\| Setting +\| Default/.test(line));
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
  return lines.slice(head + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the settings', () => {
  it('are in the README with their names, defaults and meanings', () => {
    expect(readmeRows()).to.deep.equal(
      rows.map(({ name, byDefault, meaning }) => [`\`${name}\``, byDefault, meaning]),
    );
  });

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

  it('have names of their own', () => {
    const names = rows.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    for (const { name } of rows) expect(name).to.match(/^[A-Z][A-Z_]+$/);
  });
});
