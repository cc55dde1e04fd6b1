/** Tests what is added to a document that exists: the parts that it lacks, and no other change. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'yaml';
import { documentText, extendedText, readExisting } from '../../../src/tools/record/document-file.js';
import type { RecordedDocument } from '../../../src/tools/record/recorded-document.js';
import type { Exchange } from '../../../src/tools/record/observed/observed-body.js';
import { type AnyDocument, documentOf, exchange } from './exchanges.js';

const EXISTING = `# The API of the house.
openapi: 3.1.0
info: { title: House, version: 2.0.0 } # by hand
servers:
  - url: https://example.com/v2
paths:
  /users/{name}:
    # Names are unique.
    parameters:
      - { name: name, in: path, required: true, schema: { type: string, maxLength: 9 } }
      - $ref: '#/components/parameters/Page'
    get:
      operationId: readUser
      summary: "Reads a user"
      responses:
        '200':
          description: The user
          content:
            application/json; charset=utf-8: { schema: { type: object } }
        4XX: { description: Refused }
    put:
      operationId: createUser
      responses:
        default: { description: Whatever }
  /moved:
    $ref: '#/components/pathItems/Moved'
components:
  parameters:
    Page: { name: page, in: query, schema: { type: integer } }
  schemas:
    Error: { type: string }
  securitySchemes:
    token: { type: http, scheme: Bearer }
  pathItems:
    Moved:
      get: { responses: { '200': { description: OK } } }
`;

const bearer = { headers: { Authorization: 'Bearer abcdef' } };

const EXCHANGES: readonly Exchange[] = [
  exchange('GET /v2/users/alice?page=1&sort=up', { ...bearer, answer: { a: 1 } }),
  exchange('GET /v2/users/bob', { ...bearer, answer: 'a,b', answerType: 'text/csv' }),
  exchange('GET /v2/users/carl', { status: 404, answer: { code: 'x' } }),
  exchange('PUT /v2/users/alice', { ...bearer, status: 201, body: { age: 1 }, answer: {} }),
  exchange('DELETE /v2/users/alice', { ...bearer, status: 204 }),
  exchange('POST /v2/users', { headers: { 'X-Api-Key': 'abcdef' }, status: 201, answer: { id: 1 } }),
  exchange('POST /v2/users', { status: 400, answer: { code: 'y' } }),
  exchange('GET /v2/moved', { answer: {} }),
];

describe('record: adding to a document', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-added-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  async function extended(
    text: string,
    exchanges = EXCHANGES,
  ): Promise<{ readonly text: string; readonly added: readonly string[] }> {
    const file = join(directory, 'openapi.yaml');
    await writeFile(file, text);
    const existing = await readExisting(file);
    const { templates, operationIds, basePath = '' } = existing;
    const document = documentOf(exchanges, { templates, basePath, taken: operationIds });
    return extendedText(existing, document as unknown as RecordedDocument);
  }

  it('keeps every line with its comments, and adds what is missing', async () => {
    const { text, added } = await extended(EXISTING);
    const lines = text.split('\n');
    let at = 0;
    for (const line of EXISTING.split('\n')) {
      const found = lines.indexOf(line, at);
      expect(found, line).to.be.at.least(at);
      at = found + 1;
    }
    expect(added).to.have.members([
      'paths /users/{name} get parameters sort',
      'paths /users/{name} get responses 200 content text/csv',
      'paths /users/{name} put requestBody',
      'paths /users/{name} delete',
      'paths /users post',
      'components schemas RecordedError',
      'components securitySchemes xApiKey',
    ]);
  });

  it('leaves members that are named like parts of an operation as they are', async () => {
    const answer = { security: 'x', $ref: 'y', id: 1 };
    const { text } = await extended(EXISTING, [exchange('GET /v2/rooms', { ...bearer, answer })]);
    const operation = (parse(text) as AnyDocument).paths['/rooms']?.['get'];
    expect(operation?.security).to.deep.equal([{ token: [] }]);
    expect(operation?.responses['200']?.content?.['application/json']?.schema).to.deep.equal({
      type: 'object',
      properties: { security: { type: 'string' }, $ref: { type: 'string' }, id: { type: 'integer' } },
      required: ['security', '$ref', 'id'],
    });
  });

  it('uses the names of the document, and none twice', async () => {
    const { paths, components } = parse((await extended(EXISTING)).text) as AnyDocument;
    expect(paths['/users/{name}']?.['delete']).to.deep.include({
      operationId: 'deleteUser',
      security: [{ token: [] }],
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
    });
    expect(paths['/users']?.['post']).to.deep.include({
      operationId: 'createUser2',
      security: [{ xApiKey: [] }],
    });
    expect(components.schemas).to.have.all.keys('Error', 'RecordedError');
    const error = paths['/users']?.['post']?.responses['400']?.content?.['application/json'];
    expect(error).to.deep.equal({ schema: { $ref: '#/components/schemas/RecordedError' } });
  });

  it('adds nothing the second time', async () => {
    const { text } = await extended(EXISTING);
    expect(await extended(text)).to.deep.equal({ text, added: [] });
  });

  it('adds to JSON as well, with its indentation', async () => {
    const json = `${JSON.stringify(parse(EXISTING), null, 4)}\n`;
    const { text, added } = await extended(json);
    expect(added).to.have.length(7);
    expect(parse(text)).to.deep.equal(parse((await extended(EXISTING)).text));
    expect(text).to.match(/^\{\n {4}"openapi"/);
    expect(await extended(text)).to.deep.equal({ text, added: [] });
  });

  it('finds statuses that are numbers, keeps other indentations, and adds nothing to aliases', async () => {
    const text = [
      'openapi: 3.1.0',
      'paths:',
      '    /a:',
      '        get: &get',
      '            tags:',
      '            - one # of them',
      '            responses:',
      '                200:',
      '                    description: >-',
      '                        folded',
      '                        text',
      '',
      '        put: *get',
      '',
    ].join('\n');
    const { text: written, added } = await extended(text, [
      exchange('GET /a', { answer: 1 }),
      exchange('PUT /a', { answer: 1 }),
    ]);
    expect(added).to.deep.equal(['paths /a get responses 200 content application/json']);
    const addition = [
      '                    content:',
      '                        application/json:',
      '                            schema:',
      '                                type: integer',
    ];
    expect(written).to.equal(text.replace(/text\n/, `text\n${addition.join('\n')}\n`));
  });

  it('adds to flow collections, empty values and documents with other line ends', async () => {
    const start =
      'openapi: 3.1.0\r\npaths:\r\n  "/a": { get: { responses: { "200": { description: OK } } } } # a\r\ncomponents:';
    const { text } = await extended(start, [
      exchange('GET /a?q=1', { ...bearer, answer: 1 }),
      exchange('PUT /a', { ...bearer, body: 1 }),
    ]);
    expect(
      text.startsWith(
        'openapi: 3.1.0\r\npaths:\r\n  "/a": { get: { responses: { "200": { description: OK, "content":',
      ),
    ).to.equal(true);
    expect(text.replaceAll('\r\n', '')).not.to.contain('\n');
    const { paths, components } = parse(text) as AnyDocument;
    expect(paths['/a']?.['get']?.parameters).to.have.length(1);
    expect(paths['/a']?.['put']?.requestBody).to.have.property('required', true);
    expect(components.securitySchemes).to.deep.equal({ bearerAuth: { type: 'http', scheme: 'bearer' } });
  });

  it('adds to YAML what it adds to JSON, and keeps each line, whatever was there before', async () => {
    const all = ['/a', '/a/b', '/c/1', '/c/2/d'].flatMap((path) =>
      ['GET', 'PUT', 'DELETE'].flatMap((method) => [
        exchange(`${method} ${path}?q=1`, { ...bearer, answer: { a: 1 } }),
        exchange(`${method} ${path}?r=1`, { ...bearer, body: [1], answer: 'x', answerType: 'text/plain' }),
        exchange(`${method} ${path}`, { status: 404, answer: { code: 'x' } }),
        exchange(`${method} ${path}`, { headers: { 'X-Api-Key': 'abcdef' }, status: 204 }),
      ]),
    );
    await fc.assert(
      fc.asyncProperty(fc.subarray(all), fc.subarray(all), async (before, after) => {
        // Without a path, `paths: {}` is one line.
        const document = documentOf([exchange('GET /'), ...before]) as unknown as RecordedDocument;
        const yaml = documentText(document, 'a.yaml');
        const { text, added } = await extended(yaml, after);
        const inJson = await extended(documentText(document, 'a.json'), after);
        expect(added).to.deep.equal(inJson.added);
        expect(parse(text)).to.deep.equal(JSON.parse(inJson.text));
        const lines = text.split('\n');
        let at = 0;
        for (const line of yaml.split('\n')) at = lines.indexOf(line, at) + 1 || Infinity;
        expect(at).to.be.below(Infinity);
        expect(await extended(text, after)).to.deep.equal({ text, added: [] });
      }),
      { numRuns: 30 },
    );
  });

  it('adds to a document without paths', async () => {
    const { text } = await extended('openapi: 3.1.0\ninfo: { title: x, version: "1" }\n', [
      exchange('GET /a'),
    ]);
    expect(text).to.match(
      /^openapi: 3\.1\.0\ninfo: \{ title: x, version: "1" \}\npaths:\n {2}\/a:\n {4}get:\n/,
    );
  });

  for (const text of ['swagger: "2.0"\n', 'openapi: 3.0.3\n', '- 1\n', '{"openapi":', 'a: [\n', '']) {
    it(`refuses ${JSON.stringify(text)}`, async () => {
      const error: unknown = await extended(text).catch((thrown: unknown) => thrown);
      expect(String(error)).to.match(
        /openapi\.yaml is (?:not a document of OpenAPI 3\.1 or 3\.2|neither YAML nor JSON)/,
      );
    });
  }
});
