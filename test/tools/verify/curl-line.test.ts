/** Tests the line that repeats a request of `verify`: it hides a credential where it is sent, and leaves all else readable. */

import { expect } from 'chai';
import { type Secret, curlLine } from '../../../src/tools/verify/run/violations.js';

const BASE = 'http://127.0.0.1:3000/api';

const request = {
  method: 'GET',
  path: '/a/data',
  query: 'a=a&key=a&q=a',
  headers: { authorization: 'Bearer a', cookie: 'a=a; sid=a', 'x-key': 'a', accept: 'application/json' },
};

const secret = (place: Secret['in'], name: string, text = 'a'): Secret => ({
  ...{ text, variable: 'TOKEN', in: place, name },
});

describe('curlLine', () => {
  const whole = curlLine(BASE, request);
  const cases: readonly (readonly [given: Secret, shown: string, hidden: string])[] = [
    [
      secret('header', 'authorization'),
      String.raw`authorization:\ 'Bearer a'`,
      String.raw`authorization:\ 'Bearer '"$TOKEN"`,
    ],
    [secret('header', 'X-Key'), String.raw`x-key:\ a`, String.raw`x-key:\ "$TOKEN"`],
    [secret('query', 'key'), `key=a&q=a'`, `key='"$TOKEN"'&q=a'`],
    [secret('cookie', 'sid'), `sid=a'`, `sid='"$TOKEN"`],
  ];
  for (const [given, shown, hidden] of cases) {
    it(`hides a short credential in the ${given.in} ${given.name} only`, () => {
      expect(whole).to.include(shown);
      expect(curlLine(BASE, request, [given])).to.equal(whole.replace(shown, hidden));
    });
  }

  it('hides a long credential wherever it is', () => {
    const long = 'a-long-secret-of-one-caller';
    const line = curlLine(
      BASE,
      {
        ...request,
        path: `/sessions/${long}`,
        query: `q=${long}`,
        headers: { authorization: `Bearer ${long}` },
      },
      [secret('header', 'authorization', long)],
    );
    expect(line).not.to.include(long);
    expect(line.split('"$TOKEN"')).to.have.length(4);
  });

  it('hides a short credential in the first message of a WebSocket', () => {
    const body =
      '{"type":"connection_init","payload":{"authorization":"a"}}\n{"query":"a","variables":{"id":"a"}}';
    const headers = { 'sec-websocket-protocol': 'graphql-transport-ws', authorization: 'a', 'x-a': 'a' };
    const line = curlLine(BASE, { ...request, query: '', headers, body }, [
      secret('header', 'authorization'),
    ]);
    expect(line)
      .to.include(`"authorization":"'"$TOKEN"'"`)
      .and.include('"id":"a"')
      .and.include('authorization: \'"$TOKEN"');
    expect(line.split('"$TOKEN"')).to.have.length(3);
  });
});
