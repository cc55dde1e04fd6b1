/** The pagination headers of the offset scheme. */

import { expect } from 'chai';
import fc from 'fast-check';
import { offsetPage } from '../../../src/core/model/page.js';
import { joinLinks, pageHeaders } from '../../../src/core/operations/answers.js';

const request = { path: '/api/orders', query: '' };
const page = (number: number, limit: number, total: number) =>
  offsetPage([], total, { page: number, limit }).pagination;

describe('pageHeaders', () => {
  it('links next and last from the first page, and prev and first from the last', () => {
    expect(pageHeaders(page(1, 10, 25), request)).to.deep.equal({
      Link: '</api/orders?page=2&limit=10>; rel="next", </api/orders?page=3&limit=10>; rel="last"',
      'X-Total-Count': 25,
      'X-Page': 1,
      'X-Per-Page': 10,
    });
    expect(pageHeaders(page(3, 10, 25), request).Link).to.equal(
      '</api/orders?page=2&limit=10>; rel="prev", </api/orders?page=1&limit=10>; rel="first"',
    );
  });

  it('has no Link where everything is on one page', () => {
    expect(pageHeaders(page(1, 10, 10), request)).not.to.have.property('Link');
  });

  it('keeps the filters, and no page of old', () => {
    const { Link } = pageHeaders(page(1, 1, 2), {
      path: '/api/users',
      query: 'page=1&city=S%C3%A3o%20Paulo&limit=1',
    });
    expect(Link).to.contain('</api/users?page=2&limit=1&city=S%C3%A3o+Paulo>; rel="next"');
  });

  it('has prev and first exactly when page > 1, next and last exactly when page * limit < total', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 100 }),
        fc.nat(2000),
        (number, limit, total) => {
          const Link = pageHeaders(page(number, limit, total), request).Link ?? '';
          for (const relation of ['prev', 'first'])
            expect(Link.includes(`rel="${relation}"`)).to.equal(number > 1);
          for (const relation of ['next', 'last']) {
            expect(Link.includes(`rel="${relation}"`)).to.equal(number * limit < total);
          }
        },
      ),
    );
  });
});

describe('joinLinks', () => {
  it('makes one header of several', () => {
    expect(joinLinks('<a>; rel="next"', undefined, '<b>; rel="x"')).to.equal('<a>; rel="next", <b>; rel="x"');
  });
});
