/** Answers held against their contract, as in every test and by a setting in development. */
import { expect } from 'chai';
import type { Check, ResponseChecks, ResponseContract } from '../../../src/runtime/contract/contract.js';
import { oneOperation } from './one-operation.js';

/** A check by hand, as the generator writes them. */
function checkOf(accepts: (value: unknown) => boolean, type: string): Check {
  return Object.assign(accepts, { schema: () => ({ type }) });
}

const checks: ResponseChecks = {
  isText: checkOf((value) => typeof value === 'string', 'string'),
  isNumber: checkOf((value) => typeof value === 'number', 'number'),
  hasNoDate: checkOf((value) => !JSON.stringify(value).includes('"at":{'), 'free of dates'),
};

const responses: Readonly<Record<string, ResponseContract>> = {
  '200': {
    content: {
      'application/json': { kind: 'json', check: 'isNumber' },
      'text/plain': { kind: 'text', check: 'isText' },
    },
    headers: { 'X-Total': { required: true, check: 'isNumber' }, 'X-Free': {} },
  },
  '201': { content: { 'application/json': { kind: 'json', check: 'hasNoDate' } } },
  '204': {},
  '206': { content: { 'image/png': { kind: 'bytes' } } },
  '207': { content: { 'application/json': { kind: 'json', check: 'unheard' } } },
};

/** The status that a client gets of an answer, and what was reported. */
async function outcome(answer: unknown, checkResponses?: ResponseChecks): Promise<readonly [number, string]> {
  const engine = oneOperation({
    operation: { responses },
    handler: () => answer,
    ...(checkResponses && { checkResponses }),
  });
  const { status } = await engine.send();
  return [status, engine.reported.map((error) => (error as Error).message).join()];
}

const good = { status: 200, headers: { 'X-Total': 1 }, body: 7 };

describe('response checks', () => {
  const accepted: Readonly<Record<string, unknown>> = {
    'what the contract declares': good,
    'headers in any case': { ...good, headers: { 'x-TOTAL': 1, 'X-FREE': 'x' } },
    'headers that are undefined': { ...good, headers: { 'X-Total': 1, 'X-Other': undefined } },
    'the representation that the handler names': { ...good, contentType: 'text/plain', body: 'seven' },
    'a status without a body': { status: 204 },
    bytes: { status: 206, body: Uint8Array.of(1) },
    'what JSON makes of a value': { status: 201, body: { at: new Date(0), gone: undefined } },
  };
  for (const [what, answer] of Object.entries(accepted)) {
    it(`accept ${what}`, async () => {
      const [status, reported] = await outcome(answer, checks);
      expect(reported).to.equal('');
      expect(status).to.equal((answer as { status: number }).status);
    });
  }

  const refused: Readonly<Record<string, readonly [answer: unknown, message: string]>> = {
    'a body that does not fit': [
      { ...good, body: 'x' },
      'doIt answered 200 against its contract: body must be number',
    ],
    'a body that does not fit the representation that is sent': [
      { ...good, contentType: 'text/plain', body: 7 },
      'doIt answered 200 against its contract: body must be string',
    ],
    'no body': [{ ...good, body: undefined }, 'doIt answered 200 against its contract: body must be number'],
    'a body where there is none': [
      { status: 204, body: {} },
      'doIt answered 204 against its contract: this status has no body',
    ],
    'a header that does not fit': [
      { ...good, headers: { 'X-Total': '1' } },
      'doIt answered 200 against its contract: headers/X-Total must be number',
    ],
    'a header too few': [
      { ...good, headers: {} },
      'doIt answered 200 against its contract: the header X-Total is missing',
    ],
    'a header too many': [
      { ...good, headers: { 'X-Total': 1, 'X-Other': '' } },
      'doIt answered 200 against its contract: the header x-other is not declared',
    ],
    'a header on a status without any': [
      { status: 204, headers: { 'X-Total': 1 } },
      'doIt answered 204 against its contract: the header x-total is not declared',
    ],
    'a check that was not generated': [{ status: 207, body: 1 }, 'there is no response check unheard'],
  };
  for (const [what, [answer, message]] of Object.entries(refused)) {
    it(`refuse ${what}: a 500 for the client, a sentence for the log`, async () => {
      expect(await outcome(answer, checks)).to.deep.equal([500, message]);
    });
  }

  it('are off where they are not given', async () => {
    expect(await outcome({ ...good, body: 'x', headers: { 'X-Other': '1' } })).to.deep.equal([200, '']);
  });
});
