/** Tests paging: arguments are clamped, and each scheme has its form of page. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  clampLimit,
  cursorPage,
  feedPage,
  keysetPage,
  offsetPage,
  offsetWindow,
  anyPage,
} from '../../../src/core/model/page.js';

/** A larger number would not be exact. */
const maxPage = Number.MAX_SAFE_INTEGER;
const limits = fc.integer({ min: 1, max: 100 });
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    createdAt: `t${String(index + 1).padStart(4, '0')}`,
  }));

describe('clampLimit', () => {
  for (const [asked, limit] of [
    [undefined, 10],
    [NaN, 10],
    [0, 10],
    [-3, 10],
    [-Infinity, 10],
    [1.5, 10],
    [0.5, 10],
    [1, 1],
    [100, 100],
    [101, 100],
    [1e308, 100],
    [Infinity, 100],
  ] as const) {
    it(`makes ${limit} of ${asked}`, () => {
      expect(clampLimit(asked)).to.equal(limit);
    });
  }

  it("falls back to the scheme's default", () => {
    expect(clampLimit(undefined, 20)).to.equal(20);
    expect(clampLimit(-1, 20)).to.equal(20);
  });
});

describe('offsetWindow with a page', () => {
  for (const [asked, page] of [
    [undefined, 1],
    [NaN, 1],
    [0, 1],
    [-3, 1],
    [1.5, 1],
    [Infinity, 1],
    [-Infinity, 1],
    [1, 1],
    [7, 7],
    [maxPage, maxPage],
    [maxPage + 1, maxPage],
    [1e300, maxPage],
  ] as const) {
    it(`makes ${page} of ${asked}`, () => {
      expect(offsetWindow({ page: asked, limit: 10 }).page).to.equal(page);
    });
  }
});

describe('offsetWindow', () => {
  it('is the first hundred when nothing is asked', () => {
    expect(offsetWindow(anyPage)).to.deep.equal({ page: 1, offset: 0, limit: 100 });
  });

  it('has the defaults beside the other argument', () => {
    expect(offsetWindow({ ...anyPage, page: 3 })).to.deep.equal({ page: 3, offset: 20, limit: 10 });
    expect(offsetWindow({ ...anyPage, limit: 7 })).to.deep.equal({ page: 1, offset: 0, limit: 7 });
  });

  it('counts exactly for any arguments, up to the largest exact number', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), (page, limit) => {
        const window = offsetWindow({ page, limit });
        expect(window.offset)
          .to.satisfy(Number.isSafeInteger)
          .and.to.equal(Math.min((window.page - 1) * window.limit, Number.MAX_SAFE_INTEGER));
        expect(window.limit).to.be.within(1, 100);
      }),
    );
  });
});

describe('offsetPage', () => {
  it('has a next page exactly when more items follow, and a previous one from page 2', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 1200 }), limits, (total, page, limit) => {
        const { pagination } = offsetPage([], total, { page, limit });
        const pages = rowsOf(total).reduce((count, _, index) => count + Number(index % limit === 0), 0);
        expect(pagination).to.deep.equal({
          page,
          limit,
          total,
          totalPages: pages,
          hasNext: page < pages,
          hasPrev: page > 1,
        });
      }),
    );
  });
});

describe('cursorPage', () => {
  it('walks every row once and ends with a null cursor', () => {
    fc.assert(
      fc.property(fc.nat(300), limits, (count, limit) => {
        const rows = rowsOf(count);
        const met: unknown[] = [];
        let after = 0;
        for (;;) {
          const { data, pagination } = cursorPage(rows.slice(after, after + limit + 1), limit);
          expect(data.length).to.be.at.most(limit);
          expect(pagination.limit).to.equal(limit);
          expect(pagination.hasNext).to.equal(after + limit < count);
          met.push(...data);
          if (pagination.nextCursor === null) break;
          expect(pagination.nextCursor).to.equal(data.at(-1)?.id);
          after = Number(pagination.nextCursor);
        }
        expect(met).to.deep.equal(rows);
      }),
    );
  });
});

describe('feedPage', () => {
  it('walks every row once, and names the last id also on the last page', () => {
    fc.assert(
      fc.property(fc.nat(300), limits, (count, limit) => {
        const rows = rowsOf(count).reverse();
        const met: unknown[] = [];
        for (let more = true; more;) {
          const page = feedPage(rows.slice(met.length, met.length + limit + 1), limit);
          expect(page.lastId).to.equal(page.data.at(-1)?.id ?? null);
          met.push(...page.data);
          more = page.hasMore;
          expect(more).to.equal(met.length < count);
        }
        expect(met).to.deep.equal(rows);
      }),
    );
  });
});

describe('keysetPage', () => {
  it('names the time of the last item, or null', () => {
    expect(keysetPage(rowsOf(3), 10)).to.deep.equal({
      data: rowsOf(3),
      pagination: { since: 't0003', limit: 10 },
    });
    expect(keysetPage([], 10)).to.deep.equal({ data: [], pagination: { since: null, limit: 10 } });
  });
});
