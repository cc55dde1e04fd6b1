/** Streams under the checker of answers: their items are checked one by one, as far as they were read. */

import { expect } from 'chai';
import { answerProblems } from '@concordat/runtime/testing';
import type { Check, Sequence } from '../../../src/runtime/contract/contract.js';

/** Takes objects whose `id` is a number, and events whose data is one. */
const isItem: Check = (value) => {
  const { id, data } = value as { readonly id?: unknown; readonly data?: typeof value };
  return typeof id === 'number' || (data !== undefined && isItem(data));
};

const parts: Sequence = {
  format: 'multipart',
  part: { kind: 'json', contentTypes: ['application/json'] },
};
const pictures: Sequence = { format: 'multipart', part: { kind: 'bytes', contentTypes: ['image/png'] } };
const events: Sequence = { format: 'events', data: 'json' };

describe('the items of an answer', () => {
  const rows: readonly (readonly [about: string, Sequence, text: string, problem: RegExp | undefined])[] = [
    ['lines', { format: 'json-lines' }, '{"id":1}\n\n{"id":2}\n', undefined],
    ['a line that ends early', { format: 'json-lines' }, '{"id":1}\n{"i', /^body\/1 must be valid JSON$/],
    ['a line that does not fit', { format: 'json-lines' }, '{"id":1}\n{"id":"2"}\n', /^body\/1/],
    ['a line that is no JSON', { format: 'json-lines' }, '{"id":1\n', /^body\/0 must be valid JSON$/],
    ['records', { format: 'json-seq' }, '\x1e{"id":1}\n\x1e{"id":2}\n', undefined],
    ['a record that does not fit', { format: 'json-seq' }, '\x1e{"id":1}\n\x1e{}\n', /^body\/1/],
    ['a record without a separator', { format: 'json-seq' }, '{"id":1}\n', /^body\/0 must start with/],
    ['events', events, ': hello\n\nevent: added\ndata: {"id":1}\n\ndata: {"i', undefined],
    ['an event that does not fit', events, 'data: {"id":1}\r\n\r\ndata: {"id":null}\r\n\r\n', /^body\/1/],
    ['an event whose data is no JSON', events, 'data: one\n\n', /^body\/0\/data must be valid JSON$/],
    ['parts', parts, '--a\r\n\r\n{"id":1}\r\n--a--\r\n', undefined],
    ['parts, which may be bytes', pictures, '--a\r\n\r\nno item\r\n--a--\r\n', undefined],
    ['a part that does not fit', parts, '--a\r\n\r\n{"id":1}\r\n--a\r\n\r\n{}\r\n--a--\r\n', /^body\/1/],
  ];
  for (const [about, items, text, problem] of rows) {
    it(about, () => {
      const content = { 'text/x-items': { kind: 'items', items, check: 'isItem' } } as const;
      const operation = { method: 'GET', path: '/items', security: [], responses: { 200: { content } } };
      const contract = {
        operations: { readItems: operation },
        paths: { literals: { items: { operations: { GET: 'readItems' } } } },
      };
      const problems = answerProblems({ contract, responseChecks: { isItem } })(
        { method: 'GET', path: '/items' },
        { status: 200, headers: { 'content-type': 'text/x-items; boundary=a' }, text },
      );
      if (problem === undefined) expect(problems).to.deep.equal([]);
      else
        expect(problems)
          .to.have.length(1)
          .and.to.satisfy(([only]: readonly string[]) => problem.test(only ?? ''));
    });
  }
});

describe('the operations outside of a part of a contract', () => {
  const getCustomer = {
    method: 'GET',
    path: '/customers/{id}',
    security: [],
    responses: { '204': {} },
  } as const;
  const customers = { parameter: { operations: { GET: 'getCustomer', PUT: 'putCustomer' } } };
  const paths = { literals: { customers, invoices: { operations: { GET: 'listInvoices' } } } };
  const problemsOf = answerProblems({ contract: { operations: { getCustomer }, paths }, responseChecks: {} });
  const of = (request: string, status: number) => {
    const [method = '', path = ''] = request.split(' ');
    return problemsOf({ method, path }, { status, headers: {}, text: '' });
  };

  it('are not judged, nor the other methods of their paths', () => {
    for (const request of ['PUT /customers/1', 'DELETE /customers/1', 'GET /invoices', 'OPTIONS /invoices'])
      expect(of(request, 200), request).to.deep.equal([]);
    expect(of('GET /customers/1', 204)).to.deep.equal([]);
    expect(of('GET /customers/1', 200)).to.have.length(1);
    expect(of('GET /nothing', 200)).to.have.length(1);
  });
});
