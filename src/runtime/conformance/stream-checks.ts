/** Checks that a transport sends a streamed response body piece by piece, and ends and releases it correctly. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { OK, type TransportCheck, answering, deferred, serving, soon, must } from './transport-check.js';
import { ask, leave, open } from './client.js';

const PIECE = Buffer.alloc(64 * 1024, 'x');

/** This many pieces are larger than all buffers of a loopback connection, on both ends. */
const MANY = 1_000;

export const streamChecks: readonly TransportCheck[] = [
  must('stream-pieces', 'a client gets all pieces of a stream in order, and its clean end', (serve) => {
    const { body } = producer(['one ', '', 'two ', 'three']);
    return answering(serve, { body }, async (url) => {
      const { text, isComplete } = await ask(url);
      assert.deepEqual([text, isComplete], ['one two three', true]);
    });
  }),
  must(
    'stream-head-first',
    'the head is sent before the first piece, however late that is, and each piece at once',
    (serve) => {
      const gates = [deferred(), deferred()];
      async function* body(): AsyncGenerator<Uint8Array, void, void> {
        for (const { promise } of gates) {
          await promise;
          yield Buffer.from('piece');
        }
      }
      return answering(serve, { body: body() }, async (url) => {
        const response = await soon('the head of the response', open(url));
        for (const { resolve } of gates) {
          resolve();
          const [chunk] = (await soon('a piece', once(response, 'data'))) as [Buffer];
          assert.equal(chunk.toString(), 'piece');
        }
        response.destroy();
      });
    },
  ),
  must('stream-backpressure', 'nothing is pulled for a client that does not read', (serve) => {
    const { body, state } = producer(Array.from({ length: MANY }, () => PIECE));
    return answering(serve, { body }, async (url) => {
      const response = await open(url);
      response.pause();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const pulled = state.pulled;
      response.destroy();
      assert.ok(pulled < MANY / 2, `${String(pulled)} of ${String(MANY)} pieces were pulled`);
    });
  }),
  must('stream-return', "the iterator's return() is called within a second when the client goes", (serve) => {
    const { body, state } = producer(Array.from({ length: MANY }, () => PIECE));
    return answering(serve, { body }, async (url) => {
      const response = await open(url);
      await once(response, 'data');
      response.destroy();
      await soon('return()', state.returned);
    });
  }),
  must('stream-return-waiting', 'return() is called also while the next piece is pending', (serve) => {
    const { body, state } = producer([], { waits: true });
    return answering(serve, { body }, async (url) => {
      const response = await soon('the head of the response', open(url));
      response.destroy();
      await soon('return()', state.returned);
    });
  }),
  must(
    'stream-return-unread',
    'return() is called also when the client has gone before there is a response',
    (serve) => {
      const { body, state } = producer(['never']);
      const called = deferred();
      const answer = deferred();
      return serving(
        serve,
        async ({ signal }) => {
          called.resolve();
          signal.addEventListener('abort', () => answer.resolve());
          await answer.promise;
          return { ...OK, body };
        },
        async (url) => {
          await leave(url, called.promise);
          setTimeout(answer.resolve, 500).unref();
          await soon('return()', state.returned);
        },
      );
    },
  ),
  must(
    'stream-error',
    'an error of the stream breaks the response off: the client sees no clean end',
    (serve) => {
      async function* body(): AsyncGenerator<Uint8Array, void, void> {
        yield Buffer.from('half');
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error('the stream failed');
      }
      return answering(serve, { body: body() }, async (url) => {
        const { text, isComplete } = await soon('the end of the response', ask(url));
        assert.deepEqual([text, isComplete], ['half', false]);
      });
    },
  ),
  must(
    'stream-signal',
    'the signal of a response breaks it off, also where the client does not read',
    (serve) => {
      const { body, state } = producer(Array.from({ length: MANY }, () => PIECE));
      const controller = new AbortController();
      return answering(serve, { body, signal: controller.signal }, async (url) => {
        const response = await open(url);
        response.pause();
        controller.abort();
        await soon('return()', state.returned);
        response.resume();
        await soon('the end of the connection', new Promise((resolve) => response.once('close', resolve)));
        assert.equal(response.complete, false);
      });
    },
  ),
  must('stream-head-method', 'HEAD does not start a stream, and releases it', (serve) => {
    const { body, state } = producer(['never']);
    return answering(serve, { body }, async (url) => {
      const { status, text } = await ask(url, { method: 'HEAD' });
      assert.deepEqual([status, text], [200, '']);
      await soon('return()', state.returned);
      assert.equal(state.pulled, 0);
    });
  }),
  must('stream-length', 'a stream has the length that the handler gives', (serve) => {
    const { body } = producer(['one ', 'two']);
    return answering(serve, { body, headers: { 'content-length': '7' } }, async (url) => {
      const { text, headers, isComplete } = await ask(url);
      assert.deepEqual([text, headers['content-length'], isComplete], ['one two', '7', true]);
      assert.equal(headers['transfer-encoding'], undefined);
    });
  }),
  must(
    'stream-length-wrong',
    'a stream that is longer or shorter than the length that the handler gives is broken off within it, and released',
    async (serve) => {
      for (const length of [2, 5, 9]) {
        const { body, state } = producer(['one ', 'two']);
        const headers = { 'Content-Length': String(length) };
        await answering(serve, { body, headers }, async (url) => {
          const { text, isComplete } = await ask(url);
          assert.deepEqual([isComplete, 'one two'.slice(0, length).startsWith(text)], [false, true]);
          if (length < 9) await soon('return()', state.returned);
        });
      }
    },
  ),
  must('stream-length-invalid', 'a length of a stream that is no number is not sent', (serve) => {
    const { body } = producer(['one ', 'two']);
    return answering(serve, { body, headers: { 'Content-Length': '-7' } }, async (url) => {
      const { text, headers, isComplete } = await ask(url);
      assert.deepEqual([text, headers['content-length'], isComplete], ['one two', undefined, true]);
    });
  }),
  {
    id: 'stream-one-end',
    level: 'SHOULD',
    name: 'return() is not called for a stream that has come to its end',
    run: (serve) => {
      const { body, state } = producer(['all']);
      let isReturned = false;
      void state.returned.then(() => (isReturned = true));
      return answering(serve, { body }, async (url) => {
        assert.equal((await ask(url)).text, 'all');
        await new Promise((resolve) => setTimeout(resolve, 20));
        assert.equal(isReturned, false);
      });
    },
  },
];

/** A body that counts the pieces pulled from it, and reports its release. @param waits - whether it stays open after the last piece */
function producer(
  pieces: readonly (string | Uint8Array)[],
  { waits = false } = {},
): {
  readonly body: AsyncIterable<Uint8Array>;
  readonly state: { pulled: number; readonly returned: Promise<void> };
} {
  const returned = deferred();
  const state = { pulled: 0, returned: returned.promise };
  const end = deferred<IteratorResult<Uint8Array, void>>();
  const body = {
    next: (): Promise<IteratorResult<Uint8Array, void>> => {
      const piece = pieces[state.pulled];
      state.pulled += 1;
      if (piece !== undefined) return Promise.resolve({ done: false, value: Buffer.from(piece) });
      return waits ? end.promise : Promise.resolve({ done: true, value: undefined });
    },
    return: (): Promise<IteratorResult<Uint8Array, void>> => {
      returned.resolve();
      end.resolve({ done: true, value: undefined });
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => body,
  };
  return { body, state };
}
