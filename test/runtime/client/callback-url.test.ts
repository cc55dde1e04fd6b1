/** The addresses of callbacks, from the call that asked for them. */
import { expect } from 'chai';
import { callbackUrl } from '../../../src/runtime/client/outgoing-client.js';

const cause = {
  url: 'https://example.com/subscriptions?a=b',
  method: 'POST',
  request: {
    path: { room: '7' },
    query: { done: 'https://client.example/done', 'a.b': 'dotted' },
    headers: { 'X-Reply-To': 'https://client.example/reply' },
    body: { url: 'https://client.example/hook', 'a/b': { '~c': [1, 'two'] }, on: true, none: null },
  },
  response: { status: 201, headers: { Location: '/subscriptions/9' }, body: { id: 9 } },
};

describe('callbackUrl', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['https://fixed.example/', 'https://fixed.example/'],
    ['$request.query.done', 'https://client.example/done'],
    ['{$request.query.done}', 'https://client.example/done'],
    ['{$request.body#/url}?id={$response.body#/id}', 'https://client.example/hook?id=9'],
    ['https://e.example/{$method}/{$statusCode}', 'https://e.example/POST/201'],
    ['https://e.example/?from={$url}', 'https://e.example/?from=https://example.com/subscriptions?a=b'],
    [
      '{$request.header.x-reply-to}{$response.header.location}',
      'https://client.example/reply/subscriptions/9',
    ],
    ['$request.body#/a~1b/~0c/1', 'two'],
    ['{$request.path.room}/{$request.query.a.b}/{$request.body#/on}', '7/dotted/true'],
    ['https://e.example/{room}', 'https://e.example/{room}'],
  ];
  for (const [template, address] of cases) {
    it(`is ${address} for ${template}`, () => {
      expect(callbackUrl(template, cause)).to.equal(address);
    });
  }

  for (const template of [
    '$request.query.missing',
    '$request.query.__proto__',
    '$request.body#/url/length',
    '$request.body#/none',
    '$request.body',
    '$request.body#/a~1b',
    '$response.query.done',
    '$response.body#/id/0',
    '$request.cookie.a',
    '$nonsense',
  ]) {
    it(`throws for ${template}, which the call does not have`, () => {
      expect(() => callbackUrl(template, cause)).to.throw(TypeError, `the call has no ${template} `);
    });
  }

  it('throws where there is no call', () => {
    expect(() => callbackUrl('$url', {})).to.throw(TypeError, 'the call has no $url');
  });
});
