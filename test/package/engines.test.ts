/** What an installation of the packages brings runs on each Node that they promise; `npm` resolves it without this repository's `overrides`. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import semver from 'semver';
import { HOSTS, type Host, mergeManifest, packagesOf } from '../../src/codegen/init/manifest.js';
import { ownPackage, packages, rootManifest } from './packages.js';

const run = promisify(execFile);

/** Its range leaves a choice, of which npm takes what the Node that it runs on allows; `.ci/run` tests both. */
const CHOICE = { name: 'graphql', oldest: '16.15.0' };

type Lock = Readonly<
  Record<'packages', Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>>
>;

/** The dependencies of a package and of those of this repository that it depends on, with what a user installs from elsewhere. */
function foreignDependencies(
  dependencies: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return Object.assign(
    {},
    ...Object.entries(dependencies).map(([name, range]) => {
      const own = ownPackage(name);
      return own === undefined ? { [name]: range } : foreignDependencies(own.manifest.dependencies);
    }),
  ) as Readonly<Record<string, string>>;
}

/** What `init` lists in an empty folder, for both contracts with subscriptions. */
function dependenciesOfProject(host: Host): Readonly<Record<string, string>> {
  const needs = packagesOf(host, { rest: true, graphql: true, subscriptions: true });
  const made = JSON.parse(
    mergeManifest(undefined, 'a', { ...needs, version: String(packages[0]?.manifest.version) }) ?? '{}',
  ) as Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>;
  return { ...made.dependencies, ...made.devDependencies };
}

describe('the Node of an installation', function () {
  // npm asks the registry, or its cache, for each package.
  this.timeout(300_000);
  let place = '';
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'concordat-engines-'));
  });
  after(() => rm(place, { recursive: true }));

  const promised = rootManifest.engines.node
    .split('||')
    .map((range) => semver.minVersion(range)?.version ?? '');

  const installed = [
    ...packages.map(({ manifest }) => [manifest.name, manifest.dependencies] as const),
    ...HOSTS.map((host) => [`a project of init on ${host}`, dependenciesOfProject(host)] as const),
  ];
  for (const [name, listed] of installed) {
    it(`may be each of ${promised.join(', ')} for ${name}, with engine-strict`, async () => {
      const dependencies = foreignDependencies(listed);
      await writeFile(
        join(place, 'package.json'),
        JSON.stringify({ name: 'a', version: '1.0.0', dependencies }),
      );
      await rm(join(place, 'package-lock.json'), { force: true });
      const options = [
        '--package-lock-only',
        '--prefer-offline',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
      ];
      await run('npm', ['install', ...options], { cwd: place });
      const lock = JSON.parse(await readFile(join(place, 'package-lock.json'), 'utf8')) as Lock;
      const range = dependencies[CHOICE.name];
      if (range !== undefined) expect(semver.satisfies(CHOICE.oldest, range), range).to.equal(true);
      Reflect.deleteProperty(lock.packages, `node_modules/${CHOICE.name}`);
      const refused = Object.entries(lock.packages).flatMap(([name, { engines }]) =>
        promised
          .filter((version) => !semver.satisfies(version, engines?.node ?? '*'))
          .map((version) => `${name} does not run on Node ${version}`),
      );
      expect(refused).to.deep.equal([]);
    });
  }
});
