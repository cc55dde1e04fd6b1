/** The response that the contract declares for a status. */
import { expect } from 'chai';
import type { ResponseContract } from '../../../src/runtime/contract/contract.js';
import { ResponseTable } from '../../../src/runtime/rest/operation/response.js';

const json = (check: string): ResponseContract => ({
  content: { 'application/json': { kind: 'json', check } },
});

/** Which entry a table finds, told by the name of its check. */
function entryOf(
  responses: Readonly<Record<string, ResponseContract>>,
): (status: number) => string | undefined {
  const table = new ResponseTable(responses, {});
  return (status) => table.find(status)?.contract.content?.['application/json']?.check;
}

describe('ResponseTable', () => {
  it('finds the status, else its range, else the default (OpenAPI, Responses Object)', () => {
    const find = entryOf({
      '200': json('200'),
      '2XX': json('2XX'),
      '404': json('404'),
      '4XX': json('4XX'),
      default: json('default'),
    });
    const expected = {
      200: '200',
      201: '2XX',
      299: '2XX',
      404: '404',
      400: '4XX',
      302: 'default',
      500: 'default',
    };
    for (const [status, entry] of Object.entries(expected)) {
      expect(find(Number(status)), status).to.equal(entry);
      expect(find(Number(status)), `${status} again`).to.equal(entry);
    }
  });

  it('finds nothing that is not declared', () => {
    const find = entryOf({ '200': json('200'), '4XX': json('4XX') });
    for (const status of [201, 204, 300, 399, 500, 503]) expect(find(status)).to.equal(undefined);
  });

  it('finds no response for a number that is not a final status (RFC 9110 §15)', () => {
    const find = entryOf({ '4XX': json('4XX'), default: json('default') });
    const odd = [
      100,
      199,
      600,
      4,
      40,
      4000,
      404.5,
      NaN,
      Infinity,
      -404,
      0,
      '404',
      undefined,
      null,
    ] as number[];
    for (const status of odd) expect(find(status), String(status)).to.equal(undefined);
  });

  it('offers the media types of all successes, each once, in the order of the contract', () => {
    const content = (...mediaTypes: readonly string[]): ResponseContract => ({
      content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { kind: 'text' }])),
    });
    const table = new ResponseTable(
      {
        '201': content('text/b', 'text/a'),
        '2XX': content('text/a', 'text/c'),
        '204': {},
        '303': content('text/no'),
        '404': content('text/no'),
        default: content('text/d'),
      },
      {},
    );
    expect(table.produces).to.deep.equal(['text/b', 'text/a', 'text/c', 'text/d']);
    expect(new ResponseTable({ '204': {}, '404': content('text/no') }, {}).produces).to.deep.equal([]);
  });

  it('is not made without the encoder of a media type that the engine does not know', () => {
    const responses = { '200': { content: { 'application/yaml': { kind: 'other' } } } } as const;
    expect(() => new ResponseTable(responses, {})).to.throw('there is no encoder for application/yaml');
    expect(() => new ResponseTable(responses, { 'application/yaml': String })).to.not.throw();
  });
});
