/** What a handler is handed, and the ways in which it may answer. */
import { expect } from 'chai';
import { bodyOf, oneOperation, requestOf } from '../one-operation.js';

describe('the step handle', () => {
  it('hands the handler the decoded request and its context', async () => {
    const calls: unknown[][] = [];
    const engine = oneOperation({
      operation: {
        parameters: [
          { in: 'header', name: 'X-N', style: 'simple', explode: false, value: { type: 'integer' } },
        ],
      },
      handler: (request, { caller, operationId, mediaType, request: raw }) => {
        calls.push([request, caller, operationId, mediaType, raw]);
        return { status: 200, body: 1 };
      },
    });
    const raw = requestOf({ headers: { 'x-n': '7' } });
    await engine(raw);
    const decoded = { path: {}, query: {}, headers: { 'X-N': 7 }, cookies: {} };
    expect(calls).to.deep.equal([[decoded, 'nobody', 'doIt', 'application/json', raw]]);
  });

  const answer = { status: 200, body: 'answer' };
  const ways: Readonly<Record<string, () => unknown>> = {
    'at once': () => answer,
    'with a promise': () => Promise.resolve(answer),
    'with a promise of a promise': () => Promise.resolve(Promise.resolve(answer)),
    'with anything that has a then': () => ({
      then: (resolve: (value: unknown) => void) => {
        resolve(answer);
      },
    }),
    'with an object of a class': () =>
      Object.assign(Object.create({ status: 200 }) as object, { body: 'answer' }),
    'with something frozen': () => Object.freeze(answer),
  };
  for (const [how, handler] of Object.entries(ways)) {
    it(`takes an answer ${how}`, async () => {
      expect(bodyOf(await oneOperation({ handler }).send())).to.equal('answer');
    });
  }

  it('does not take a property called then for a promise', async () => {
    const engine = oneOperation({ handler: () => ({ ...answer, then: 'later' }) });
    expect(bodyOf(await engine.send())).to.equal('answer');
  });

  it('keeps concurrent calls apart', async () => {
    const engine = oneOperation({
      handler: async (_request, { request }) => {
        await new Promise((resolve) => setImmediate(resolve));
        return { status: 200, body: request.query };
      },
    });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => engine.send({ query: String(n) })),
    );
    expect(answers.map(bodyOf)).to.deep.equal(Array.from({ length: 50 }, (_, n) => String(n)));
  });
});
