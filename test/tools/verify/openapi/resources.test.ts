/** What a document says about its resources: which operations create, list, read, change and delete them, and how lists are paged. */

import { expect } from 'chai';
import { runContract } from '../../../../src/tools/running/running-contract.js';
import {
  itemsOf,
  listParametersOf,
  nextCursorOf,
  resourcesOf,
} from '../../../../src/tools/running/resources.js';
import { valuesIn } from '../../../../src/tools/verify/openapi/named-resources.js';

describe('verify: resources', () => {
  it('are known by their paths and methods', async () => {
    const { model } = await runContract('test/tools/verify/openapi/crates.yaml');
    const ids = resourcesOf(model.operations).map(({ create, list, read, replace, update, remove }) =>
      [create, list, read, replace, update, remove].map((each) => each?.id),
    );
    expect(ids).to.deep.equal([
      ['createCrate', 'listCrates', 'getCrate', 'replaceCrate', undefined, 'deleteCrate'],
      ['createParcel', 'listParcels', undefined, undefined, undefined, undefined],
    ]);
  });

  it('are filtered by the names of their members, and paged by the other parameters', async () => {
    const { model } = await runContract('test/tools/verify/openapi/crates.yaml');
    const namesOf = (id: string, members: readonly string[]) =>
      model.operations
        .filter((each) => each.id === id)
        .map((each) => listParametersOf(each, new Set(members)))
        .map(({ filters, limit, offset, page, cursor }) =>
          [filters[0], limit, offset, page, cursor].map((each) => each?.name),
        );
    expect(namesOf('listCrates', ['label'])).to.deep.equal([
      ['label', 'limit', 'offset', undefined, undefined],
    ]);
    expect(namesOf('listParcels', [])).to.deep.equal([[undefined, 'per_page', undefined, 'page', undefined]]);
  });

  it('are found in lists, in cursors and in locations', () => {
    expect(itemsOf({ items: [{ id: 1 }], total: 1 })).to.deep.equal([{ id: 1 }]);
    expect(itemsOf({ items: [], others: [] })).to.equal(undefined);
    expect(nextCursorOf({ next_cursor: 'a' }, 'cursor')).to.equal('a');
    expect(valuesIn('/crates/{id}', 'http://localhost/v1/crates/a%20b')).to.deep.equal(['a b']);
    expect(valuesIn('/crates/{id}', '/parcels/1')).to.equal(undefined);
  });
});
