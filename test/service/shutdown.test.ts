/** The order in which what the service holds is let go, and that nothing can keep it from going. */
import { expect } from 'chai';
import { Shutdown } from '../../src/service/shutdown.js';

const hangs = (): Promise<void> => new Promise(() => undefined);

describe('Shutdown', () => {
  it('waits for no hook longer than it may, gives every other its turn, and says what went wrong', async () => {
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
    await shutdown.drain(20);
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
