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
interface CursorPagination {
  readonly nextCursor: string | null;
  readonly hasNext: boolean;
  readonly limit: number;
}

const TOTAL = 105;
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
const idsOf = (records: unknown): string[] => (records as readonly UserRecord[]).map(({ id }) => id);

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

  it('is an envelope with the first 100 in the order of their ids, and the total', async () => {
    const answer = await list('');
    const { data, ...rest } = answer.body as { data: readonly UserRecord[] };
    expect(idsOf(data)).to.deep.equal(numbers(1, 100));
    expect(rest).to.deep.equal({ total: TOTAL });
    expect(data[9]).to.deep.equal((await service.get('/api/users/10')).body);
    expect(answer.headers).to.not.have.any.keys('link', 'x-total-count');
  });

  it('lists the versions', async () => {
    expect((await list('')).headers['x-api-supported-versions']).to.equal('1, 2');
  });

  it('embeds orders in place of links', async () => {
    const { data } = (await list('?embed=orders&limit=1')).body as Page<unknown>;
    expect(data[0]).to.include.keys('orders').and.not.include.keys('links');
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
    it('returns the page and its position', async () => {
      const answer = await list('?page=2&limit=20');
      const { data, pagination } = answer.body as Page<OffsetPagination>;
      expect(idsOf(data)).to.deep.equal(numbers(21, 40));
      expect(pagination).to.deep.equal({
        page: 2,
        limit: 20,
        total: TOTAL,
        totalPages: 6,
        hasNext: true,
        hasPrev: true,
      });
      expect(answer.headers).to.not.have.any.keys('link', 'x-total-count');
    });

    const cases: readonly (readonly [query: string, ids: string[], pagination: object])[] = [
      ['?page=1', numbers(1, 10), { page: 1, limit: 10, totalPages: 11, hasNext: true, hasPrev: false }],
      ['?limit=5', numbers(1, 5), { page: 1, limit: 5, totalPages: 21, hasNext: true, hasPrev: false }],
      ['?page=11', numbers(101, 105), { page: 11, limit: 10, totalPages: 11, hasNext: false, hasPrev: true }],
      ['?page=12', [], { page: 12, limit: 10, totalPages: 11, hasNext: false, hasPrev: true }],
      ['?page=21&limit=5', numbers(101, 105), { page: 21, limit: 5, totalPages: 21, hasNext: false, hasPrev: true }],
      ['?page=99999999999999999999&limit=100', [], { page: 2 ** 53 - 1, limit: 100, totalPages: 2, hasNext: false, hasPrev: true }],
      ['?page=1000000&limit=100', [], { page: 1_000_000, limit: 100, totalPages: 2, hasNext: false, hasPrev: true }],
    ]; // prettier-ignore
    for (const [query, ids, pagination] of cases) {
      it(`has ${query}`, async () => {
        const { body } = await list(query);
        expect(idsOf((body as Page<unknown>).data)).to.deep.equal(ids);
        expect((body as Page<unknown>).pagination).to.deep.equal({ total: TOTAL, ...pagination });
      });
    }

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

    for (const [limit, used] of [
      ['1', 1],
      ['100', 100],
      ['101', 100],
      ['1000000', 100],
    ] as const) {
      it(`treats limit=${limit} as ${String(used)}`, async () => {
        const { data, pagination } = (await list(`?limit=${limit}`)).body as Page<OffsetPagination>;
        expect([data.length, pagination.limit]).to.deep.equal([used, used]);
      });
    }
  });

  describe('by cursor', () => {
    it('walks through all of them once', async () => {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: ServiceAnswer = await list(`?cursor=${cursor}&limit=25`);
        const { data, pagination } = body as Page<CursorPagination>;
        expect(pagination.limit).to.equal(25);
        expect(pagination.hasNext).to.equal(pagination.nextCursor !== null);
        seen.push(...idsOf(data));
        if (pagination.nextCursor !== null) expect(pagination.nextCursor).to.equal(seen.at(-1));
        cursor = pagination.nextCursor;
      }
      expect(seen).to.deep.equal(numbers(1, TOTAL));
    });

    it('returns 10 by default and 100 at most, and no next page at the end', async () => {
      const first = (await list('?cursor=')).body as Page<CursorPagination>;
      expect(first.pagination).to.deep.equal({ nextCursor: '10', hasNext: true, limit: 10 });
      const most = (await list('?cursor=5&limit=1000')).body as Page<CursorPagination>;
      expect(idsOf(most.data)).to.deep.equal(numbers(6, 105));
      expect(most.pagination).to.deep.equal({ nextCursor: null, hasNext: false, limit: 100 });
      const beyond = (await list('?cursor=999999')).body as Page<CursorPagination>;
      expect(beyond).to.deep.equal({ data: [], pagination: { nextCursor: null, hasNext: false, limit: 10 } });
    });

    it('accepts any limit', async () => {
      const { pagination } = (await list('?cursor=&limit=abc')).body as Page<CursorPagination>;
      expect(pagination.limit).to.equal(10);
    });

    for (const cursor of ['x', '-1', '1.5', '1e3', '%20', '1x', '%00', '%ff', '1&cursor=2', '9'.repeat(40)]) {
      it(`refuses cursor=${cursor}`, async () => {
        expectErrorAbout(await list(`?cursor=${cursor}`), 400, 'query/cursor');
      });
    }

    it('cannot be combined with other paging', async () => {
      for (const other of ['page=1', 'page=abc', 'envelope=false']) {
        expectErrorAbout(await list(`?cursor=&${other}`), 400, 'cursor', other.split('=')[0] ?? '');
      }
    });
  });

  describe('with envelope=false', () => {
    /** The targets of a Link header by relation (RFC 8288). */
    const linksOf = ({ headers }: ServiceAnswer): Record<string, string> =>
      Object.fromEntries(
        [...String(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"(?:, |$)/g)].map(
          ([, target = '', relation = '']) => [relation, target],
        ),
      );

    it('is the bare array, with its position in the headers', async () => {
      const answer = await list('?envelope=false&page=3&limit=10');
      expect(idsOf(answer.body)).to.deep.equal(numbers(21, 30));
      expect(answer.headers).to.include({ 'x-total-count': '105', 'x-page': '3', 'x-per-page': '10' });
      expect(Object.keys(linksOf(answer))).to.have.members(['prev', 'first', 'next', 'last']);
    });

    it('links to the right pages', async () => {
      const links = linksOf(await list('?limit=10&envelope=false&page=3&city=Rome'));
      const pages = { first: 1, prev: 2, next: 4, last: 8 };
      for (const [relation, page] of Object.entries(pages)) {
        const target = links[relation] ?? '';
        expect(target).to.match(new RegExp(`^/api/users\\?page=${String(page)}&limit=10(&|$)`));
        const answer = await service.get(target);
        expect(answer.headers).to.include({
          'x-page': String(page),
          'x-per-page': '10',
          'x-total-count': '72',
        });
        expect(answer.body).to.be.an('array').that.is.not.empty;
      }
    });

    it('links to no page before the first and none after the last', async () => {
      expect(Object.keys(linksOf(await list('?envelope=false&page=1')))).to.have.members(['next', 'last']);
      expect(Object.keys(linksOf(await list('?envelope=false&page=11')))).to.have.members(['prev', 'first']);
      expect((await list('?envelope=false&city=Atlantis')).headers).to.not.include.keys('link');
    });

    it('returns the first 100 by default', async () => {
      const answer = await list('?envelope=false');
      expect(idsOf(answer.body)).to.deep.equal(numbers(1, 100));
      expect(answer.headers).to.include({ 'x-total-count': '105', 'x-page': '1', 'x-per-page': '100' });
      expect(linksOf(answer)['next']).to.match(/^\/api\/users\?page=2&limit=100/);
    });

    it('is the envelope with envelope=true, and an error with anything else', async () => {
      expect((await list('?envelope=true')).body).to.include.keys('data', 'total');
      for (const value of ['maybe', '', '0', 'FALSE']) {
        expectErrorAbout(await list(`?envelope=${value}`), 400, 'query/envelope');
      }
    });
  });

  describe('filters', () => {
    const totalOf = async (query: string): Promise<number> => {
      const { data, total } = (await list(query)).body as { data: readonly UserRecord[]; total: number };
      expect(data.length).to.equal(total);
      return total;
    };

    it('match exactly and combine with AND', async () => {
      expect(await totalOf('?city=London')).to.equal(21);
      expect(await totalOf('?city=London&role=user&status=active')).to.equal(21);
      const { email, city } =
        ((await list('?limit=1')).body as { data: readonly UserRecord[] }).data[0] ?? expect.fail();
      expect(await totalOf(`?email=${email.toUpperCase()}&city=${city ?? ''}`)).to.equal(1);
      expect(await totalOf(`?email=${email}&role=admin`)).to.equal(0);
      for (const query of [
        '?city=london',
        '?city=Lond',
        '?city=London%20',
        '?role=admin',
        '?status=inactive',
      ]) {
        expect(await totalOf(query), query).to.equal(0);
      }
      expect(await totalOf('?city=London&status=inactive')).to.equal(0);
      expect(await totalOf('?role=nobody')).to.equal(0);
    });

    it('are decoded, with + for a space', async () => {
      for (const city of ['S%C3%A3o+Paulo', 'S%C3%A3o%20Paulo', 'S%c3%a3o%20Paul%6F']) {
        expect(await totalOf(`?city=${city}`), city).to.equal(12);
      }
    });

    it('apply in every form', async () => {
      const offset = (await list('?city=London&page=2&limit=20')).body as Page<OffsetPagination>;
      expect(offset.pagination).to.include({ total: 21, totalPages: 2 });
      expect(idsOf(offset.data)).to.deep.equal(['105']);
      const cursor = (await list('?city=London&cursor=95&limit=1')).body as Page<CursorPagination>;
      expect(idsOf(cursor.data)).to.deep.equal(['100']);
      expect((await list('?city=London&envelope=false')).headers).to.include({ 'x-total-count': '21' });
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
