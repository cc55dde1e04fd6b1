/** What a path leads to: OpenAPI's "Path Templating Matching", on every kind of path that a client may send. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { PathNode } from '../../../src/runtime/contract/contract.js';
import { compilePaths } from '../../../src/runtime/rest/operation/path-matcher.js';
import { runs } from '../../support/budget.js';
import { cpuTime } from '../../support/durations.js';

const at = (operationId: string): PathNode => ({ operations: { GET: operationId } });

/** The operation and the values of a path, as text; undefined when there is none. */
function finderOf(root: PathNode): (path: string) => readonly [id: string, ...values: string[]] | undefined {
  const find = compilePaths(root, (id) => id);
  return (path) => {
    const match = find(path);
    return match && [match.targets.get('GET') ?? 'no GET', ...match.values];
  };
}

const find = finderOf({
  literals: {
    '': at('root'),
    users: {
      ...at('users'),
      literals: { me: at('me'), '': at('slash') },
      parameter: { ...at('user'), literals: { posts: { parameter: at('post') } } },
    },
    'a b': at('blank'),
    ü: at('umlaut'),
    '%': at('percent'),
    a: {
      literals: { b: { literals: { c: at('a/b/c') } } },
      patterns: [{ pattern: /^b([^/]*?)$/, node: { literals: { d: at('a/b{x}/d') } } }],
      parameter: { literals: { e: at('a/{x}/e') }, parameter: { literals: { f: at('a/{x}/{y}/f') } } },
    },
    files: {
      literals: { 'index.json': at('index') },
      patterns: [
        { pattern: /^([^/]+?)\.json$/, node: at('json') },
        { pattern: /^([^/]+?)-([^/]+?)$/, node: at('range') },
      ],
      parameter: at('file'),
    },
  },
});

describe('compilePaths', () => {
  const cases: Readonly<Record<string, readonly string[] | undefined>> = {
    '/': ['root'],
    '/users': ['users'],
    '/users/': ['slash'],
    '/users/me': ['me'],
    '/users/7': ['user', '7'],
    '/users/ME': ['user', 'ME'],
    '/users/me/posts/1': ['post', 'me', '1'],
    '/users/7/posts/1': ['post', '7', '1'],
    '/users/7/posts/': undefined,
    '/users/7/posts': undefined,
    '/users//posts/1': undefined,
    '/users/7/': undefined,
    '/USERS': undefined,
    '/user': undefined,
    '/usersx': undefined,
    '//': undefined,
    '//users': undefined,
    '': undefined,
    users: undefined,
    '*': undefined,
    'http://host/users': undefined,
    '/files/index.json': ['index'],
    '/files/x.json': ['json', 'x'],
    '/files/x-1.json': ['json', 'x-1'],
    '/files/1-2': ['range', '1', '2'],
    '/files/1-2-3': ['range', '1', '2-3'],
    '/files/-2': ['file', '-2'],
    '/files/.json': ['file', '.json'],
    '/files/x': ['file', 'x'],
  };
  for (const [path, expected] of Object.entries(cases)) {
    it(`finds ${expected === undefined ? 'nothing' : expected.join(' ')} at ${JSON.stringify(path)}`, () => {
      expect(find(path)).to.deep.equal(expected);
    });
  }

  it('gives way to the next branch where one leads nowhere', () => {
    expect(find('/a/b/c')).to.deep.equal(['a/b/c']);
    expect(find('/a/b/d')).to.deep.equal(['a/b{x}/d', '']);
    expect(find('/a/b/e')).to.deep.equal(['a/{x}/e', 'b']);
    expect(find('/a/b/c/f')).to.deep.equal(['a/{x}/{y}/f', 'b', 'c']);
    expect(find('/a/b/x/f')).to.deep.equal(['a/{x}/{y}/f', 'b', 'x']);
    expect(find('/a/bx/y/f')).to.deep.equal(['a/{x}/{y}/f', 'bx', 'y']);
    expect(find('/a/b/x/g')).to.equal(undefined);
  });

  it('keeps no values of a branch that led nowhere', () => {
    const parameters = finderOf({
      literals: { a: { parameter: { literals: { b: at('a/{x}/b') } } } },
      parameter: { parameter: { literals: { c: at('{y}/{z}/c') } } },
    });
    expect(parameters('/a/1/b')).to.deep.equal(['a/{x}/b', '1']);
    expect(parameters('/a/1/c')).to.deep.equal(['{y}/{z}/c', 'a', '1']);
    const patterns = finderOf({
      patterns: [{ pattern: /^v([^/]+?)-([^/]+?)$/, node: { literals: { a: at('v{x}-{y}/a') } } }],
      parameter: { literals: { b: at('{z}/b') } },
    });
    expect(patterns('/v1-2/b')).to.deep.equal(['{z}/b', 'v1-2']);
  });

  it('takes percent-encoding off text, and leaves parameters as they came', () => {
    expect(find('/%75sers/m%65')).to.deep.equal(['me']);
    expect(find('/a%20b')).to.deep.equal(['blank']);
    expect(find('/%C3%BC')).to.deep.equal(['umlaut']);
    expect(find('/ü')).to.deep.equal(['umlaut']);
    expect(find('/%25')).to.deep.equal(['percent']);
    expect(find('/users/%6d%65%20')).to.deep.equal(['user', '%6d%65%20']);
    expect(find('/users/a%2Fb')).to.deep.equal(['user', 'a%2Fb']);
    expect(find('/users%2Fme')).to.equal(undefined);
    expect(find('/files/a%2Ejson')).to.deep.equal(['json', 'a']);
  });

  it('takes a segment that cannot be decoded literally', () => {
    expect(find('/%')).to.deep.equal(['percent']);
    expect(find('/users/%ff')).to.deep.equal(['user', '%ff']);
    expect(find('/%ff')).to.equal(undefined);
    expect(find('/%E0%A4%A')).to.equal(undefined);
  });

  it('knows nothing of the members of prototypes', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(find(`/${name}`), name).to.equal(undefined);
      expect(find(`/users/${name}`)).to.deep.equal(['user', name]);
      expect(finderOf({ parameter: at('any') })(`/${name}/${name}`)).to.equal(undefined);
    }
  });

  it('tells methods apart, and has no members of prototypes among them', () => {
    const match = compilePaths(
      { literals: { x: { operations: { GET: 'read', POST: 'write' } } } },
      (id) => id,
    )('/x');
    expect([...(match?.targets ?? [])]).to.deep.equal([
      ['GET', 'read'],
      ['POST', 'write'],
    ]);
    expect(match?.targets.get('constructor')).to.equal(undefined);
  });

  it('has no branch for a path that ends where no operation does', () => {
    expect(finderOf({ literals: { a: { literals: { b: at('ab') } } } })('/a')).to.equal(undefined);
    expect(finderOf({})('/')).to.equal(undefined);
  });

  it('takes any number of segments, and time that grows with the path alone', () => {
    const taken = cpuTime();
    for (const long of [
      '/users'.repeat(10_000),
      '/'.repeat(100_000),
      `/a${'/b'.repeat(50_000)}`,
      `/users/${'x'.repeat(1_000_000)}/posts/1`,
      `/${'%41'.repeat(100_000)}`,
    ]) {
      const found = find(long);
      expect(found?.[0]).to.equal(long.endsWith('posts/1') ? 'post' : undefined);
    }
    expect(taken()).to.be.below(2_000);
  });

  it('finds every template, and reads back the values that it was filled with', () => {
    const segment = fc.oneof(
      fc.constantFrom('users', 'me', 'a', 'b', 'x.json', '%41'),
      fc.string({ minLength: 1 }).map(encodeURIComponent),
    );
    fc.assert(
      fc.property(segment, segment, (first, second) => {
        const found = find(`/users/${first}/posts/${second}`);
        expect(found).to.deep.equal(['post', first, second]);
      }),
    );
  });

  it('never throws', () => {
    const path = fc.oneof(
      fc.string(),
      fc.uint8Array().map((bytes) => `/${Buffer.from(bytes).toString('latin1')}`),
      fc
        .array(fc.constantFrom('/', 'users', 'me', 'a', 'b', 'files', '.json', '-', '%', '%zz', '%2F'))
        .map((parts) => `/${parts.join('')}`),
    );
    fc.assert(
      fc.property(path, (text) => {
        const found = find(text);
        expect(found === undefined || text.startsWith('/')).to.equal(true);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
