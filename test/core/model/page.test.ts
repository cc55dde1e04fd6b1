/** Tests paging: arguments are clamped, and each scheme has its form of page. */
import { expect } from 'chai';
import fc from 'fast-check';
import { clampLimit, offsetWindow, anyPage } from '../../../src/core/model/page.js';

/** A larger number would not be exact. */
const maxPage = Number.MAX_SAFE_INTEGER;

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
