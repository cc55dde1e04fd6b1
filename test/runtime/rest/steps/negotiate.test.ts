/** Tests which representation a handler is told to prefer, and which requests get a 406. */
import { expect } from 'chai';
import { bodyOf, oneOperation, problem } from '../one-operation.js';

const both = { 'application/json': { kind: 'json' }, 'text/plain': { kind: 'text' } } as const;

describe('the step negotiate', () => {
  it('tells the handler what suits the client', async () => {
    const seen: unknown[] = [];
    const engine = oneOperation({
      operation: { responses: { '200': { content: both } } },
      handler: (_request, { mediaType }) => {
        seen.push(mediaType);
        return { status: 200, body: 'x' };
      },
    });
    await engine.send();
    await engine.send({ headers: { accept: 'text/*' } });
    await engine.send({ headers: { accept: ['image/png', 'text/plain'] } });
    expect(seen).to.deep.equal(['application/json', 'text/plain', 'text/plain']);
  });

  it('answers 406 before the handler runs, and lists the media types', async () => {
    let isCalled = false;
    const engine = oneOperation({
      operation: { responses: { '200': { content: both } } },
      handler: () => (isCalled = true),
    });
    const response = await engine.send({ headers: { accept: 'image/png' } });
    expect(response.status).to.equal(406);
    const detail = 'Not acceptable: this resource comes as application/json, text/plain';
    expect(bodyOf(response)).to.deep.equal(problem(406, 'Not Acceptable', detail));
    expect(isCalled).to.equal(false);
  });

  it('never answers 406 where a success has no body', async () => {
    const engine = oneOperation({
      operation: { responses: { '204': {}, '404': { content: both } } },
      handler: (_request, { mediaType }) => ({ status: 204, headers: { 'X-Type': String(mediaType) } }),
    });
    const response = await engine.send({ headers: { accept: 'image/png' } });
    expect(response).to.deep.equal({ status: 204, headers: { 'X-Type': 'undefined' } });
  });

  it('knows the aliases of the contract', async () => {
    const engine = oneOperation({
      operation: { extensions: { 'x-media-type-aliases': { 'application/vnd.*': 'application/json' } } },
    });
    expect((await engine.send({ headers: { accept: 'application/vnd.acme' } })).status).to.equal(200);
    expect((await engine.send({ headers: { accept: 'application/vnx.acme' } })).status).to.equal(406);
  });
});
