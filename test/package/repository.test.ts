/** What the repository has at its top, and what it installs for its own tests. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import semver from 'semver';
import { ROOT } from '../architecture/source-tree.js';
import { lock, packages, rootManifest } from './packages.js';

describe('the repository: its top level', () => {
  const MAY_STAND = [
    'LICENSE',
    'README.md',
    'codegen.ts',
    'generated',
    'openapi.yaml',
    'package-lock.json',
    'package.json',
    'schema.graphql',
    'src',
    'test',
    'tsconfig.json',
  ];
  /** What `.gitignore` leaves to each machine. */
  const IGNORED = /^(node_modules|dist|data|coverage|.*\.tgz)$/;

  it('has what the README lists, and dot files', () => {
    const found = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !IGNORED.test(name));
    expect(found.sort()).to.deep.equal(MAY_STAND);
  });
});

describe('the repository: its notes for contributors', () => {
  for (const file of ['CONTRIBUTING.md', 'SECURITY.md']) {
    it(`${file} leads only to what is there`, () => {
      const folder = join(ROOT, '.github');
      const text = readFileSync(join(folder, file), 'utf8');
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
      expect(links.filter((link) => !existsSync(join(folder, link)))).to.deep.equal([]);
    });
  }
});

describe('the repository: what it installs', () => {
  it('is one exact version of each package', () => {
    for (const [name, version] of Object.entries(rootManifest.devDependencies)) {
      expect(semver.valid(version), name).to.equal(version);
    }
  });

  it('runs on every Node that the packages run on', () => {
    for (const { manifest } of packages) expect(manifest.engines).to.deep.equal(rootManifest.engines);
    const oldest = rootManifest.engines.node
      .split('||')
      .map((range) => semver.minVersion(range)?.version ?? '');
    expect(oldest.map((version) => semver.major(version))).to.deep.equal([20, 22, 24]);
    const refusals = Object.entries(lock.packages).flatMap(([name, { engines }]) =>
      oldest
        .filter((version) => !semver.satisfies(version, engines?.node ?? '*'))
        .map((version) => `${name} does not run on Node ${version}`),
    );
    expect(refusals).to.deep.equal([]);
  });

  it('runs scripts at installation only where package.json says so', () => {
    const scripted = Object.entries(lock.packages)
      .filter(([place, { hasInstallScript }]) => place.includes('node_modules/') && hasInstallScript)
      .map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect([...new Set(scripted)].sort()).to.deep.equal(Object.keys(rootManifest.allowScripts).sort());
  });
});
