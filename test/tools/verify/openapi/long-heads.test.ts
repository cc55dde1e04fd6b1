/** `concordat verify` sends no request whose head a server may refuse for its length alone. */

import { expect } from 'chai';
import { verifyDocument } from './verify-document.js';

describe('concordat verify, where parameters have long values', () => {
  it('sends those that every server reads', async () => {
    const lengths: number[] = [];
    const long = (name: string, place: string, minLength?: number): object => ({
      ...{ name, in: place, required: minLength !== undefined },
      schema: { type: 'string', maxLength: 20_000, minLength },
    });
    const responses = { 204: { description: 'Done' }, 400: { description: 'Refused' } };
    const parameters = [long('text', 'query'), long('X-Text', 'header')];
    const document = {
      openapi: '3.1.0',
      info: { title: 'Long', version: '1' },
      paths: {
        '/optional': { get: { parameters, responses } },
        '/required': { get: { parameters: [long('text', 'query', 9000)], responses } },
      },
    };
    await verifyDocument(document, ({ url = '', rawHeaders }, response) => {
      lengths.push([url, ...rawHeaders].join('').length);
      response.writeHead(204).end();
    });
    expect(lengths).not.to.be.empty;
    expect(Math.max(...lengths)).to.be.below(9000);
  });
});
