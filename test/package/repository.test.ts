/** What the repository has at its top, and what it installs for its own tests. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  const folder = join(ROOT, '.github');
  const decisions = readdirSync(join(folder, 'decisions')).map((file) => `decisions/${file}`);
  const linksIn = (file: string): readonly string[] =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);

  for (const file of ['CONTRIBUTING.md', 'SECURITY.md', ...decisions]) {
    it(`${file} leads only to what is there`, () => {
      const links = linksIn(file).filter((link) => !existsSync(join(folder, dirname(file), link)));
      expect(links).to.deep.equal([]);
    });
  }

  it('name every decision, each on one page of the same parts', () => {
    expect(linksIn('CONTRIBUTING.md')).to.include.members(decisions);
    for (const file of decisions) {
      const text = readFileSync(join(folder, file), 'utf8');
      const parts = [...text.matchAll(/^##? (.+)$/gm)].map(([, title]) => title);
      expect(parts.slice(1), file).to.deep.equal(['Context', 'Decision', 'Consequences', 'Figures']);
      expect(text.length, file).to.be.below(4_000);
    }
  });
});

describe('the repository: a release', () => {
  const released = (tag: string) => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, '.ci/release.js'), tag], {
      encoding: 'utf8',
    });
    return [status, stderr] as const;
  };
  const [first] = packages;
  const version = first?.manifest.version ?? '';

  it('has the version of its tag', () => {
    expect(released(`v${version}`)).to.deep.equal([0, '']);
    const [status, message] = released('v99.0.0');
    expect(status).to.equal(1);
    expect(message).to.match(
      /^v99\.0\.0 cannot be released: @concordat\/codegen has the version \S+; [^\n]*\.\n$/,
    );
  });
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
