/** Tests that a file of a form arrives with its bytes, however the contract says that it is a file. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { memoryRequest } from '@concordat/runtime';
import { generateContract, removeDirectory, temporaryPackage } from './generated-contract.js';
import { bodyOf } from './written-contract.js';

const BYTES = Uint8Array.of(0xff, 0xd8, 0x00, 0x80, 0x0d, 0x0a);
const file = { type: 'string', format: 'binary' };
const image = { type: 'string', contentMediaType: 'application/octet-stream' };
const nothing = { type: 'null' };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** The fields of a form that are files, and those that are lists of files. */
const FORMS: Readonly<Record<string, { readonly one: object; readonly list: object }>> = {
  '3.0.3': {
    one: {
      plain: file,
      named: ref('File'),
      wrapped: { allOf: [ref('File')], nullable: true },
      alternative: { oneOf: [file], description: 'A file' },
      renamed: ref('Renamed'),
    },
    list: {
      plainList: { type: 'array', items: file },
      wrappedItems: { type: 'array', items: { allOf: [ref('File')] }, nullable: true },
      wrappedList: { allOf: [ref('Files')] },
    },
  },
  '3.1.0': {
    one: {
      optional: { anyOf: [file, nothing], title: 'Photo' },
      optionalNamed: { oneOf: [nothing, ref('File')] },
      media: { anyOf: [image, nothing] },
      single: { oneOf: [file] },
      renamed: ref('Renamed'),
      union: { type: ['string', 'null'], format: 'binary' },
      untyped: { allOf: [{}] },
    },
    list: {
      optionalList: { anyOf: [{ type: 'array', items: file }, nothing] },
      optionalItems: { type: 'array', items: { anyOf: [image, nothing] } },
      namedList: { anyOf: [ref('Files'), nothing] },
      bothOptional: { anyOf: [{ type: 'array', items: { anyOf: [ref('Renamed'), nothing] } }, nothing] },
    },
  },
};

describe('a file of a form', () => {
  for (const [version, { one, list }] of Object.entries(FORMS)) {
    it(`arrives with its bytes, OpenAPI ${version}`, async () => {
      const schemas = {
        File: file,
        Renamed: { allOf: [ref('File')] },
        Files: { type: 'array', items: ref('File') },
      };
      const properties = { ...one, ...list };
      const media = { schema: { type: 'object', properties } };
      const document = bodyOf('multipart/form-data', media, { components: { schemas } }, version);
      const directory = await temporaryPackage();
      try {
        const openapi = join(directory, 'openapi.json');
        await writeFile(openapi, JSON.stringify(document));
        const { start } = await generateContract(directory, { openapi });
        let received: Record<string, File | File[]> = {};
        const engine = start({
          operations: {
            a: ({ body }: { readonly body: typeof received }) => {
              received = body;
              return { status: 204 };
            },
          },
        });
        const form = new FormData();
        for (const name of Object.keys(one)) form.append(name, new File([BYTES], `${name}.bin`));
        for (const name of Object.keys(list))
          for (const each of ['1', '2']) form.append(name, new File([BYTES], `${name}${each}.bin`));
        const sent = new Response(form);
        const body = new Uint8Array(await sent.arrayBuffer());
        const headers = {
          'content-type': sent.headers.get('content-type') ?? '',
          'content-length': String(body.length),
        };
        const answer = await engine(memoryRequest({ method: 'POST', path: '/a', headers, body }));
        expect(answer.status, JSON.stringify(answer.body)).to.equal(204);
        expect(Object.keys(received).sort()).to.deep.equal(Object.keys(properties).sort());
        for (const [name, value] of Object.entries(received)) {
          expect(Array.isArray(value), name).to.equal(name in list);
          for (const each of [value].flat()) {
            expect(each, name).to.be.instanceOf(File);
            expect(new Uint8Array(await each.arrayBuffer()), name).to.deep.equal(BYTES);
          }
        }
      } finally {
        await removeDirectory(directory);
      }
    });
  }
});
