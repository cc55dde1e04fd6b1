/** What the contract says of a status, and which representation of it is sent. */
import { expect } from 'chai';
import type { ResponseContract } from '../../../src/runtime/contract/contract.js';
import { chooseRepresentation, ResponseTable } from '../../../src/runtime/rest/operation/response.js';

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

describe('chooseRepresentation', () => {
  const responseOf = (...mediaTypes: readonly string[]) => {
    const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { kind: 'text' as const }]));
    const response = new ResponseTable({ '200': { content } }, {}).find(200);
    if (response === undefined) throw new Error('no response');
    return response;
  };
  const choose = (
    response: ReturnType<typeof responseOf>,
    contentType?: string,
    preferred?: string,
  ): string => chooseRepresentation(response, contentType, preferred).mediaType;

  it('takes the media type that the handler names, the most exact entry first', () => {
    const response = responseOf('*/*', 'text/*', 'text/plain');
    expect(choose(response, 'text/plain', 'text/*')).to.equal('text/plain');
    expect(choose(response, 'text/csv')).to.equal('text/*');
    expect(choose(response, 'image/png')).to.equal('*/*');
  });

  it('throws for a media type that the handler names and the contract does not have', () => {
    expect(() => choose(responseOf('text/plain'), 'text/html')).to.throw(
      'the media type text/html is not declared',
    );
  });

  it('takes what suits the client, else the first', () => {
    const response = responseOf('text/a', 'text/b');
    expect(choose(response, undefined, 'text/b')).to.equal('text/b');
    expect(choose(response, undefined, 'text/c')).to.equal('text/a');
    expect(choose(response)).to.equal('text/a');
  });

  it('throws where the status has none', () => {
    expect(() => choose(responseOf())).to.throw('the contract has no body for this status');
  });
});
