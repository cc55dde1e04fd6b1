/** The tree of paths leads every path to its own operations, and to those of no other. */

import { expect } from 'chai';
import fc from 'fast-check';
import type { PathNode } from '../../../../src/runtime/index.js';
import { writeParameters } from '../../../../src/runtime/rest/encode/write-parameters.js';
import { compilePaths } from '../../../../src/runtime/rest/operation/path-matcher.js';
import type { Verbatim } from '../../../../src/codegen/text/literal.js';
import { pathTree } from '../../../../src/codegen/generator/files/path-tree.js';
import { runs } from '../../../support/budget.js';
import { cpuTime } from '../../../support/durations.js';

const operation = (path: string, method: 'GET' | 'PUT' = 'GET') => ({
  id: `${method} ${path}`,
  method,
  path,
  pointer: `#/paths/${path}`,
});

/** The tree as it is once the generated file is loaded. */
function loaded({
  patterns = [],
  literals = {},
  parameter,
  operations,
}: ReturnType<typeof pathTree>): PathNode {
  return {
    ...(operations && { operations }),
    literals: Object.fromEntries(Object.entries(literals).map(([text, node]) => [text, loaded(node)])),
    patterns: patterns.map(({ pattern, node }) => ({ pattern: regExp(pattern), node: loaded(node) })),
    ...(parameter && { parameter: loaded(parameter) }),
  };
}

function regExp({ code }: Verbatim): RegExp {
  return new RegExp(code.slice(1, -1));
}

/** Segments that mean different things however they are combined. */
const segments = fc.constantFrom(
  'a',
  'b',
  '{x}',
  '{x}.json',
  '{x}.{y}',
  'v{x}',
  '',
  'constructor',
  '__proto__',
  '(a|b)*',
);

describe('a path tree', () => {
  it('finds every path of any contract by its own template', () => {
    const templates = fc.uniqueArray(
      fc.array(segments, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(templates, (paths) => {
        const find = compilePaths(loaded(pathTree(paths.map((path) => operation(path)))), (id) => id);
        for (const path of paths) {
          // Values that no literal and no other pattern of these segments takes for its own.
          const found = find(path.replaceAll('{x}', 'one').replaceAll('{y}', 'two'));
          expect(found?.targets.get('GET'), path).to.equal(`GET ${path}`);
        }
      }),
    );
  });

  it('puts the methods of a path together', () => {
    expect(pathTree([operation('/a'), operation('/a', 'PUT')])).to.deep.equal({
      literals: { a: { operations: { GET: 'GET /a', PUT: 'PUT /a' } } },
    });
  });

  it('tries segments with more text first, in any order of the paths', () => {
    for (const paths of [
      ['/{x}.{y}', '/{x}.min.{y}'],
      ['/{x}.min.{y}', '/{x}.{y}'],
    ]) {
      const { patterns = [] } = pathTree(paths.map((path) => operation(path)));
      expect(patterns.map(({ pattern }) => pattern.code)).to.deep.equal([
        String.raw`/^(?=([^/]+?)\.min\.)\1(?:\.min\.)([^/]+?)$/`,
        String.raw`/^(?=([^/]+?)\.)\1(?:\.)([^/]+?)$/`,
      ]);
    }
  });

  it('matches text literally, even if it has a meaning in a pattern', () => {
    const find = compilePaths(loaded(pathTree([operation('/{x}(a|b)*$')])), (id) => id);
    expect(find('/1(a|b)*$')?.values).to.deep.equal(['1']);
    expect(find('/1a')).to.equal(undefined);
  });

  it('finds text beside a parameter however it is encoded, in the contract or the path', () => {
    const rows: readonly (readonly [template: string, path: string, ...values: string[]])[] = [
      ['/w{x}é.json', '/w1%C3%A9.json', '1'],
      ['/w{x}é.json', '/w1%c3%a9%2Ejson', '1'],
      ['/w{x}%C3%A9', '/w%E2%82%AC%C3%A9', '%E2%82%AC'],
      ['/z{x} z', '/z1%20z', '1'],
      ['/v{x}~x', '/v1%7Ex', '1'],
      ['/v{x}%7Ex', '/v1~x', '1'],
      ['/{x}:action', '/7%3Aaction', '7'],
      ['/{x}%3Aaction', '/7:action', '7'],
      ['/{x}-{y}', '/a%2Db-c', 'a%2Db', 'c'],
      ['/{x}é{y}', '/a%2Fb%C3%A9%F0%9F%98%80', 'a%2Fb', '%F0%9F%98%80'],
    ];
    for (const [template, path, ...values] of rows) {
      const find = compilePaths(loaded(pathTree([operation(template)])), (id) => id);
      expect(find(path)?.values, `${template} ${path}`).to.deep.equal(values);
      const { path: written } = writeParameters(
        template,
        ['x', 'y'].map((name) => ({ in: 'path', name, style: 'simple' })),
        ({ name }) => `${name} ü`,
      );
      expect(written).to.match(/^[!-~]+$/);
      expect(find(written)?.values[0], written).to.equal('x%20%C3%BC');
    }
    for (const path of ['/w1%C3', '/w1%.json', '/w%C3%A9.json']) {
      const find = compilePaths(loaded(pathTree([operation('/w{x}é.json')])), (id) => id);
      expect(find(path), path).to.equal(undefined);
    }
  });

  it('refuses two spellings of one path', () => {
    expect(() => pathTree([operation('/é'), operation('/%C3%A9')])).to.throw(
      '#/paths//%C3%A9: GET /%C3%A9 is also the path of GET /é',
    );
    expect(() => pathTree([operation('/{x}'), operation('/{y}')])).to.throw('is also the path of GET /{x}');
  });

  it('divides a segment as an expression does that tries every way, and takes no longer for a long one', () => {
    const texts = fc.array(fc.constantFrom('', '-', '.', '--', 'a', '-a', '\\', '1'), {
      minLength: 2,
      maxLength: 5,
    });
    const given = fc.string({ unit: fc.constantFrom('-', '.', 'a', '1', '\\'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(texts, given, (parts, segment) => {
        fc.pre(parts.length > 2 || parts.join('') !== '');
        const template = parts
          .map((text, index) => (index === 0 ? text : `{p${String(index)}}${text}`))
          .join('');
        const naive = parts.map((text) => text.replaceAll(/[.\\-]/g, '\\$&')).join('([^/]+?)');
        const expected = new RegExp(`^${naive}$`).exec(segment)?.slice(1);
        const find = compilePaths(loaded(pathTree([operation(`/${template}`)])), (id) => id);
        expect(find(`/${segment}`)?.values).to.deep.equal(expected);
      }),
      { seed: 1, numRuns: runs(2_000) },
    );
    const find = compilePaths(loaded(pathTree([operation('/{a}-{b}-{c}-{d}.json')])), (id) => id);
    const taken = cpuTime();
    expect(find(`/${'-'.repeat(16_000)}`)).to.equal(undefined);
    expect(taken()).to.be.lessThan(1_000);
  });
});
