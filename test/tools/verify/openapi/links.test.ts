/** The calls that the links of an answer describe, from the values of the exchange. */
import { expect } from 'chai';
import type { OpenApiDocument } from '../../../../src/codegen/contract/schemas/document.js';
import type { ContractModel, OperationModel } from '../../../../src/codegen/contract/model/model.js';
import type { RequestParts } from '../../../../src/tools/running/wire-request.js';
import { linkedCalls } from '../../../../src/tools/verify/openapi/links.js';

const links = {
  all: {
    operationId: 'next',
    parameters: {
      fixed: 'x',
      method: '$method',
      status: '$statusCode',
      'path.id': '$request.path.id',
      of: '$request.query.of',
      tag: '$request.header.X-Tag',
      name: '$request.body#/a~1b/0',
      location: '$response.header.Location',
      size: '$response.body#/size',
    },
    requestBody: { sender: '$request.path.id', kind: 'copy' },
  },
  missing: { operationId: 'next', parameters: { id: '$response.body#/none' } },
  unknown: { parameters: {} },
};

const operation = {
  id: 'send',
  method: 'POST',
  pointer: '#/paths/~1things/post',
  responses: [{ status: '2XX', key: '2xx' }],
} as unknown as OperationModel;
const document = {
  paths: { '/things': { post: { responses: { '2xx': { links } } } } },
} as unknown as OpenApiDocument;
const parameter = (location: string, name: string, value: string) => ({
  parameter: { in: location, name },
  value,
});

describe('linkedCalls', () => {
  it('evaluates the expressions of links, and leaves out links without a value', () => {
    const parts = {
      operation,
      credentials: {},
      parameters: [
        parameter('path', 'id', '7'),
        parameter('query', 'of', 'a'),
        parameter('header', 'x-tag', 't'),
      ],
      body: { media: {}, value: { 'a/b': ['first'] } },
    } as unknown as RequestParts;
    const headers = { 'content-type': 'application/json', location: ['/things/8', '/other'] };
    const answer = { status: 201, headers, text: '{"size":3}' };
    const model = { operations: [operation] } as unknown as ContractModel;
    expect(linkedCalls(document, model, { parts, answer })).to.deep.equal([
      {
        name: 'all',
        operationId: 'next',
        parameters: {
          fixed: 'x',
          method: 'POST',
          status: 201,
          'path.id': '7',
          of: 'a',
          tag: 't',
          name: 'first',
          location: '/things/8',
          size: 3,
        },
        body: { sender: '7', kind: 'copy' },
      },
    ]);
  });
});
