/** Which paths of a server go to a handler that is mounted at a prefix, and under which path. */

import { expect } from 'chai';
import { compilePathChoice, requireAll, targetOf } from '../../../src/runtime/http/path-choice.js';

describe('the path within a handler', () => {
  it("has no prefix, and paths beside the prefix are not the handler's", () => {
    const choose = compilePathChoice({}, { prefix: '/v1' });
    const within = (path: string): string | undefined => choose(path, 'GET');
    expect(['/v1/users', '/v1/', '/v1'].map(within)).to.deep.equal(['/users', '/', '']);
    const others = ['/v10', '/v1users', '/v2/users', '/users', '/', '', '/V1/users', '/a/v1/users'];
    expect(others.map(within)).to.deep.equal(others.map(() => undefined));
  });

  it('is the whole path without a prefix', () => {
    expect(compilePathChoice({}, {})('/v1/users', 'GET')).to.equal('/v1/users');
  });

  it('is passed on when the handler does not serve it, unless the handler answers all paths', () => {
    const serves = (method: string, path: string): boolean => method === 'GET' && path === '/users';
    const passesOn = compilePathChoice({ serves }, { prefix: '/v1' });
    expect(passesOn('/v1/users', 'GET')).to.equal('/users');
    expect(passesOn('/v1/users', 'POST')).to.equal(undefined);
    expect(passesOn('/v1/posts', 'GET')).to.equal(undefined);
    expect(passesOn('/v2/users', 'GET')).to.equal(undefined);
    const answers = compilePathChoice({ serves }, { prefix: '/v1', unknownPaths: 'answer' });
    expect(answers('/v1/posts', 'GET')).to.equal('/posts');
    expect(answers('/v2/users', 'GET')).to.equal('');
  });

  it('cannot be answered for all paths by a handler that leaves some to the next one', () => {
    expect(() => {
      requireAll({ others: 'next' });
    }).to.throw('there is no next handler');
    requireAll({});
  });
});

describe('the target of a method', () => {
  it('is that of GET for HEAD, unless others serve methods of the path', () => {
    const get = { sharesPath: false };
    expect(targetOf(new Map([['GET', get]]), 'HEAD')).to.equal(get);
    expect(targetOf(new Map([['GET', get]]), 'POST')).to.equal(undefined);
    expect(targetOf(new Map([['GET', { sharesPath: true }]]), 'HEAD')).to.equal(undefined);
  });
});
