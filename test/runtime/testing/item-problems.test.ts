/** `answerProblems` holds each item of a streamed answer against the `itemSchema` of its contract. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { answerProblems } from 'concordat/testing';
import { generateContract, removeDirectory, temporaryPackage } from '../../codegen/generated-contract.js';

const tick = {
  type: 'object',
  required: ['n'],
  additionalProperties: false,
  properties: { n: { type: 'integer' } },
};
const event = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'string', contentMediaType: 'application/json', contentSchema: tick } },
};
const TYPES = {
  '/lines': ['application/jsonl', tick],
  '/sequence': ['application/json-seq', tick],
  '/events': ['text/event-stream', event],
  '/texts': ['text/event-stream', { type: 'object', properties: { data: { maxLength: 3 } } }],
} as const;

const document = {
  openapi: '3.2.0',
  info: { title: 'Streams', version: '1' },
  paths: Object.fromEntries(
    Object.entries(TYPES).map(([path, [mediaType, itemSchema]]) => [
      path,
      { get: { responses: { 200: { description: 'Items', content: { [mediaType]: { itemSchema } } } } } },
    ]),
  ) as object,
};

describe('answerProblems: streams', () => {
  let problemsOf: ReturnType<typeof answerProblems>;
  let directory = '';
  before(async function () {
    this.timeout(30_000);
    directory = await temporaryPackage();
    const openapi = join(directory, 'openapi.json');
    await writeFile(openapi, JSON.stringify(document));
    problemsOf = answerProblems(await generateContract(directory, { openapi }));
  });
  after(() => removeDirectory(directory));

  const problems = (path: keyof typeof TYPES, text: string, isCut = false): readonly string[] =>
    problemsOf(
      { method: 'GET', path },
      { status: 200, headers: { 'content-type': TYPES[path][0] }, text, isCut },
    );

  const fine: readonly Parameters<typeof problems>[] = [
    ['/lines', ''],
    ['/lines', '{"n":1}\n\n{"n":2}'],
    ['/lines', '{"n":1}\n{"n"', true],
    ['/sequence', '\x1e{"n":1}\n\x1e{"n":2}\n'],
    ['/sequence', '\x1e{"n":1}\n\x1e{"n', true],
    ['/events', ': a comment\n\ndata: {"n":1}\n\nevent: tick\r\ndata: {"n":2}\r\n\r\n'],
    // An event that is not completed is none (HTML, "Interpreting an event stream").
    ['/events', 'data: {"n":1}\n\ndata: {"n":"'],
    ['/texts', 'data: abc\n\n'],
  ];
  for (const given of fine) {
    it(`accepts ${JSON.stringify(given)}`, () => {
      expect(problems(...given)).to.deep.equal([]);
    });
  }

  const broken: readonly (readonly [...Parameters<typeof problems>, problem: string])[] = [
    ['/lines', '{"n":1}\n{"n":"2"}\n', false, 'body/1/n must be integer'],
    ['/lines', '{"n":1}\n{"n"', false, 'body/1 must be valid JSON'],
    ['/lines', '{"n":1}\n{}\n{"n"', true, "body/1 must have required property 'n'"],
    ['/sequence', '{"n":1}\n', false, 'body/0 must start with a record separator'],
    ['/sequence', '\x1e{"n":1}\n\x1e{"m":1}\n\x1e', true, "body/1 must have required property 'n'"],
    ['/events', 'data: {"n":1}\n\ndata: {"n":1.5}\n\n', true, 'body/1/data/n must be integer'],
    ['/events', 'data: text\n\n', false, 'body/0/data must be valid JSON'],
    ['/texts', 'data: abcd\n\n', false, 'body/0/data must NOT have more than 3 characters'],
  ];
  for (const [path, text, isCut, problem] of broken) {
    it(`finds that ${problem} in ${JSON.stringify(text)}`, () => {
      expect(problems(path, text, isCut)).to.deep.equal([problem]);
    });
  }
});
