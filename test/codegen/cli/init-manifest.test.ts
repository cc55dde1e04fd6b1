/** The `package.json` of a new project, and what becomes of one that is there. */

import { expect } from 'chai';
import fc from 'fast-check';
import { HOSTS, mergeManifest, packagesOf } from '../../../src/codegen/init/manifest.js';
import { rootManifest } from '../../package/packages.js';

const NEEDS = {
  version: '0.3.0',
  dependencies: ['koa'],
  devDependencies: ['@types/koa'],
};

const merged = (manifest: object): Record<string, unknown> =>
  JSON.parse(mergeManifest(JSON.stringify(manifest), 'shop', NEEDS) ?? JSON.stringify(manifest)) as Record<
    string,
    unknown
  >;

describe('concordat init: package.json', () => {
  it('has its own version for packages of this repository', () => {
    const made = JSON.parse(mergeManifest(undefined, 'shop', NEEDS) ?? '') as Record<string, unknown>;
    expect(made).to.include({ name: 'shop', private: true, type: 'module' });
    expect(made['dependencies']).to.deep.equal({
      '@concordat/runtime': '^0.3.0',
      koa: `^${rootManifest.devDependencies['koa']}`,
    });
    expect(made['devDependencies']).to.include({ concordat: '^0.3.0', '@concordat/tools': '^0.3.0' });
  });

  it('keeps everything that it has', () => {
    const anything = fc.dictionary(
      fc.constantFrom('name', 'version', 'scripts', 'dependencies', 'devDependencies', 'exports', 'x'),
      fc.oneof(fc.string(), fc.dictionary(fc.constantFrom('start', 'dev', 'koa', 'tsx', 'y'), fc.string())),
    );
    fc.assert(
      fc.property(anything, (manifest) => {
        const result = merged(manifest);
        for (const [key, value] of Object.entries(manifest)) {
          if (typeof value === 'object') expect(result[key]).to.deep.include(value);
          else if (!['scripts', 'dependencies', 'devDependencies'].includes(key)) {
            expect(result[key]).to.equal(value);
          }
        }
        expect(mergeManifest(JSON.stringify(result), 'shop', NEEDS)).to.equal(undefined);
      }),
    );
  });

  it('keeps versions and indentation, and lists nothing twice', () => {
    const text = '{\n\t"devDependencies": { "koa": "2" },\n\t"scripts": { "test": "mocha" }\n}\n';
    const result = mergeManifest(text, 'shop', NEEDS) ?? '';
    expect(result).to.match(/^\{\n\t"dev/);
    const { dependencies, scripts } = JSON.parse(result) as Record<string, Record<string, string>>;
    expect(dependencies).to.deep.equal({ '@concordat/runtime': '^0.3.0' });
    expect(scripts).to.include({ test: 'mocha' });
  });

  it('replaces the failing test that npm writes', () => {
    const test = 'echo "Error: no test specified" && exit 1';
    expect(merged({ scripts: { test } })['scripts']).to.deep.include({
      test: 'node --import tsx --test test/*.test.ts',
    });
  });

  for (const [text, message] of [
    ['[]', /is not a JSON object/],
    ['{', /is not JSON/],
  ] as const) {
    it(`refuses ${text}`, () => {
      expect(() => mergeManifest(text, 'shop', NEEDS)).to.throw(message);
    });
  }

  it('names a version for every package of every host, that which this repository tests with', () => {
    const served = { rest: true, graphql: true, subscriptions: true };
    const hosts = HOSTS.map((host) => packagesOf(host, served));
    const names = hosts.flatMap(({ dependencies, devDependencies }) => [...dependencies, ...devDependencies]);
    const needs = { version: 'none', dependencies: names, devDependencies: [] };
    const { dependencies } = JSON.parse(mergeManifest(undefined, 'shop', needs) ?? '') as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(
      Object.entries(dependencies)
        .filter(([, range]) => range === '^none')
        .map(([name]) => name),
    ).to.deep.equal(['@concordat/runtime']);
    const tested = Object.entries(dependencies).filter(([name]) => name in rootManifest.devDependencies);
    expect(tested).to.have.length.above(8);
    for (const [name, range] of tested) {
      expect(range.replace(/^(?:.* )?[~^]?/, ''), name).to.equal(rootManifest.devDependencies[name]);
    }
  });
});
