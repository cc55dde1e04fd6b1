/** Decoded values held against the compiled checks. */
import { expect } from 'chai';
import type { Check } from '../../../../src/runtime/contract/contract.js';
import { bodyOf, oneOperation, problem, type OneOperation } from '../one-operation.js';

const seen: unknown[] = [];

/** A check that refuses at a place, and keeps what it looked at. */
function refusing(...place: readonly string[]): Check {
  const schema = place.reduceRight<object>((inner, name) => ({ properties: { [name]: inner } }), {
    type: 'better',
  });
  const check = (value: unknown): boolean => {
    seen.push(value);
    return false;
  };
  return Object.assign(check, { schema: () => schema });
}

function checking(checkParameters: Check, check: Check): OneOperation {
  return oneOperation({
    operation: {
      parameters: [{ in: 'query', name: 'n', style: 'form', explode: true, value: { type: 'integer' } }],
      checkParameters,
      requestBody: {
        content: { 'application/json': { kind: 'json', check }, 'text/plain': { kind: 'text' } },
      },
    },
  });
}

/** The problem for a request with one failure. */
function refusal(pointer: string, keyword: string, detail: string): object {
  return { ...problem(400, 'Bad Request', detail), errors: [{ pointer, keyword, detail }] };
}

const accepting: Check = () => true;
const request = { query: 'n=7', body: '{"a":1}', headers: { 'content-type': 'application/json' } };

describe('the step validate', () => {
  beforeEach(() => {
    seen.length = 0;
  });

  it('holds parameters against their check, and names the place', async () => {
    const response = await checking(refusing('query', 'n'), accepting).send(request);
    expect(bodyOf(response)).to.deep.equal(refusal('/query/n', 'type', 'query/n must be better'));
    expect(seen[0]).to.deep.include({ path: {}, query: { n: 7 }, headers: {}, cookies: {} });
  });

  it('holds the body against the check of its media type, and names the place', async () => {
    const engine = checking(accepting, refusing('a'));
    expect(bodyOf(await engine.send(request))).to.deep.equal(
      refusal('/body/a', 'type', 'body/a must be better'),
    );
    expect(seen).to.deep.equal([{ a: 1 }]);
    expect((await engine.send({ body: 'x', headers: { 'content-type': 'text/plain' } })).status).to.equal(
      200,
    );
    expect((await engine.send()).status).to.equal(200);
  });

  it('lets good requests pass', async () => {
    expect((await checking(accepting, accepting).send(request)).status).to.equal(200);
  });

  it('refuses a body that is nested deeper than a recursive check can follow', async () => {
    const nested: Check = (value) => !Array.isArray(value) || value.every((item) => nested(item));
    const body = '['.repeat(200_000) + ']'.repeat(200_000);
    const engine = checking(accepting, nested);
    expect(bodyOf(await engine.send({ ...request, body }))).to.deep.equal(
      refusal('/body', '$ref', 'body is nested too deeply'),
    );
    expect(engine.reported).to.deep.equal([]);
  });
});
