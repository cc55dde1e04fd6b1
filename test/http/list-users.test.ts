/** GET /api/users without a version: all forms of the collection. */
import { expect } from 'chai';
import type { ServiceAnswer, TestService } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectErrorAbout, type UserRecord } from './user-requests.js';

interface Page<Pagination> {
  readonly data: readonly UserRecord[];
  readonly pagination: Pagination;
}
interface OffsetPagination {
  readonly page: number;
  readonly limit: number;
}

const TOTAL = 105;

/** 105 users, ids 1 to 105, every fifth of them in London and every seventh with the name of a city in two words. */
async function fill(service: TestService): Promise<void> {
  for (let number = 1; number <= TOTAL; number += 1) {
    const city = number % 5 === 0 ? 'London' : number % 7 === 0 ? 'São Paulo' : 'Rome';
    await createUser(service, { city });
  }
}

onEveryStore('GET /api/users', (service) => {
  const list = (query: string): Promise<ServiceAnswer> => service.get(`/api/users${query}`);

  before(async () => {
    expect((await list('')).body).to.deep.equal({ data: [], total: 0 });
    await fill(service);
  });

  it('has XML in every form, with its own root element', async () => {
    const roots = {
      '': 'userCollection',
      '?page=1': 'userOffsetPage',
      '?cursor=': 'userCursorPage',
      '?envelope=false': 'users',
    };
    for (const [query, root] of Object.entries(roots)) {
      const { text } = await service.get(`/api/users${query}`, { accept: 'application/xml' });
      expect(text).to.match(new RegExp(`<${root}>.*</${root}>$`, 's'));
    }
  });

  describe('by offset', () => {
    const asIs = [
      'abc',
      '-3',
      '0',
      '1.5',
      '',
      '1e999',
      '1e1',
      '0x2',
      '+2',
      '%20',
      'NaN',
      '9007199254740993',
      '%00',
      '%ff',
      '2&page=3',
      '1;2',
      '[]',
    ];
    for (const page of asIs) {
      const isLarge = page === '1e999' || page.startsWith('9');
      it(`treats page=${page} as page ${isLarge ? '2^53 - 1, which is empty' : '1'}`, async () => {
        const { data, pagination } = (await list(`?page=${page}`)).body as Page<OffsetPagination>;
        expect(pagination.page).to.equal(isLarge ? Number.MAX_SAFE_INTEGER : 1);
        expect(data).to.have.length(isLarge ? 0 : 10);
      });
      it(`treats limit=${page} as ${isLarge ? 'the largest' : 'the default'}`, async () => {
        const { pagination } = (await list(`?limit=${page.replace('&page', '&limit')}`))
          .body as Page<OffsetPagination>;
        expect(pagination.limit).to.equal(page === '1e999' || page.startsWith('9') ? 100 : 10);
      });
    }
  });

  describe('filters', () => {
    const totalOf = async (query: string): Promise<number> => {
      const { data, total } = (await list(query)).body as { data: readonly UserRecord[]; total: number };
      expect(data.length).to.equal(total);
      return total;
    };

    it('are decoded, with + for a space', async () => {
      for (const city of ['S%C3%A3o+Paulo', 'S%C3%A3o%20Paulo', 'S%c3%a3o%20Paul%6F']) {
        expect(await totalOf(`?city=${city}`), city).to.equal(12);
      }
    });

    it('may not be repeated', async () => {
      expectErrorAbout(await list('?city=London&city=Rome'), 400, 'query/city', 'once');
      expectErrorAbout(await list('?role=user&role=user'), 400, 'query/role', 'once');
    });

    it('must be percent-encoded correctly', async () => {
      expectErrorAbout(await list('?city=%ff'), 400, 'query/city');
      expectErrorAbout(await list('?city=%'), 400, 'query/city');
    });

    it('ignore unknown parameters', async () => {
      for (const query of [
        '?x=1',
        '?City=London',
        '?city[]=London',
        '?__proto__=1',
        '?%ff=1',
        '?&&=&',
        '?name=Ada',
      ]) {
        expect(((await list(query)).body as { total: number }).total, query).to.equal(TOTAL);
      }
    });
  });
});
