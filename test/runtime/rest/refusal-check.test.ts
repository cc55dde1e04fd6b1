/** The engine's own refusals held against the contract, as the answers of its handlers are. */
import { expect } from 'chai';
import type { ResponseChecks, ResponseContract } from '../../../src/runtime/contract/contract.js';
import { Problem } from '../../../src/runtime/http/problem.js';
import { oneOperation, type RequestDraft } from './one-operation.js';

const keys =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    names.every((name) => Object.hasOwn(value as object, name));

const checks: ResponseChecks = {
  isError: Object.assign(keys('error'), { schema: () => ({ required: ['error'] }) }),
  isProblem: keys('type', 'title', 'status', 'detail', 'errors'),
  isSeconds: (value) => Number.isFinite(value),
};

const declaring = (mediaType: string, check: string, headers: ResponseContract['headers'] = {}) => ({
  content: { [mediaType]: { kind: 'json', check } as const },
  headers,
});

/** What is reported of a request that is refused, under these responses. */
async function reported(
  responses: Readonly<Record<string, ResponseContract>>,
  request: RequestDraft = { query: 'n=x' },
  handler: () => unknown = () => ({ status: 204 }),
): Promise<readonly [number, string]> {
  const engine = oneOperation({
    operation: {
      parameters: [{ in: 'query', name: 'n', style: 'form', explode: true, value: { type: 'integer' } }],
      requestBody: { content: { 'application/json': { kind: 'json' } } },
      responses: { '204': {}, ...responses },
    },
    checkResponses: checks,
    handler,
  });
  const { status } = await engine.send(request);
  // The stack of a refusal has no lines below its sentence.
  const sentences = engine.reported.map((error) => {
    const { message, stack = '' } = error as Error;
    return status === 500 ? message : stack.replace('Error: ', '');
  });
  return [status, sentences.join()];
}

const AGAINST = 'the engine refused a call of doIt with 400 against its contract: ';

describe('refusals of the engine', () => {
  it('are reported where their status is not declared, and sent all the same', async () => {
    expect(await reported({})).to.deep.equal([400, `${AGAINST}the status 400 is not declared`]);
  });

  it('are reported where the media type is not declared, or the body is another', async () => {
    expect(await reported({ '400': declaring('application/json', 'isError') })).to.deep.equal([
      400,
      `${AGAINST}the media type application/problem+json is not declared`,
    ]);
    const [, told] = await reported({ '4XX': declaring('application/problem+json', 'isError') });
    expect(told).to.equal(`${AGAINST}body must have required property 'error'`);
  });

  it('are reported where a declared header is missing or has another value', async () => {
    const late = (headers: Readonly<Record<string, string>>) => (): never => {
      throw new Problem(400, 'Later', headers, [{ pointer: '', keyword: '', detail: '' }]);
    };
    const headers = { 'Retry-After': { required: true, check: 'isSeconds' } } as const;
    const responses = { '400': declaring('application/problem+json', 'isProblem', headers) };
    const told = async (handler: () => unknown) => (await reported(responses, {}, handler))[1];
    expect(await told(late({}))).to.equal(`${AGAINST}the header Retry-After is missing`);
    expect(await told(late({ 'retry-after': 'soon' }))).to.match(/headers\/Retry-After is not valid$/);
    expect(await told(late({ 'retry-after': '2', 'X-More': 'x' }))).to.equal('');
  });

  it('are not reported where a handler is not written yet', async () => {
    const unwritten = () => {
      throw new Problem(501, 'doIt is not implemented');
    };
    expect(await reported({}, {}, unwritten)).to.deep.equal([501, '']);
  });

  it('are not reported where the contract declares them, or where there is no operation', async () => {
    const responses = { default: declaring('application/*', 'isProblem') };
    expect(await reported(responses)).to.deep.equal([400, '']);
    expect((await reported({}, { method: 'PUT' }))[1]).to.equal('');
    expect((await reported({}, { path: '/nothing' }))[1]).to.equal('');
  });

  it('are the 413 and the 415 too; what was masked is reported once', async () => {
    const body = { body: 'x', headers: { 'content-type': 'image/png' } };
    expect((await reported({}, body))[1]).to.include('with 415 ');
    const failing = (): never => {
      throw new Error('broken');
    };
    expect(await reported({}, {}, failing)).to.deep.equal([500, 'broken']);
  });
});
