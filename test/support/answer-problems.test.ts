/** Tests the response checks that all black-box suites use: they accept only what the contract declares. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { generateContract, removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import type { Node } from '../contract/contract-document.js';
import { compileAnswerProblems } from './answer-problems.js';
import type { HttpAnswer } from './send.js';

const json = (schema: string): object => ({ schema: { $ref: `#/components/schemas/${schema}` } });

const document: Node = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        responses: {
          '200': {
            description: 'The things.',
            headers: { 'X-Total': { required: true, schema: { type: 'integer' } } },
            content: { 'application/json': json('Things'), 'application/xml': json('Things') },
          },
        },
      },
    },
    '/things/{id}': {
      delete: {
        operationId: 'deleteThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { '204': { description: 'It is gone.' }, '404': { $ref: '#/components/responses/Lost' } },
      },
    },
  },
  components: {
    responses: { Lost: { description: 'There is none.', content: { 'application/json': json('Error') } } },
    schemas: {
      Error: {
        type: 'object',
        required: ['error'],
        additionalProperties: false,
        properties: { error: { type: 'string' } },
      },
      Things: {
        anyOf: [{ $ref: '#/components/schemas/ThingList' }, { $ref: '#/components/schemas/ThingPage' }],
      },
      ThingList: { type: 'array', xml: { name: 'things' }, items: { $ref: '#/components/schemas/Thing' } },
      ThingPage: {
        type: 'object',
        required: ['data'],
        additionalProperties: false,
        properties: { data: { $ref: '#/components/schemas/ThingList' } },
      },
      Thing: {
        type: 'object',
        required: ['size'],
        additionalProperties: false,
        properties: {
          size: { type: 'number' },
          isBig: { type: 'boolean' },
          next: { type: ['string', 'null'] },
        },
      },
    },
  },
};

let problemsOf: ReturnType<typeof compileAnswerProblems>;
const list = { 'content-type': 'application/json', vary: 'Accept', 'x-total': '1' };
const xml = { ...list, 'content-type': 'application/xml' };
const error = { 'content-type': 'application/json', vary: 'Accept' };

function problems(
  request: string,
  status: number,
  headers: HttpAnswer['headers'],
  text = '',
): readonly string[] {
  const [method = '', path = ''] = request.split(' ');
  return problemsOf({ method, path }, { status, headers, text });
}

describe('compileAnswerProblems', () => {
  let directory = '';
  before(async () => {
    directory = await temporaryPackage();
    const openapi = join(directory, 'openapi.json');
    await writeFile(openapi, JSON.stringify(document));
    problemsOf = compileAnswerProblems(document, await generateContract(directory, { openapi }));
  });
  after(() => removeDirectory(directory));

  const accepted: readonly Parameters<typeof problems>[] = [
    ['GET /things?x=1', 200, list, '[{"size":1}]'],
    ['GET /things', 200, list, '{"data":[]}'],
    ['GET /things', 200, xml, '<things><item><size>1.5</size><isBig>true</isBig><next/></item></things>'],
    ['GET /things', 200, xml, '<thingPage><data/></thingPage>'],
    ['HEAD /things', 200, list],
    ['DELETE /things/1', 204, {}],
    // RFC 9110 §15.3.5 does not forbid it.
    ['DELETE /things/1', 204, { 'content-type': 'text/plain' }],
    ['DELETE /things/1', 404, error, '{"error":"Lost"}'],
    ['OPTIONS /things', 204, { allow: 'GET, HEAD, OPTIONS' }],
    ['GET /things/1', 405, { ...error, allow: 'OPTIONS, DELETE' }, '{"error":"No"}'],
    ['GET /nothing', 404, error, '{"error":"Not found"}'],
  ];
  for (const exchange of accepted) {
    it(`accepts ${JSON.stringify(exchange)}`, () => {
      expect(problems(...exchange)).to.deep.equal([]);
    });
  }

  const refused: readonly (readonly [exchange: Parameters<typeof problems>, reason: string])[] = [
    [['GET /things', 404, error, '{"error":"Lost"}'], 'the status 404 is not declared'],
    [
      ['GET /things', 200, { ...list, 'content-type': 'text/html' }, '[]'],
      'media type text/html is not declared',
    ],
    [['GET /things', 200, { ...list, 'x-other': '1' }, '[]'], 'the header x-other is not declared'],
    [['GET /things', 200, { ...list, 'x-total': 'one' }, '[]'], 'headers/X-Total must be integer'],
    [['GET /things', 200, { ...error }, '[]'], 'the header X-Total is missing'],
    [['GET /things', 200, { ...list, vary: 'Accept-Language' }, '[]'], 'Vary does not name Accept'],
    [['GET /things', 200, list, '[{"size":"1"}]'], 'body/0/size must be number'],
    [['GET /things', 200, list, '[{"size":1,"id":1}]'], 'body/0 must NOT have additional properties'],
    [['GET /things', 200, list, '[{'], 'the body is not application/json'],
    [['GET /things', 200, xml, '<list/>'], "the root element list is not the schema's"],
    [['GET /things', 200, xml, '<things><item/></things>'], "body/0 must have required property 'size'"],
    [['GET /things', 200, xml, '<things><item><size>x</size></item></things>'], 'body/0/size must be number'],
    [['GET /things', 200, xml, '<things><thing/></things>'], 'body must be array'],
    [['GET /things', 200, xml, '<things>'], 'the body is not application/xml'],
    [['HEAD /things', 200, list, '[]'], 'HEAD has no body'],
    [['DELETE /things/1', 204, {}, 'gone'], 'this status has no body'],
    [['OPTIONS /things', 200, { allow: 'GET, HEAD, OPTIONS' }], 'OPTIONS must be 204 here'],
    [['OPTIONS /things', 204, { allow: 'GET' }], 'Allow must list GET, HEAD, OPTIONS, not GET'],
    [['PUT /things', 404, error, '{"error":"Not found"}'], 'PUT must be 405 here'],
    [['PUT /things', 405, error, '{"error":"No"}'], 'Allow must list GET, HEAD, OPTIONS, not '],
    [['GET /nothing', 200, list, '[]'], 'an unknown path must be 404'],
    [['GET /nothing', 404, error, '{"message":"Not found"}'], "body must have required property 'error'"],
    [
      ['GET /nothing', 404, { 'content-type': 'text/plain' }, 'Not Found'],
      'media type text/plain is not declared',
    ],
  ];
  for (const [exchange, reason] of refused) {
    it(`says "${reason}" of ${JSON.stringify(exchange)}`, () => {
      expect(problems(...exchange).join()).to.include(reason);
    });
  }
});
