/** Lists under a function of the policy are those of a store that holds the records which pass, and nothing else. */
import { expect } from 'chai';
import fc from 'fast-check';
import { offsetPage, offsetWindow, type Slice } from '../../../../src/core/model/page.js';
import { passing, passingById, readPage } from '../../../../src/core/services/reads/lists.js';

interface Row {
  readonly id: string;
  readonly isVisible: boolean;
}

/** Up to three batches and a part of one, in which runs of either kind are long and short. */
const rows = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 120 }), fc.boolean()), { maxLength: 6 })
  .map((runs) => runs.flatMap(([length, isVisible]) => Array<boolean>(length).fill(isVisible)))
  .map((flags) => flags.map((isVisible, index): Row => ({ id: String(index + 1), isVisible })));

const listOf = (all: readonly Row[]) => (slice: Slice) => {
  const from = 'offset' in slice ? slice.offset : Number(slice.after ?? 0);
  return Promise.resolve(all.slice(from, from + slice.limit));
};
const passes = ({ isVisible }: Row) => isVisible;

describe('lists under a function of the policy', () => {
  it('page by offset, with the total of what passes', () =>
    fc.assert(
      fc.asyncProperty(rows, fc.nat(20), fc.integer({ min: 1, max: 100 }), async (all, page, limit) => {
        const visible = all.filter(passes);
        const window = offsetWindow({ page, limit });
        const data = visible.slice(window.offset, window.offset + window.limit);
        const read = await readPage({ page, limit }, { passes }, undefined, listOf(all), () =>
          expect.fail('counted'),
        );
        expect(read).to.deep.equal(offsetPage(data, visible.length, window));
      }),
    ));

  it('page by position, as far as there is something left', () =>
    fc.assert(
      fc.asyncProperty(rows, fc.nat(400), fc.integer({ min: 1, max: 250 }), async (all, after, limit) => {
        const read = await passingById(passes, listOf(all))({ after: String(after), limit });
        const expected = all.filter((row) => passes(row) && Number(row.id) > after).slice(0, limit);
        expect(read).to.deep.equal(expected);
      }),
    ));

  it('are those of the store where everything passes', async () => {
    const read = () => Promise.resolve([]);
    expect(passing(undefined, () => '', read)).to.equal(read);
    const window: Slice[] = [];
    const list = (slice: Slice) => (window.push(slice), Promise.resolve([]));
    await readPage({ page: 3, limit: 7 }, {}, undefined, list, () => Promise.resolve(0));
    expect(window).to.deep.equal([{ page: 3, offset: 14, limit: 7 }]);
  });
});
