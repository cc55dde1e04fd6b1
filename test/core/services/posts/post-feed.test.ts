/** Tests how new posts reach the subscribers of a process. */
import { expect } from 'chai';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { memoryEvents } from '../../../../src/core/events/memory.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { ServiceError } from '../../../../src/core/model/error.js';
import type { Post } from '../../../../src/core/model/post.js';
import type { EventListener, Events } from '../../../../src/core/ports/events.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { type Services, createServices } from '../../../../src/core/services/services.js';
import { until } from '../../../support/until.js';
import { ada, ids, fixture, openFixture, refused, unauthenticated } from '../fixture.js';
import { enginePost } from '../../../support/sample-inputs.js';

type Feed = AsyncIterableIterator<Post>;

/** The ids of the next posts. */
async function take(feed: Feed, count: number): Promise<readonly string[]> {
  const met: string[] = [];
  while (met.length < count) {
    const { value } = (await feed.next()) as IteratorResult<Post, undefined>;
    if (value === undefined) throw new Error(`the feed ended after ${String(met.length)} posts`);
    met.push(value.id);
  }
  return met;
}

async function writePosts({ posts }: Services, count: number): Promise<readonly string[]> {
  const made: string[] = [];
  for (let number = 0; number < count; number++)
    made.push((await posts.create(ada, { authorId: undefined, ...enginePost })).id);
  return made;
}

/** A process of a deployment. */
function processOn(storage: Storage, events: Events): Services {
  return createServices({ storage, events, policy: openPolicy });
}

describe('PostsService.subscribeAdded', () => {
  it('delivers each post to each subscriber once and in order, also when many come at once', async () => {
    const { services } = await openFixture();
    const feeds = await Promise.all([1, 2, 3].map(() => services.posts.subscribeAdded(anonymous)));
    const made = await Promise.all(
      Array.from({ length: 250 }, () => services.posts.create(ada, { authorId: undefined, ...enginePost })),
    );
    const expected = made.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b));
    for (const feed of feeds) expect(await take(feed, 250)).to.deep.equal(expected);
  });

  it('delivers nothing that was stored before, also while slower subscribers are behind', async () => {
    const { services } = await openFixture();
    await writePosts(services, 3);
    const first = await services.posts.subscribeAdded(anonymous);
    await writePosts(services, 3);
    const second = await services.posts.subscribeAdded(anonymous);
    await writePosts(services, 1);
    expect(await take(first, 4)).to.deep.equal(['4', '5', '6', '7']);
    expect(await take(second, 1)).to.deep.equal(['7']);
  });

  it('delivers the whole post', async () => {
    const { services } = await openFixture();
    const feed = await services.posts.subscribeAdded(anonymous);
    const post = await services.posts.create(ada, { authorId: undefined, ...enginePost });
    expect(await feed.next()).to.deep.equal({ done: false, value: post });
  });

  it('does not announce a post that was refused', async () => {
    const { services } = await openFixture();
    const feed = await services.posts.subscribeAdded(anonymous);
    await refused(services.posts.create(anonymous, { ...enginePost, authorId: '99' }), 'invalid-input');
    await refused(
      services.posts.create(ada, { authorId: undefined, ...enginePost, title: '' }),
      'invalid-input',
    );
    await writePosts(services, 1);
    expect(await take(feed, 1)).to.deep.equal(['1']);
  });

  it('checks the table of rights', async () => {
    const { services } = await fixture({ ...openPolicy, 'posts.read': ['user'] });
    await unauthenticated(services.posts.subscribeAdded(anonymous));
    await (await services.posts.subscribeAdded(ada)).return?.();
  });

  it('reads each post once per process, not once per subscriber, and nothing without subscribers', async () => {
    const { services, storage } = await openFixture();
    let shown = 0;
    const listSince = storage.posts.listSince.bind(storage.posts);
    storage.posts.listSince = async (since, limit) => {
      const page = await listSince(since, limit);
      shown += page.length;
      return page;
    };
    await writePosts(services, 5);
    expect(shown).to.equal(0);
    const feeds = await Promise.all(
      Array.from({ length: 20 }, () => services.posts.subscribeAdded(anonymous)),
    );
    const made = await writePosts(services, 10);
    for (const feed of feeds) expect(await take(feed, 10)).to.deep.equal(made);
    expect(shown).to.equal(10);
    for (const feed of feeds) await feed.return?.();
    await writePosts(services, 5);
    await turn();
    expect(shown).to.equal(10);
  });

  it('starts again after the last subscriber has left', async () => {
    const { services } = await openFixture();
    await (await services.posts.subscribeAdded(anonymous)).return?.();
    await writePosts(services, 2);
    const feed = await services.posts.subscribeAdded(anonymous);
    const made = await writePosts(services, 2);
    expect(await take(feed, 2)).to.deep.equal(made);
  });

  it('ends for a subscriber that leaves while waiting', async () => {
    const { services } = await openFixture();
    const feed = await services.posts.subscribeAdded(anonymous);
    const next = feed.next();
    await feed.return?.();
    expect(await next).to.deep.equal({ done: true, value: undefined });
  });

  it('skips a post whose author was deleted in the meantime', async () => {
    const { services, storage } = await openFixture();
    const feed = await services.posts.subscribeAdded(anonymous);
    await storage.posts.create({ ...enginePost, authorId: ids.bob }, '2026-01-01T00:00:00.000000Z');
    await storage.users.delete(ids.bob);
    await writePosts(services, 1);
    expect(await take(feed, 1)).to.deep.equal(['2']);
  });
});

describe('PostsService.subscribeAdded: several processes', () => {
  it('delivers the posts of all processes to each, and subscribes to the topic once per process', async () => {
    const { storage } = await openFixture();
    const events = memoryEvents();
    let subscriptions = 0;
    const counting: Events = {
      ...events,
      subscribe: (topic, listener) => {
        subscriptions++;
        return events.subscribe(topic, listener);
      },
    };
    const processes = [processOn(storage, counting), processOn(storage, counting)] as const;
    const feeds: Feed[] = [];
    for (const { posts } of processes) {
      feeds.push(await posts.subscribeAdded(anonymous), await posts.subscribeAdded(anonymous));
    }
    expect(subscriptions).to.equal(2);
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        processes.map(({ posts }) => posts.create(ada, { authorId: undefined, ...enginePost })),
      );
    }
    const expected = Array.from({ length: 40 }, (_, index) => String(index + 1));
    for (const feed of feeds) expect(await take(feed, 40)).to.deep.equal(expected);
  });

  it('delivers posts in the order of their ids, when events arrive in any order and repeatedly', async () => {
    const { storage } = await openFixture();
    const { events, listeners } = silentEvents();
    const feed = await processOn(storage, events).posts.subscribeAdded(anonymous);
    for (let post = 0; post < 4; post++) {
      await storage.posts.create({ ...enginePost, authorId: ids.ada }, '2026-01-01T00:00:00.000000Z');
    }
    for (const id of ['3', '1', '1', '4', '2']) listeners[0]?.received(id);
    expect(await take(feed, 4)).to.deep.equal(['1', '2', '3', '4']);
    await writePosts(processOn(storage, events), 1);
    listeners[0]?.received('5');
    expect(await take(feed, 1)).to.deep.equal(['5']);
  });

  it('does not read for the event of a post that it has read', async () => {
    const { storage } = await openFixture();
    const { events, listeners } = silentEvents();
    const listSince = storage.posts.listSince.bind(storage.posts);
    let reads = 0;
    storage.posts.listSince = (since, limit) => {
      reads += 1;
      return listSince(since, limit);
    };
    const feed = await processOn(storage, events).posts.subscribeAdded(anonymous);
    // The subscriber's own read, in case a post came while it subscribed.
    await until('the subscriber has read', () => reads === 1);
    await writePosts(processOn(storage, events), 2);
    listeners[0]?.received('2');
    expect(await take(feed, 2)).to.deep.equal(['1', '2']);
    await turn();
    for (const id of ['1', '2']) listeners[0]?.received(id);
    await turn();
    expect(reads).to.equal(2);
  });

  it('delivers posts whose events were missed while the connection was lost', async () => {
    const { storage } = await openFixture();
    const { events, listeners } = silentEvents();
    const feed = await processOn(storage, events).posts.subscribeAdded(anonymous);
    await writePosts(processOn(storage, events), 150);
    listeners[0]?.interrupted('2026-01-01T00:00:00.000000Z');
    expect(await take(feed, 150)).to.have.lengthOf(150);
  });

  it('stores a post that it cannot announce, delivers it in this process, and reports the failure', async () => {
    const { storage } = await openFixture();
    const failure = new ServiceError('unavailable', 'The events do not answer');
    const reported: unknown[] = [];
    const { events } = silentEvents();
    const services = createServices({
      storage,
      events: { ...events, publish: () => Promise.reject(failure) },
      policy: openPolicy,
      report: (error) => void reported.push(error),
    });
    const feed = await services.posts.subscribeAdded(anonymous);
    expect(await services.posts.create(ada, { authorId: undefined, ...enginePost })).to.include({ id: '1' });
    expect(await take(feed, 1)).to.deep.equal(['1']);
    expect(reported).to.deep.equal([failure]);
  });

  it('fails with unavailable when it cannot subscribe to events, and tries again on the next call', async () => {
    const { storage } = await openFixture();
    const { events } = silentEvents();
    let attempts = 0;
    const flaky: Events = {
      ...events,
      subscribe: (topic, listener) =>
        ++attempts === 1
          ? Promise.reject(new ServiceError('unavailable', 'Not now'))
          : events.subscribe(topic, listener),
    };
    const { posts } = processOn(storage, flaky);
    await refused(posts.subscribeAdded(anonymous), 'unavailable');
    await posts.subscribeAdded(anonymous);
    expect(attempts).to.equal(2);
  });

  it('continues reading after the store has failed once', async () => {
    const { services, storage } = await openFixture();
    const feed = await services.posts.subscribeAdded(anonymous);
    const listSince = storage.posts.listSince.bind(storage.posts);
    let failures = 0;
    storage.posts.listSince = (since, limit) =>
      failures++ === 0 ? Promise.reject(new Error('gone')) : listSince(since, limit);
    await writePosts(services, 1);
    expect(await take(feed, 1)).to.deep.equal(['1']);
    expect(failures).to.be.greaterThan(1);
  });
});

describe('PostsService.subscribeAdded: a slow reader', () => {
  const subscriberBounds = { items: 10, patienceMs: 300 };

  it('is dropped beyond the bound, and the others receive everything', async () => {
    const storage = memoryStorage();
    await fixture(openPolicy, { storage });
    const services = createServices({ storage, policy: openPolicy, subscriberBounds });
    const [slow, quick] = [
      await services.posts.subscribeAdded(anonymous),
      await services.posts.subscribeAdded(anonymous),
    ];
    const taken = take(quick, 40);
    const made = await writePosts(services, 40);
    expect(await taken).to.deep.equal(made);
    await refused(slow.next(), 'limit-exceeded', 'The subscriber reads too slowly');
    expect(await slow.next()).to.deep.equal({ done: true, value: undefined });
  });

  it('is waited for while it keeps reading slowly', async () => {
    const storage = memoryStorage();
    await fixture(openPolicy, { storage });
    const services = createServices({ storage, policy: openPolicy, subscriberBounds });
    const feed = await services.posts.subscribeAdded(anonymous);
    const made = await writePosts(services, 60);
    const met: string[] = [];
    while (met.length < 60) {
      await turn();
      met.push(...(await take(feed, 1)));
    }
    expect(met).to.deep.equal(made);
  });

  it('is not dropped for a pause of the process itself', async () => {
    const storage = memoryStorage();
    await fixture(openPolicy, { storage });
    const services = createServices({ storage, policy: openPolicy, subscriberBounds });
    const feed = await services.posts.subscribeAdded(anonymous);
    const made = await writePosts(services, 15);
    for (let round = 0; round < 20; round++) await turn(); // the queue is full now, and the feed waits
    const end = performance.now() + 2 * subscriberBounds.patienceMs;
    while (performance.now() < end);
    await sleep(20);
    expect(await take(feed, 15)).to.deep.equal(made);
  });

  it('is dropped beyond the bound of bytes too', async () => {
    const storage = memoryStorage();
    await fixture(openPolicy, { storage });
    const bounds = { bytes: 20_000, patienceMs: 100 };
    const services = createServices({ storage, policy: openPolicy, subscriberBounds: bounds });
    const feed = await services.posts.subscribeAdded(anonymous);
    for (let post = 0; post < 3; post++) {
      await services.posts.create(ada, { authorId: undefined, title: 'Long', content: 'x'.repeat(9_000) });
    }
    let outcome: unknown;
    await until('the reader is dropped', async () => {
      const probe = await services.posts.subscribeAdded(anonymous);
      const { id } = await services.posts.create(ada, { authorId: undefined, ...enginePost });
      outcome = (await take(probe, 1))[0] === id;
      await probe.return?.();
      return outcome === true;
    });
    await refused(feed.next(), 'limit-exceeded');
  });
});

/** Events that only the test publishes. */
function silentEvents(): { readonly events: Events; readonly listeners: EventListener[] } {
  const listeners: EventListener[] = [];
  const events: Events = {
    publish: () => Promise.resolve(),
    subscribe: (_, listener) => {
      listeners.push(listener);
      return Promise.resolve(() => undefined);
    },
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return { events, listeners };
}
