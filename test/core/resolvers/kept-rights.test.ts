/** Tests that the rights of a subscriber are read once, until a change of its user is announced, in any process. */
import { expect } from 'chai';
import { memoryEvents } from '../../../src/core/events/memory.js';
import { jwtCodec } from '../../../src/core/identity/jwt.js';
import { ServiceError } from '../../../src/core/model/error.js';
import type { Events } from '../../../src/core/ports/events.js';
import { openGraphqlSession } from '../../../src/core/resolvers/graphql-context.js';
import { serviceGraphqlEngine } from '../../../src/core/resolvers/graphql-engine.js';
import { operator } from '../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { createServices, type Services } from '../../../src/core/services/services.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { nextContext, subscriptionContexts } from '../../../src/runtime/graphql/index.js';

const tokens = jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) });
const validity = { from: '2026-01-01T00:00:00.000000Z', seconds: 1e9 };

describe('the rights of a subscriber', () => {
  let isDown = false;
  let reads = 0;
  let here: Services;
  let there: Services;
  let userId = '';
  let authorId = '';
  let results: AsyncGenerator<unknown, void, void>;

  beforeEach(async () => {
    [isDown, reads] = [false, 0];
    const broker = memoryEvents();
    const refuse = () => Promise.reject(new ServiceError('unavailable', 'The broker is down'));
    const events: Events = {
      ...broker,
      publish: (topic, id) => (isDown ? refuse() : broker.publish(topic, id)),
      ping: () => (isDown ? refuse() : broker.ping()),
    };
    const storage = memoryStorage();
    const findMany = storage.users.findMany.bind(storage.users);
    storage.users.findMany = (ids) => {
      reads += 1;
      return findMany(ids);
    };
    const open = () => createServices({ storage, events, policy: openPolicy, tokens });
    [here, there] = [open(), open()];
    const add = (name: string) => here.users.create(operator, { name, email: `${name}@example.com` });
    userId = (await add('ada')).id;
    authorId = (await add('grace')).id;
    const token = tokens.signAccess({ userId, email: undefined, role: undefined }, validity);
    const engine = serviceGraphqlEngine({ services: here, report: () => undefined });
    const session = await openGraphqlSession(here, {
      headers: { authorization: token },
      address: undefined,
    });
    const operation = engine.prepare({ query: 'subscription { postAdded { title } }' });
    if ('errors' in operation) throw new Error('refused');
    const makeContext = subscriptionContexts(session, () => nextContext(session));
    const stream = await engine.subscribe(operation, undefined, makeContext);
    if (!(Symbol.asyncIterator in stream)) throw new Error('refused');
    results = stream;
    // The first event asks for leases, and the second one has them.
    for (let count = 0; count < 2; count += 1) expect(await next()).to.equal('x');
    reads = 0;
  });
  afterEach(() => results.return());

  /** Creates a post. @returns what the subscriber gets: its title, or the error that ends the subscription */
  async function next(from = here): Promise<string> {
    const result = results.next();
    result.catch(() => undefined);
    await from.posts.create(operator, { title: 'x', content: 'x', authorId });
    try {
      const { value } = (await result) as { value?: { data?: { postAdded: { title: string } } } };
      return value?.data?.postAdded.title ?? 'ended';
    } catch (error) {
      return (error as Error).message;
    }
  }

  const change = (services: Services, status: 'active' | 'inactive') =>
    services.users.replace(operator, userId, {
      name: 'Ada',
      email: 'ada@example.com',
      status,
    });

  it('are not read again for each event', async () => {
    for (let count = 0; count < 5; count += 1) expect(await next()).to.equal('x');
    expect(reads).to.equal(0);
  });

  it('are read again after a change of the user, and not after one of another user', async () => {
    await there.users.replace(operator, authorId, { name: 'G', email: 'g@example.com' });
    expect(await next()).to.equal('x');
    expect(reads).to.equal(0);
    await change(there, 'active');
    expect(await next()).to.equal('x');
    expect(reads).to.equal(1);
    expect(await next()).to.equal('x');
    expect(reads).to.equal(1);
  });

  it('are lost at once when another process deactivates the user', async () => {
    await change(there, 'inactive');
    expect(await next(there)).to.equal('Invalid token');
  });

  it('are lost at once when another process signs out the user', async () => {
    await there.users.endSessions(operator, userId);
    expect(await next(there)).to.equal('Invalid token');
  });

  it('are lost at once when another process deletes the user', async () => {
    await there.users.delete(operator, userId);
    expect(await next(there)).to.equal('Invalid token');
  });

  it('are read for each event while the broker is down, and then no longer', async () => {
    isDown = true;
    for (let count = 1; count <= 2; count += 1) {
      expect(await next()).to.equal('x');
      expect(reads).to.equal(count);
    }
    isDown = false;
    for (let count = 0; count < 3; count += 1) expect(await next()).to.equal('x');
    expect(reads).to.equal(3);
  });

  it('are lost at once while the broker is down', async () => {
    isDown = true;
    await change(there, 'inactive');
    expect(await next()).to.equal('Invalid token');
  });
});

describe('postAdded of one author', () => {
  it('has only the posts of this author, also of those that were missed', async () => {
    const services = createServices({ storage: memoryStorage(), policy: openPolicy });
    const ids: string[] = [];
    for (const name of ['ada', 'grace']) {
      const input = { name, email: `${name}@example.com` };
      ids.push((await services.users.create(operator, input)).id);
    }
    const post = (authorId: string | undefined, title: string) =>
      services.posts.create(operator, { title, content: 'x', authorId });
    await post(ids[0], 'missed');
    await post(ids[1], 'of another');
    const engine = serviceGraphqlEngine({ services: { ...services }, report: () => undefined });
    const session = await openGraphqlSession(services, { headers: {}, address: undefined });
    const query = 'subscription ($author: ID!) { postAdded(since: "0", authorId: $author) { title } }';
    const operation = engine.prepare({ query });
    if ('errors' in operation) throw new Error('refused');
    const stream = await engine.subscribe(operation, { author: ids[0] }, () => session.context);
    if (!(Symbol.asyncIterator in stream)) throw new Error('refused');
    await post(ids[1], 'of another again');
    await post(ids[0], 'new');
    for (const title of ['missed', 'new']) {
      expect((await stream.next()).value).to.deep.include({ data: { postAdded: { title } } });
    }
    await stream.return();
  });
});
