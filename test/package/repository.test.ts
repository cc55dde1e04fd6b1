/** What the repository has at its top, and what it installs for its own tests. */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import semver from 'semver';
import { ROOT } from '../architecture/source-tree.js';
import { lock, packages, rootManifest } from './packages.js';
import { anchorsOf } from './pages.js';

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

  const notes = ['ARCHITECTURE', 'CONTRIBUTING', 'COMPARISON', 'SECURITY', 'SIMULATION', 'ADVISORIES'];
  for (const file of [...notes.map((name) => `${name}.md`), ...decisions]) {
    it(`${file} leads only to what is there`, () => {
      const links = linksIn(file).filter((link) => !/^https?:/.test(link));
      const broken = links.filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = join(folder, dirname(file), path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
      });
      expect(broken).to.deep.equal([]);
    });
  }

  it('follow a request in at most 1,500 words', () => {
    const words = readFileSync(join(folder, 'ARCHITECTURE.md'), 'utf8').split(/\s+/);
    expect(words).to.have.length.at.most(1_500);
  });

  it('name every decision, each on one page of the same parts', () => {
    expect(linksIn('CONTRIBUTING.md')).to.include.members(decisions);
    for (const file of decisions) {
      const text = readFileSync(join(folder, file), 'utf8');
      const parts = [...text.matchAll(/^##? (.+)$/gm)].map(([, title]) => title);
      const names = ['Context', 'Decision', 'Consequences', 'Figures'];
      // Some decisions have no figures.
      expect(parts.slice(1), file).to.deep.equal(names.slice(0, Math.max(3, parts.length - 1)));
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

  it('has its version in each page and file that names it', () => {
    const { stdout } = spawnSync(
      'git',
      ['ls-files', 'README.md', 'src/*/README.md', 'src/*/guides/*', 'src/service/deploy/*'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    const named = stdout
      .trim()
      .split('\n')
      .flatMap((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8');
        const places = text.matchAll(
          /(?:Concordat |this is version |the version is |VERSION=|VERSION:-|\/concordat[:/]|service@)(\d+\.\d+\.\d+)/g,
        );
        // The guide of upgrades has the next version too.
        return file.endsWith('upgrades.md') ? [] : [...places].map(([place, each]) => [file, place, each]);
      });
    expect(named.length).to.be.above(8);
    expect(named.filter(([, , each]) => each !== version)).to.deep.equal([]);
  });

  it('is not yet on a registry: each page that installs our packages, or the README of its package, says how', () => {
    const { stdout } = spawnSync('git', ['ls-files', 'README.md', 'src/*/README.md', 'src/*/guides/*'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const silent = stdout
      .trim()
      .split('\n')
      .filter((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8');
        const readme = readFileSync(join(ROOT, file.replace(/guides\/.*/, 'README.md')), 'utf8');
        return /npm install[^\n]*concordat/.test(text) && !(text + readme).includes('npm run pack -- ');
      });
    expect(silent).to.deep.equal([]);
  });

  it('has the version of its tag', () => {
    expect(released(`v${version}`)).to.deep.equal([0, '']);
    const [status, message] = released('v99.0.0');
    expect(status).to.equal(1);
    expect(message).to.match(/^v99\.0\.0 cannot be released: concordat has the version \S+; [^\n]*\.\n$/);
  });
});

describe('the repository: its audit', () => {
  /** Runs the audit with a registry that gives an answer, and with other dependencies. */
  function audited(answer: object, packages?: Readonly<Record<string, object>>) {
    const folder = mkdtempSync(join(tmpdir(), 'audit-'));
    try {
      writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat <<'END'\n${JSON.stringify(answer)}\nEND\n`, {
        mode: 0o755,
      });
      mkdirSync(join(folder, '.github'));
      copyFileSync(join(ROOT, '.github/ADVISORIES.md'), join(folder, '.github/ADVISORIES.md'));
      if (packages === undefined)
        copyFileSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'));
      else writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      const { status, stdout } = spawnSync(process.execPath, [join(ROOT, '.ci/audit.js')], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      return { status, lines: stdout.trimEnd().split('\n') };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const refusal = { message: '405 Method Not Allowed - POST https://registry.example/bulk' };

  it('says where the registry has no advisories, and compares what is installed with the dated list', () => {
    const { status, lines } = audited(refusal);
    expect(lines.at(-1)).to.match(
      /^Advisories: the registry gives no verdict \(405 Method Not Allowed\)\. Of the \d\d that were looked at by hand on \d{4}-\d\d-\d\d, 0 affect the installed versions$/,
    );
    expect(status).to.equal(0);
  });

  it('fails for a version that the list says is affected, and names it', () => {
    const packages = {
      'node_modules/koa': { version: '3.1.1' },
      'node_modules/a/node_modules/ws': { version: '8.20.0', dev: true },
    };
    const { status, lines } = audited(refusal, packages);
    expect(lines[0]).to.equal('GHSA-7gcc-r8m5-44qm: koa 3.1.1 is affected');
    expect(lines.at(-1)).to.match(/, 1 affect the installed versions$/);
    expect(status).to.equal(1);
  });

  it('repeats what the registry says where it says something', () => {
    const report = (high: number) => ({
      auditReportVersion: 2,
      vulnerabilities: high === 0 ? {} : { koa: { name: 'koa', severity: 'high', range: '<3' } },
      metadata: { vulnerabilities: { low: 0, high, critical: 0 } },
    });
    expect(audited(report(0))).to.deep.equal({
      status: 0,
      lines: ['Advisories: npm audit found 0 low, 0 high, 0 critical'],
    });
    expect(audited(report(1))).to.deep.equal({
      status: 1,
      lines: ['high: koa <3', 'Advisories: npm audit found 0 low, 1 high, 0 critical'],
    });
  });

  it('has its verdict among the last lines of the run', () => {
    const run = readFileSync(join(ROOT, '.ci/run'), 'utf8');
    const [, end = ''] = run.split('\npassed=$(count_of passed)');
    expect(end).to.include('echo "$advisories"');
  });
});

describe('the repository: what it installs', () => {
  it('is one exact version of each package', () => {
    for (const [name, version] of Object.entries(rootManifest.devDependencies)) {
      // A second version of a package has another name.
      const [own] = version.split('@').slice(-1);
      expect(semver.valid(own), name).to.equal(own);
    }
  });

  it('is at most 700 packages, and one version of each of graphql-tools', () => {
    const unpacked = Object.entries(lock.packages)
      .filter(([place, { link }]) => place.includes('node_modules/') && !link)
      .filter(([, { os = [process.platform] }]) => os.includes(process.platform))
      .filter(([, { cpu = [process.arch] }]) => cpu.includes(process.arch))
      .map(([place]) => place);
    expect(unpacked).to.have.length.of.at.most(700);
    expect(unpacked.filter((place) => /.\/node_modules\/@graphql-tools\//.test(place))).to.be.empty;
  });

  it('runs on every Node that the packages run on', () => {
    for (const { manifest } of packages) expect(manifest.engines).to.deep.equal(rootManifest.engines);
    const oldest = rootManifest.engines.node
      .split('||')
      .map((range) => semver.minVersion(range)?.version ?? '');
    expect(oldest.map((version) => semver.major(version))).to.deep.equal([20, 22, 24]);
    // The packages take graphql 16 too, which npm installs on Node 20; here 17 is tested there as well.
    for (const { manifest } of packages) {
      const range = manifest.dependencies?.['graphql'] ?? manifest.peerDependencies?.['graphql'] ?? '16';
      expect(semver.satisfies('16.15.0', range), manifest.name).to.equal(true);
    }
    const refusals = Object.entries(lock.packages).flatMap(([name, { engines }]) =>
      (name === 'node_modules/graphql' ? [] : oldest)
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
