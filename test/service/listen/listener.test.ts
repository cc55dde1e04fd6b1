/** The listener of the service survives an error of its socket. */

import { expect } from 'chai';
import { type Listener, listen } from '../../../src/service/listen/listener.js';

describe('the listener', () => {
  const reported: unknown[] = [];
  let listener: Listener;
  beforeEach(async () => {
    listener = await listen({
      answer: (_, response) => response.end('yes'),
      settings: { host: '127.0.0.1', port: 0, socket: undefined },
      refuse: () => {
        throw new Error('no request is refused here');
      },
      isLocal: true,
      warn: () => undefined,
      report: (error) => reported.push(error),
    });
  });

  it('goes on after a connection that the system could not accept, and reports it', async () => {
    // As Node emits it (`onconnection` of its net.js).
    const fault = Object.assign(new Error('accept ENFILE'), { code: 'ENFILE', syscall: 'accept' });
    listener.server.emit('error', fault);
    expect(reported).to.have.length(1);
    expect(reported[0]).to.include({ code: 'unavailable', cause: fault });
    expect(await (await fetch(listener.url, { headers: { connection: 'close' } })).text()).to.equal('yes');
    await listener.close();
  });
});
