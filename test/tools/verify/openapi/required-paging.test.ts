/** `concordat verify` reads a list from its start, also where the parameters of its pages are required. */

import { expect } from 'chai';
import { verifyDocument } from './verify-document.js';

const boat = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const boats = Array.from({ length: 5 }, (_, index) => ({ id: String(index) }));
const required = (name: string, schema: object): object => ({
  ...{ name, in: 'query', required: true, schema: { type: 'integer', ...schema } },
});

describe('a list whose paging is required', () => {
  for (const [name, lowest, schema] of [
    ['offset', 0, { minimum: 0 }],
    ['offset', 0, { minimum: 0, examples: [3] }],
    ['page', 1, { minimum: 1, examples: [2] }],
    ['page', 0, { minimum: 0, examples: [2] }],
  ] as const) {
    it(`has all items from its ${name} ${JSON.stringify(schema)}`, async () => {
      const page = {
        type: 'object',
        required: ['items', 'total'],
        properties: { items: { type: 'array', items: boat }, total: { type: 'integer' } },
      };
      const parameters = [required(name, schema), required('limit', { minimum: 1, maximum: 50 })];
      const content = { 'application/json': { schema: page } };
      const responses = { 200: { description: 'Boats', content }, 400: { description: 'Refused' } };
      const { violations } = await verifyDocument(
        {
          ...{ openapi: '3.1.0', info: { title: 'Boats', version: '1' } },
          paths: { '/boats': { get: { parameters, responses } } },
        },
        ({ method = '', url = '/' }, response) => {
          if (!['GET', 'HEAD'].includes(method)) {
            response.writeHead(405, { allow: 'GET, HEAD, OPTIONS' }).end();
            return;
          }
          const query = new URL(url, 'http://localhost').searchParams;
          const [first, limit] = [name, 'limit'].map((each) => query.get(each) ?? '');
          const isFit = [first, limit].every((each = '') => /^\d+$/.test(each));
          if (!isFit || Number(first) < lowest || Number(limit) < 1 || Number(limit) > 50) {
            response.writeHead(400).end();
            return;
          }
          const start = name === 'offset' ? Number(first) : (Number(first) - lowest) * Number(limit);
          const items = boats.slice(start, start + Number(limit));
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ items, total: boats.length }));
        },
      );
      expect(violations.map(({ rule, about, message }) => [rule, about, message])).to.deep.equal([]);
    });
  }
});
