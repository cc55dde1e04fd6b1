/** The test of topics of the application's own, beside the core's. */
import { expect } from 'chai';
import { Recorder } from '../../../src/core/conformance/events.js';
import type { Events } from '../../../src/core/ports/events.js';

export function testTopics(open: () => Promise<Events<'STOCK_COUNTED'>>): void {
  it("carries the application's topics, apart from the core's", async () => {
    const events = await open();
    const [posts, counts] = [new Recorder(), new Recorder()];
    await events.subscribe('POST_ADDED', posts);
    await events.subscribe('STOCK_COUNTED', counts);
    await events.publish('STOCK_COUNTED', 'lamp/7');
    await events.publish('POST_ADDED', '1');
    await Promise.all([counts.meet('lamp/7'), posts.meet('1')]);
    expect([posts.ids, counts.ids]).to.deep.equal([['1'], ['lamp/7']]);
    // @ts-expect-error a topic that the application has not named
    const publish: () => Promise<void> = () => events.publish('STOCK_COUNTNED', '1');
    expect(publish).to.be.a('function');
    // The services of the core take events with more topics.
    const ofCore: Events = events;
    await ofCore.close();
  });
}
