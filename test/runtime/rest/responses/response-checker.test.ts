/** Problems of responses as data: their kinds, places and sentences, found without an engine. */
import { expect } from 'chai';
import { type GivenResponse, ResponseChecker, answerChecker, sentenceOf } from '@concordat/runtime/testing';
import { bodyCodecs } from '@concordat/runtime';
import type { Check, ResponseContract } from '../../../../src/runtime/contract/contract.js';

function checkOf(accepts: (value: unknown) => boolean, type: string): Check {
  return Object.assign(accepts, { schema: () => ({ type }) });
}

const checks = {
  isText: checkOf((value) => typeof value === 'string', 'string'),
  isNumber: checkOf((value) => typeof value === 'number', 'number'),
  isDeep: (): boolean => {
    throw new RangeError('Maximum call stack size exceeded');
  },
};

const responses: Readonly<Record<string, ResponseContract>> = {
  '200': {
    content: {
      'application/json': { kind: 'json', check: 'isNumber' },
      'text/*': { kind: 'text', check: 'isText' },
    },
    // Every object has a property of the second name.
    headers: { 'X-Total': { required: true, check: 'isNumber' }, ['constructor']: { check: 'isNumber' } },
  },
  '201': { content: { 'application/json': { kind: 'json', check: 'isDeep' } } },
  '204': {},
  '206': {
    content: { 'application/jsonl': { kind: 'items', items: { format: 'json-lines' }, check: 'isNumber' } },
  },
};

const checker = new ResponseChecker(responses, checks, bodyCodecs);
const good: GivenResponse = {
  status: 200,
  headers: { 'x-total': 1 },
  contentType: 'application/json',
  body: { value: 1 },
};
const received: GivenResponse = {
  ...good,
  headers: { 'x-total': '1', vary: 'Accept' },
  hasTextHeaders: true,
  needsVary: true,
  body: { text: '1' },
};

describe('ResponseChecker', () => {
  const accepted: readonly (readonly [about: string, GivenResponse])[] = [
    ['values', good],
    ['texts', received],
    [
      'a media type within a range',
      { ...received, contentType: 'text/csv; charset=utf-8', body: { text: 'a' } },
    ],
    ['a body that is not read', { ...good, body: 'unread' }],
    ['no body', { status: 204, headers: {}, contentType: undefined, body: undefined }],
    ['an empty text for no body', { status: 204, headers: {}, contentType: undefined, body: { text: '' } }],
    ['other headers, unless they are listed', { ...good, headers: { 'x-total': 1, 'x-other': 1 } }],
    [
      'other headers that are listed',
      { ...good, headers: { 'x-total': 1, date: 'x' }, otherHeaders: new Set(['date']) },
    ],
  ];
  for (const [about, given] of accepted) {
    it(`accepts ${about}`, () => {
      expect(checker.problemsOf(given)).to.deep.equal([]);
    });
  }

  const refused: readonly (readonly [GivenResponse, kind: string, place: string, sentence: string])[] = [
    [{ ...good, status: 418 }, 'undeclared-status', '/status', 'the status 418 is not declared'],
    [{ ...good, headers: {} }, 'missing-header', '/headers/X-Total', 'the header X-Total is missing'],
    [{ ...good, headers: { 'x-total': '1' } }, 'unfit', '/headers/X-Total', 'headers/X-Total must be number'],
    [
      { ...received, headers: { ...received.headers, 'x-total': ['1', 'one'] } },
      'unfit',
      '/headers/X-Total',
      'headers/X-Total must be number',
    ],
    [
      { ...good, headers: { 'x-total': 1, 'x-more': 1 }, otherHeaders: new Set() },
      'undeclared-header',
      '/headers/x-more',
      'the header x-more is not declared',
    ],
    [
      { ...good, contentType: 'image/png' },
      'undeclared-media-type',
      '/headers/content-type',
      'the media type image/png is not declared',
    ],
    [
      { ...received, contentType: undefined },
      'undeclared-media-type',
      '/headers/content-type',
      'the Content-Type is missing',
    ],
    [
      { ...received, headers: { 'x-total': '1' } },
      'missing-vary',
      '/headers/vary',
      'Vary does not name Accept',
    ],
    [{ ...good, contentType: undefined, body: undefined }, 'missing-body', '/body', 'the body is missing'],
    [{ ...good, body: { value: 'x' } }, 'unfit', '/body', 'body must be number'],
    [{ ...good, status: 201 }, 'unfit', '/body', 'body is nested too deeply'],
    [
      { ...received, status: 206, contentType: 'application/jsonl', body: { text: '1\n"2"\n' } },
      'unfit',
      '/body/1',
      'body/1 must be number',
    ],
    [
      { status: 204, headers: {}, contentType: undefined, body: { text: 'x' } },
      'unexpected-body',
      '/body',
      'this status has no body',
    ],
    [
      { status: 204, headers: {}, contentType: 'text/plain', body: undefined },
      'unexpected-media-type',
      '/headers/content-type',
      'without a body there is no Content-Type text/plain',
    ],
  ];
  it('lets a received 204 have a Content-Type', () => {
    const given = { status: 204, headers: {}, contentType: 'text/plain', body: { text: '' } };
    expect(checker.problemsOf(given)).to.deep.equal([]);
  });

  for (const [given, kind, place, sentence] of refused) {
    it(`finds that ${sentence}, as data first`, () => {
      const problems = checker.problemsOf(given);
      expect(problems).to.have.length(1);
      const [problem = expect.fail()] = problems;
      expect(problem).to.include({ kind, place });
      expect(sentenceOf(problem)).to.equal(sentence);
    });
  }

  it('explains a body that cannot be parsed', () => {
    const [problem = expect.fail()] = checker.problemsOf({ ...received, body: { text: '{' } });
    expect(problem.kind).to.equal('malformed-body');
    expect(sentenceOf(problem)).to.match(/^the body is not application\/json: SyntaxError/);
  });
});

describe('answerChecker', () => {
  it('finds the kinds of problems that depend on the route', () => {
    const operation = { method: 'GET', path: '/items', security: [], responses: { 204: {} } } as const;
    const contract = {
      operations: { readItems: operation },
      paths: { literals: { items: { operations: { GET: 'readItems' } } } },
    };
    const kindsOf = (method: string, path: string, status: number, text = '', headers = {}) =>
      answerChecker({ contract, responseChecks: {} })({ method, path }, { status, headers, text }).map(
        ({ kind, place }) => `${kind} ${place}`,
      );
    expect(kindsOf('GET', '/items?x=1', 204)).to.deep.equal([]);
    expect(kindsOf('GET', '/items', 404)).to.deep.equal(['undeclared-status /status']);
    expect(kindsOf('GET', '/other', 200)).to.deep.equal(['unknown-path /status']);
    expect(kindsOf('PUT', '/items', 200)).to.deep.equal(['undeclared-method /status']);
    expect(kindsOf('PUT', '/items', 405)).to.deep.equal(['wrong-allow /headers/allow']);
    expect(kindsOf('HEAD', '/items', 204, 'x')).to.deep.equal(['body-of-head /body']);
  });
});
