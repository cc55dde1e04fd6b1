/** A library as a team writes it: fields of its own, a table in the transaction of a write, and a partner's webhook, on every store. */

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import { Client } from 'pg';
import { type Service, type ServiceOptions, readSettings } from '@concordat/service';
import type { DatabaseSettings } from '../../src/service/settings/data.js';
import { quickHasher } from '../support/quick-hasher.js';
import { closeIdleConnections, send } from '../support/send.js';
import { admin, signInSettings } from '../support/sign-in.js';
import { allStores, removeStores } from '../support/stores.js';
import { until } from '../support/until.js';
import { type Project, readProject } from './project.js';

type Json = Readonly<Record<string, unknown>>;
interface Received {
  readonly events: Json[];
  readonly shelves: Map<string, string>;
}

const ISBN = '9780306406157';

describe('adoption: a library on the core', () => {
  let project: Project;
  let library: {
    readonly createLibrary: (contract: string, options: ServiceOptions) => Promise<Service>;
  };
  let partner: {
    readonly createReceiver: (secret: () => string, received: Received) => RequestListener;
  };

  before(async () => {
    project = await readProject({ '.': 'library' }, '--config codegen.ts --allow-origin ../../..');
    library = (await project.import('library.ts')) as typeof library;
    const service = await start({ kind: 'memory' });
    const { url } = await service.listen();
    const { text } = await send(url, { method: 'GET', path: '/openapi.yaml' });
    await service.close();
    await writeFile(join(project.directory, 'service.yaml'), text);
    const { exitCode, stderr } = await project.run('generate --openapi receiver.yaml --out receiver');
    expect(exitCode, stderr).to.equal(0);
    partner = (await project.import('receiver.ts')) as typeof partner;
  });
  after(async () => {
    await project.remove();
    await removeStores();
  });

  const start = (database: DatabaseSettings['database']): Promise<Service> =>
    library.createLibrary(join(project.directory, 'library.yaml'), {
      settings: {
        ...readSettings({
          PORT: '0',
          DEMO_DATA: 'off',
          LOG_LEVEL: 'silent',
          OUTBOX: 'on',
          STOP_TIMEOUT: '1',
        }),
        ...signInSettings,
        webhookAllow: ['127.0.0.1'],
        database,
      },
      passwordHasher: quickHasher,
    });

  it('needs no cast', async () => {
    expect(
      await project.problems('library.ts', 'receiver.ts', 'codegen.ts', 'generated/openapi.ts'),
    ).to.deep.equal([]);
    for (const file of ['library.ts', 'receiver.ts'])
      expect(await readFile(join(project.directory, file), 'utf8')).not.to.include('@ts-');
  });

  for (const { name, make } of allStores) {
    describe(`on ${name}`, () => {
      const received: Received = { events: [], shelves: new Map() };
      let database: DatabaseSettings['database'];
      let service: Service;
      let url = '';
      let receiver: Server;
      let headers: Readonly<Record<string, string>> = {};
      let secret = '';
      let webhook = '';

      const open = async () => {
        service = await start(database);
        ({ url } = await service.listen());
      };
      const close = async () => {
        closeIdleConnections();
        await service.close();
      };
      async function ask(method: string, path: string, body?: object): Promise<readonly [number, Json]> {
        const json = { ...headers, 'content-type': 'application/json' };
        const request = { method, path, headers: json, ...(body && { body: JSON.stringify(body) }) };
        const { status, text } = await send(url, request);
        return [status, (text === '' ? {} : JSON.parse(text)) as Json];
      }
      const query = async (text: string) => (await ask('POST', '/graphql', { query: text }))[1];
      const create = async (path: string, body: object) => {
        const [status, record] = await ask('POST', path, body);
        expect(status, JSON.stringify(record)).to.equal(201);
        return record;
      };
      const list = async (path: string) =>
        (await ask('GET', `${path}envelope=false`))[1] as unknown as readonly Json[];
      const idOfAda = async () => String((await list('/api/users?email=ada@example.com&'))[0]?.['id']);
      /** @returns the id of the order, or why it was refused */
      async function lend(userId: string, ...books: readonly string[]): Promise<string> {
        const asked = `lend(userId: "${userId}", books: ${JSON.stringify(books)})`;
        const { data, errors = [] } = (await query(`mutation { ${asked} }`)) as {
          readonly data: { readonly lend: string } | null;
          readonly errors?: readonly [{ readonly message: string }];
        };
        return errors[0]?.message ?? String(data?.lend);
      }

      before(async () => {
        database = await make();
        await open();
        await createTable(database, await readFile(join(project.directory, 'loans.sql'), 'utf8'));
        receiver = createServer(partner.createReceiver(() => secret, received));
        await once(receiver.listen(0, '127.0.0.1'), 'listening');
        const { accessToken } = await ask('POST', '/api/auth/login?tokens=pair', admin).then(
          ([, pair]) => pair,
        );
        headers = { authorization: `Bearer ${String(accessToken)}` };
        const hooks = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/hooks`;
        const created = await create('/api/webhooks', { url: hooks });
        [webhook, secret] = [String(created['id']), String(created['secret'])];
      });
      after(async () => {
        await close();
        receiver.close();
        receiver.closeAllConnections();
      });

      it('stores, answers and filters its fields, sends no notes, and tells the partner', async () => {
        const book = await create('/api/products', { name: 'Emma', price: 9, isbn: ISBN, shelf: 'A7' });
        expect(book).to.include({ isbn: ISBN, shelf: 'A7' });
        expect(await list(`/api/products?isbn=${ISBN}&shelf=A7&`)).to.deep.equal([book]);
        expect(await list('/api/products?shelf=new&')).to.deep.equal([]);
        expect(await query(`{ shelfOf(productId: "${String(book['id'])}") }`)).to.deep.equal({
          data: { shelfOf: 'A7' },
        });

        const member = { name: 'Ada', email: 'ada@example.com', notes: 'often late' };
        const today = new Date().toISOString().slice(0, 8);
        const user = await create('/api/users', member);
        expect(user).to.have.property('memberSince').that.includes(today);
        const made = await query(
          'mutation { createUser(name: "Bob", email: "bob@example.com", notes: "often late") { memberSince } }',
        );
        expect(made).to.have.nested.property('data.createUser.memberSince').that.includes(today);
        expect(JSON.stringify([user, await list('/api/users?')])).not.to.include('late');

        await until('three events arrive', () => received.events.length === 3);
        expect(received.shelves).to.deep.equal(new Map([[ISBN, 'A7']]));
        const data = received.events.map((event) => event['data']);
        expect(data).to.deep.include(book).and.to.deep.include(user);
        expect(JSON.stringify(data)).not.to.include('late');
        const forged = await send(`http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}`, {
          method: 'POST',
          path: '/hooks',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(received.events[0]),
        });
        expect([forged.status, received.events.length]).to.deep.equal([401, 3]);
      });

      it('leaves neither record nor row nor event of a write that is refused', async () => {
        const [status, { error }] = await ask('POST', '/api/products', {
          name: 'Fake',
          price: 1,
          isbn: '9780306406158',
        });
        expect([status, error]).to.deep.equal([400, 'body/isbn has a wrong check digit']);
        const userId = await idOfAda();
        const first = await lend(userId, 'Emma');
        expect(first).to.match(/^\d+$/);
        expect(await lend(userId, 'Persuasion', 'Emma')).to.equal('Emma is lent');
        expect((await list('/api/orders?')).map(({ id }) => id)).to.deep.equal([first]);
        // The row of the first book of the refused loan is gone too.
        const second = await lend(userId, 'Persuasion');
        expect(await query(`mutation { giveBack(order: "${first}") }`)).to.deep.equal({
          data: { giveBack: true },
        });
        const third = await lend(userId, 'Emma');
        await until('all events arrive', () => received.events.length === 7);
        const orders = received.events.filter(({ type }) => type === 'order.created');
        expect(orders.map(({ data }) => (data as Json)['id'])).to.have.members([first, second, third]);
        const [, deliveries] = await ask('GET', `/api/webhooks/${webhook}/deliveries`);
        expect(deliveries, 'no other event is on its way').to.have.length(7);
      });

      if (name !== 'memory')
        it('keeps all of it over a restart', async () => {
          const before = [
            await list('/api/products?'),
            await list('/api/users?'),
            await list('/api/orders?'),
          ];
          await close();
          await open();
          expect([
            await list('/api/products?'),
            await list('/api/users?'),
            await list('/api/orders?'),
          ]).to.deep.equal(before);
          expect(await lend(await idOfAda(), 'Emma'), 'the book is still lent').to.equal('Emma is lent');
          const book = await create('/api/products', { name: 'Sanditon', price: 9, isbn: '9781861972712' });
          await until('the webhook still gets events', () =>
            received.events.some(({ data }) => isOf(data, book)),
          );
          expect(received.shelves.get('9781861972712')).to.equal('new');
        });
    });
  }
});

const isOf = (data: unknown, { id, links }: Json): boolean => {
  const found = data as Json;
  return found['id'] === id && JSON.stringify(found['links']) === JSON.stringify(links);
};

/** Runs the team's migration, as a deployment does. */
async function createTable(database: DatabaseSettings['database'], sql: string): Promise<void> {
  if (database.kind === 'sqlite') {
    const connection = new DatabaseSync(database.path);
    connection.exec(sql);
    connection.close();
  } else if (database.kind === 'postgres') {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }
}
