/** What the package says of itself, held against what it is. */

import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import semver from 'semver';
import { packageOf } from '../architecture/import-problems.js';
import { readImports } from '../architecture/read-imports.js';
import { ROOT, readTree } from '../architecture/source-tree.js';
import { lock, manifest } from './manifest.js';
import { packedFiles } from './packed-files.js';

describe('package: exports', () => {
  it('names every subpath, without wildcards', () => {
    expect(manifest.exports).to.include.keys('./codegen', './contract', './engine', './koa');
    expect(JSON.stringify(manifest.exports)).not.to.include('*');
  });

  it('has every adapter', () => {
    const files = readdirSync(`${ROOT}src/adapters`)
      .flatMap((kind) => readdirSync(`${ROOT}src/adapters/${kind}`).map((file) => `${kind}/${file}`))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => file.replace(/\.ts$/, ''));
    // The parts of an adapter stand in a directory of its name, or beside it, as `koa-layer` beside `koa`.
    const adapters = files.filter((file) => !files.some((other) => file.startsWith(`${other}-`)));
    const exported = Object.values(manifest.exports).flatMap((target) => {
      const file = typeof target === 'string' ? undefined : /\/adapters\/(.*)\.js$/.exec(target.default)?.[1];
      return file === undefined ? [] : [file];
    });
    expect(exported.sort()).to.deep.equal(adapters.sort());
  });

  for (const [subpath, target] of Object.entries(manifest.exports)) {
    it(`${subpath} leads to files that the build has written`, () => {
      const files = typeof target === 'string' ? [target] : [target.types, target.default];
      for (const file of files) expect(existsSync(ROOT + file), file).to.equal(true);
      if (typeof target === 'string') return;
      expect(Object.keys(target)).to.deep.equal(['types', 'default']);
      expect(basename(target.types, '.d.ts')).to.equal(basename(target.default, '.js'));
    });
  }
});

describe('package: what is shipped', () => {
  it('is the compiled source, the contracts and the papers, and nothing else', function () {
    this.timeout(30_000);
    const built = [...readTree('src', 'generated').keys()].flatMap((file) =>
      /\.(js|d\.ts)$/.test(file) ? [`dist/${file}`] : compiled(file),
    );
    const papers = ['LICENSE', 'README.md', 'openapi.yaml', 'package.json', 'schema.graphql'];
    const expected = [...papers, ...built];
    const packed = packedFiles();
    // Wrong after a change to the source? `npm run build` writes dist/ anew.
    expect({
      missing: expected.filter((file) => !packed.includes(file)),
      extra: packed.filter((file) => !expected.includes(file)),
    }).to.deep.equal({ missing: [], extra: [] });
  });

  function compiled(file: string): readonly string[] {
    const stem = `dist/${file.replace(/\.ts$/, '')}`;
    return [`${stem}.d.ts`, `${stem}.js`];
  }
});

describe('package: the top level of the repository', () => {
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

  it('has what the house lists, and dot files', () => {
    const found = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !IGNORED.test(name));
    expect(found.sort()).to.deep.equal(MAY_STAND);
  });
});

describe('package: what it needs', () => {
  const imported = new Set(
    [...readTree('src')].flatMap(([file, text]) =>
      readImports(file, text)
        .map(({ specifier }) => packageOf(specifier))
        .filter((name) => !name.startsWith('.') && name !== 'node:'),
    ),
  );
  const runtime = { ...manifest.dependencies, ...manifest.peerDependencies };

  it('is declared: every package that the source imports', () => {
    expect(imported).to.include('koa');
    expect([...imported].filter((name) => !(name in runtime))).to.deep.equal([]);
  });

  it('is optional where it is a peer', () => {
    const { peerDependencies, peerDependenciesMeta } = manifest;
    const optional = Object.keys(peerDependenciesMeta).filter((name) => peerDependenciesMeta[name]?.optional);
    expect(optional.sort()).to.deep.equal(Object.keys(peerDependencies).sort());
  });

  it('is tested with one exact version, which is one that consumers may have', () => {
    for (const [name, version] of Object.entries(manifest.devDependencies)) {
      expect(semver.valid(version), name).to.equal(version);
      const range = manifest.peerDependencies[name];
      if (range !== undefined) expect(semver.satisfies(version, range), `${name} ${range}`).to.equal(true);
    }
    expect(manifest.devDependencies).to.include.all.keys(Object.keys(manifest.peerDependencies));
  });

  it('runs on every Node that the package runs on', () => {
    const oldest = manifest.engines.node.split('||').map((range) => semver.minVersion(range)?.version ?? '');
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
      .filter(([place, { hasInstallScript }]) => place !== '' && hasInstallScript)
      .map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect([...new Set(scripted)].sort()).to.deep.equal(Object.keys(manifest.allowScripts).sort());
  });
});
