/** Tests the order in which the service's resources are closed, and that none can block the others. */
import { expect } from 'chai';
import { Shutdown } from '../../src/service/listen/shutdown.js';

const hangs = (): Promise<void> => new Promise(() => undefined);

describe('Shutdown', () => {
  it('waits for each hook up to its limit, runs all others, and reports the failures', async () => {
    const shutdown = new Shutdown();
    const met: string[] = [];
    shutdown.onDrain(hangs);
    shutdown.onDrain(() => void met.push('drained'));
    shutdown.onDrain(() => {
      throw new Error('no socket');
    });
    shutdown.onClose(() => void met.push('opened first'));
    shutdown.onClose(hangs);
    shutdown.onClose(() => Promise.reject(new Error('no store')));
    shutdown.onClose(() => void met.push('opened last'));
    await shutdown.drain(10, 10);
    expect(met).to.deep.equal(['drained']);
    const outcome = await shutdown.close(20).catch((error: unknown) => error);
    expect(met).to.deep.equal(['drained', 'opened last', 'opened first']);
    expect(outcome).to.be.instanceOf(AggregateError);
    expect((outcome as AggregateError).message).to.equal(
      'Not everything could be closed: no socket; something did not close within 20 ms; no store; ' +
        'something did not close within 20 ms',
    );
  });
});
