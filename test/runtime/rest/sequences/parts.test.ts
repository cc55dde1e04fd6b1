/** Multipart bodies part by part: what other writers send is read, however it is cut, and what is malformed is refused. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { PartFields } from '../../../../src/runtime/contract/contract.js';
import { readMultipart } from '../../../../src/runtime/rest/sequences/multipart.js';
import { type FormPart, compileParts } from '../../../../src/runtime/rest/sequences/read-parts.js';
import { all, inPieces, readUntilProblem, splits } from './pieces.js';

const LIMIT = 1000;
const BOUNDARY = 'multipart/form-data; boundary=b';

const anyFields: PartFields = {
  text: { value: { type: 'string' }, several: true },
  file: { value: { type: 'file' }, several: true },
};

/** A part with its file read. */
async function whole(part: FormPart): Promise<object> {
  if ('value' in part) return part;
  return { ...part, body: Buffer.concat(await all(part.body)).toString('latin1') };
}

async function* wholeParts(parts: AsyncIterable<FormPart>): AsyncGenerator<object, void, void> {
  for await (const part of parts) yield await whole(part);
}

/** What the fields read of a form that the platform writes, cut at these lengths. */
async function readForm(
  form: FormData,
  fields: PartFields = anyFields,
  lengths: readonly number[] = [],
): Promise<readonly unknown[]> {
  const carrier = new Response(form);
  const contentType = carrier.headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await carrier.arrayBuffer());
  return readUntilProblem(
    wholeParts(compileParts(fields, false)(inPieces(bytes, lengths), contentType, LIMIT)),
  );
}

function formOf(entries: readonly (readonly [string, string | File])[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

const read = (body: string, fields: PartFields = anyFields, closed = false): Promise<readonly unknown[]> =>
  readUntilProblem(wholeParts(compileParts(fields, closed)(inPieces(body), BOUNDARY, LIMIT)));

const part = (headers: string, content: string): string => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const named = (name: string, content: string): string =>
  part(`Content-Disposition: form-data; name="${name}"`, content);

describe('a form that is read part by part', () => {
  it('gives what the platform wrote, however it is cut', () => {
    const fileName = fc.string({ unit: 'grapheme', minLength: 1 });
    const entry = fc.oneof(
      fc.record({ text: fc.string({ unit: 'binary' }) }),
      fc.record({ filename: fileName, body: fc.uint8Array({ maxLength: 50 }) }),
    );
    return fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 4 }), splits, async (entries, lengths) => {
        const form = formOf(
          entries.map((each) =>
            'text' in each
              ? ['text', each.text]
              : ['file', new File([each.body], each.filename, { type: 'image/png' })],
          ),
        );
        const expected = [...form.entries()].map(([name, value]) => ({ name, value }));
        const found = (await readForm(form, anyFields, lengths)) as readonly {
          readonly filename?: string;
          readonly body?: string;
          readonly value?: string;
        }[];
        expect(found).to.have.length(expected.length);
        for (const [index, { value }] of expected.entries()) {
          if (typeof value === 'string') {
            // The platform writes every line break as CR LF (HTML, "Constructing the entry list").
            expect(found[index]?.value).to.equal(value.replaceAll(/\r\n|\r|\n/g, '\r\n'));
          } else {
            expect(found[index]?.filename).to.equal(value.name.replaceAll(/\r\n|\r|\n/g, '\r\n'));
            const bytes = Buffer.from(await value.arrayBuffer()).toString('latin1');
            expect(found[index]?.body).to.equal(bytes);
          }
        }
      }),
    );
  });

  const fields: PartFields = {
    title: { value: { type: 'string' }, required: true, check: (value) => String(value).length > 1 },
    size: { value: { type: 'integer' } },
    place: { value: { type: 'json' } },
    photo: { value: { type: 'file', contentTypes: ['image/*'] } },
  };

  it('decodes and checks each field', async () => {
    const found = await readForm(
      formOf([
        ['title', 'ab'],
        ['size', '7'],
        ['place', '{"a":1}'],
      ]),
      fields,
    );
    expect(found).to.deep.equal([
      { name: 'title', value: 'ab' },
      { name: 'size', value: 7 },
      { name: 'place', value: { a: 1 } },
    ]);
    expect(await readForm(formOf([['title', 'a']]), fields)).to.deep.equal(['400 body/title is not valid']);
    expect(await readForm(formOf([['size', 'x']]), fields)).to.deep.equal(['400 body/size must be integer']);
    expect(await readForm(formOf([['size', '7']]), fields)).to.deep.equal([
      { name: 'size', value: 7 },
      "400 body must have required property 'title'",
    ]);
    expect(
      await readForm(
        formOf([
          ['size', '7'],
          ['size', '8'],
        ]),
        fields,
      ),
    ).to.deep.equal([{ name: 'size', value: 7 }, '400 body/size must be given once']);
    expect(await readForm(formOf([['title', 'a'.repeat(LIMIT + 1)]]), fields)).to.deep.equal([
      '413 The body must not be larger than 1000 bytes',
    ]);
  });

  it('takes files of the right type only', async () => {
    const photo = (type: string): readonly [string, File] => ['photo', new File(['abc'], 'a.x', { type })];
    expect(await readForm(formOf([['title', 'ab'], photo('image/png')]), fields)).to.deep.include({
      name: 'photo',
      filename: 'a.x',
      contentType: 'image/png',
      body: 'abc',
    });
    expect(await readForm(formOf([photo('text/plain')]), fields)).to.deep.equal([
      '400 body/photo must be a file of type image/*',
    ]);
    expect(await readForm(formOf([['photo', 'text']]), fields)).to.deep.equal([
      '400 body/photo must be a file',
    ]);
    const nothingChosen = part('Content-Disposition: form-data; name="photo"; filename=""', '');
    expect(await read(`${named('title', 'ab')}${nothingChosen}--b--`, fields)).to.deep.equal([
      { name: 'title', value: 'ab' },
    ]);
  });

  it('skips parts that the contract does not name, or refuses them where the form is closed', async () => {
    const body = `${named('other', 'x')}${named('text', 'y')}--b--`;
    expect(await read(body)).to.deep.equal([{ name: 'text', value: 'y' }]);
    expect(await read(body, anyFields, true)).to.deep.equal([
      '400 body must NOT have additional properties: other',
    ]);
    expect(await read(`${named('constructor', 'x')}--b--`)).to.deep.equal([]);
  });

  it('reads what other clients write', async () => {
    const disposition = String.raw`content-disposition:form-data; filename="a\"b.txt"; NAME=file`;
    expect(await read(`preamble\r\n--b \t\r\n${disposition}\r\n\r\nx\r\n--b--\r\nepilogue`)).to.deep.equal([
      { name: 'file', filename: 'a"b.txt', contentType: 'text/plain', body: 'x' },
    ]);
    const folded = 'Content-Disposition: form-data;\r\n  name="text"\r\nX-Other: 1';
    expect(await read(`${part(folded, 'x')}--b--`)).to.deep.equal([{ name: 'text', value: 'x' }]);
    expect(await read('--b--')).to.deep.equal([]);
    const quoted = readMultipart(inPieces('--a b--'), 'multipart/mixed; boundary="a b"; x=y');
    expect(await all(quoted)).to.deep.equal([]);
  });

  const malformed: readonly (readonly [what: string, body: string, problem: string])[] = [
    ['nothing', '', 'it ends before its last boundary'],
    ['no last boundary', named('text', 'x'), 'it ends before its last boundary'],
    ['text behind a boundary', '--bx\r\n\r\n', 'a boundary is followed by text'],
    ['a header without a name', '--b\r\nabc\r\n\r\n', 'a header of a part has no name'],
    ['long headers', `--b\r\na: ${'x'.repeat(17_000)}`, 'the headers of a part are too long'],
    ['endless headers', `--b\r\n${'a: x\r\n'.repeat(5_000)}`, 'the headers of a part are too long'],
  ];
  for (const [what, body, problem] of malformed) {
    it(`refuses a body with ${what}`, async () => {
      const found = await read(body);
      expect(found.at(-1)).to.equal(`400 body must be valid multipart: ${problem}`);
    });
  }

  it('refuses a body without a boundary, or with one that is too long', async () => {
    const problems = async (contentType: string): Promise<readonly unknown[]> =>
      readUntilProblem(readMultipart(inPieces('--b--'), contentType));
    expect(await problems('multipart/form-data')).to.deep.equal([
      '400 body must be valid multipart: the Content-Type has no boundary',
    ]);
    expect(await problems(`multipart/form-data; boundary=${'b'.repeat(71)}`)).to.deep.equal([
      '400 body must be valid multipart: the boundary is too long',
    ]);
  });

  it('refuses a part without a name', async () => {
    for (const headers of ['X: y', 'Content-Disposition: attachment; name="text"']) {
      expect(await read(`${part(headers, 'x')}--b--`)).to.deep.equal([
        '400 body must be valid multipart/form-data: a part has no name',
      ]);
    }
  });

  it('skips what is not read of a file, and gives it nothing of the next part', async () => {
    const file = part('Content-Disposition: form-data; name="file"; filename="a"', 'abcdef');
    const parts = compileParts(anyFields, false)(
      inPieces(`${file}${named('text', 'x')}--b--`, [80, 3]),
      BOUNDARY,
      LIMIT,
    );
    const first = await parts.next();
    if (first.done === true || !('body' in first.value)) throw new Error('there is no file');
    const content = first.value.body[Symbol.asyncIterator]();
    expect((await content.next()).done).to.equal(false);
    expect((await parts.next()).value).to.deep.equal({ name: 'text', value: 'x' });
    expect(await content.next()).to.deep.equal({ done: true, value: undefined });
    expect((await parts.next()).done).to.equal(true);
  });

  it('releases the body when it is left', async () => {
    let isReleased = false;
    async function* body(): AsyncGenerator<Uint8Array, void, void> {
      try {
        for (;;) yield* inPieces(named('text', 'x'));
      } finally {
        isReleased = true;
      }
    }
    for await (const each of compileParts(anyFields, false)(body(), BOUNDARY, LIMIT)) {
      expect(each).to.deep.equal({ name: 'text', value: 'x' });
      break;
    }
    expect(isReleased).to.equal(true);
  });
});
