/** `answerProblems` holds each item of a streamed answer against the `itemSchema` of its contract. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { answerProblems } from '@concordat/runtime/testing';
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
const parts = { anyOf: [tick, { contentMediaType: 'image/png' }] };
const TYPES = {
  '/lines': ['application/jsonl', tick],
  '/sequence': ['application/json-seq', tick],
  '/events': ['text/event-stream', event],
  '/texts': ['text/event-stream', { type: 'object', properties: { data: { maxLength: 3 } } }],
  '/parts': ['multipart/mixed; boundary="a b"', tick],
  '/notes': ['multipart/related; boundary=a', { type: 'string', maxLength: 3 }],
  '/pictures': ['multipart/mixed; boundary=a', parts],
} as const;

/** How the parts of the pictures are encoded. */
const encoding = {
  prefixEncoding: [{ contentType: 'application/json' }],
  itemEncoding: { contentType: 'image/png, image/jpeg' },
};

/** A part with its delimiter in front. */
const part = (content: string, headers = '', boundary = 'a'): string =>
  `--${boundary}\r\n${headers === '' ? '' : `${headers}\r\n`}\r\n${content}\r\n`;
const MULTIPART = 'body must be valid multipart:';
const png = 'Content-Disposition: inline\r\ncontent-type: IMAGE/PNG';

const document = {
  openapi: '3.2.0',
  info: { title: 'Streams', version: '1' },
  paths: Object.fromEntries(
    Object.entries(TYPES).map(([path, [contentType, itemSchema]]) => {
      const [mediaType = ''] = contentType.split(';');
      const media = { itemSchema, ...(path === '/pictures' && encoding) };
      return [
        path,
        { get: { responses: { 200: { description: 'Items', content: { [mediaType]: media } } } } },
      ];
    }),
  ) as object,
};

describe('answerProblems: streams', () => {
  let problemsOf: ReturnType<typeof answerProblems>;
  let directory = '';
  before(async () => {
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
    ['/parts', '--a b--'],
    ['/parts', `preamble\r\n${part('{"n":1}', '', 'a b')}${part('{"n":2}', '', 'a b')}--a b--\r\nepilogue`],
    ['/parts', `${part('{"n":1}', 'Content-Type:\r\n application/json', 'a b')}--a b\r\nConte`, true],
    ['/parts', `${part('{"n":1}', '', 'a b')}--a b \t\r\n\r\n{"n"`, true],
    ['/notes', `${part('abc')}${part('', 'Content-Type: text/plain; charset=utf-8')}--a--\r\n`],
    ['/pictures', `${part('{"n":1}')}${part('\u{fffd}PNG\r\n--\r\n', png)}--a--\r\n`],
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
    ['/parts', `${part('{"n":"1"}', '', 'a b')}--a b--`, false, 'body/0/n must be integer'],
    [
      '/parts',
      `${part('{"n":1}', '', 'a b')}${part('n', '', 'a b')}--a b`,
      true,
      'body/1 must be valid JSON',
    ],
    [
      '/parts',
      `${part('{}', 'Content-Type: text/plain', 'a b')}--a b`,
      true,
      'body/0 must be of type application/json',
    ],
    ['/parts', part('{"n":1}', '', 'a b'), false, `${MULTIPART} it ends before its last boundary`],
    ['/parts', '--a bc\r\n\r\n{"n":1}\r\n--a b--', false, `${MULTIPART} the headers of part 0 have no end`],
    ['/notes', `${part('abc')}${part('abcd')}--a--`, false, 'body/1 must NOT have more than 3 characters'],
    ['/pictures', `${part('{}', png)}--a--`, false, 'body/0 must be of type application/json'],
    [
      '/pictures',
      `${part('{"n":1}')}${part('x', 'Content-Type: text/html')}--a--`,
      false,
      'body/1 must be of type image/png, image/jpeg',
    ],
  ];
  for (const [path, text, isCut, problem] of broken) {
    it(`finds that ${problem} in ${JSON.stringify(text)}`, () => {
      expect(problems(path, text, isCut)).to.deep.equal([problem]);
    });
  }
});
