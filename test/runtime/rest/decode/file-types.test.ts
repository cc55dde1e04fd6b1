/** Files of a multipart body are held to the media types of their encoding. */
import { expect } from 'chai';
import { DecodeError } from '../../../../src/runtime/rest/decode/mismatch.js';
import { compileMultipart } from '../../../../src/runtime/rest/decode/forms.js';

const image = { type: 'file', contentTypes: ['image/*', 'application/pdf'] } as const;
const decode = compileMultipart({
  one: { style: 'form', explode: true, value: image },
  many: { style: 'form', explode: true, value: { type: 'array', items: image } },
});

async function decodeFiles(files: readonly (readonly [field: string, type: string])[]): Promise<unknown> {
  const parts = new FormData();
  for (const [field, type] of files) parts.append(field, new File(['x'], 'name', { type }));
  const carrier = new Response(parts);
  return decode(new Uint8Array(await carrier.arrayBuffer()), carrier.headers.get('content-type') ?? '');
}

describe('the media type of a file', () => {
  for (const type of ['image/png', 'image/svg+xml; charset=utf-8', 'IMAGE/PNG', 'application/pdf']) {
    it(`may be ${type}`, async () => {
      expect(await decodeFiles([['one', type]]))
        .to.have.property('one')
        .instanceOf(File);
    });
  }

  for (const type of ['text/plain', 'application/json', 'image', 'imagex/png', '']) {
    it(`may not be "${type}"`, async () => {
      const failure = await decodeFiles([['one', type]]).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(DecodeError);
      expect(String(failure)).to.include('body/one must be a file of type image/*, application/pdf');
    });
  }

  it('is that of every file of a list', async () => {
    expect(
      await decodeFiles([
        ['many', 'image/png'],
        ['many', 'image/gif'],
      ]),
    ).to.have.property('many');
    const failure = await decodeFiles([
      ['many', 'image/png'],
      ['many', 'text/plain'],
    ]).catch(String);
    expect(failure).to.include('body/many must be a file of type');
  });
});
