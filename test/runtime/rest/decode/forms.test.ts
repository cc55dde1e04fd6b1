/** Form bodies, urlencoded and multipart. */
import { expect } from 'chai';
import type { FieldCodec, FieldCodecs } from '../../../../src/runtime/contract/contract.js';
import { DecodeError } from '../../../../src/runtime/rest/decode/mismatch.js';
import { compileForm, compileMultipart } from '../../../../src/runtime/rest/decode/forms.js';
import { refusalOf } from './decode-one.js';

const field = (value: FieldCodec['value'], more: Partial<FieldCodec> = {}): FieldCodec => {
  return { style: 'form', explode: true, value, ...more };
};
const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const integers = { type: 'array', items: integer } as const;
const object = { type: 'object', properties: { R: integer, G: integer } } as const;

const fields: FieldCodecs = {
  name: field(string),
  age: field(integer, { default: 18 }),
  ids: field(integers),
  list: field(integers, { explode: false }),
  piped: field(integers, { style: 'pipeDelimited', explode: false }),
  color: field(object, { style: 'deepObject' }),
  meta: field({ type: 'json' }),
};

describe('compileForm', () => {
  const urlencoded = 'application/x-www-form-urlencoded';
  const decode = (body: string | Uint8Array, contentType = urlencoded) =>
    compileForm(fields)(typeof body === 'string' ? new TextEncoder().encode(body) : body, contentType);

  it('reads fields by their style and type', () => {
    const body =
      'name=J%C3%BCrgen+B&age=7&ids=1&ids=2&list=3,4&piped=5%7C6&color[R]=1&meta=%7B%22a%22%3A%5B1%5D%7D';
    expect(decode(body)).to.deep.equal({
      name: 'Jürgen B',
      age: 7,
      ids: [1, 2],
      list: [3, 4],
      piped: [5, 6],
      color: { R: 1 },
      meta: { a: [1] },
    });
  });

  it('puts defaults where fields are absent, and nothing else', () => {
    expect(decode('')).to.deep.equal({ age: 18 });
  });

  it('keeps fields without a codec as text', () => {
    expect(decode('x=1&y=a+b&y=%26')).to.deep.equal({ age: 18, x: '1', y: ['a b', '&'] });
    expect(Object.entries(decode('__proto__=1'))).to.deep.equal([
      ['age', 18],
      ['__proto__', '1'],
    ]);
  });

  it('reads an exploded object, with the fields that are left if it may have any', () => {
    const body = Buffer.from('R=1&x=2&name=Ann');
    expect(compileForm({ name: field(string), color: field(object) })(body, urlencoded)).to.deep.equal({
      name: 'Ann',
      color: { R: 1 },
      x: '2',
    });
    const free = field({ ...object, additional: integer });
    expect(compileForm({ name: field(string), color: free })(body, urlencoded)).to.deep.equal({
      name: 'Ann',
      color: { R: 1, x: 2 },
    });
  });

  const refused: readonly (readonly [body: string | Uint8Array, sentence: string, contentType?: string])[] = [
    ['age=x', 'body/age must be integer'],
    ['age=1&age=2', 'body/age must be given once'],
    ['ids=1&ids=x', 'body/ids/1 must be integer'],
    ['color[R]=x', 'body/color/R must be integer'],
    ['name=%zz', 'body/name is not valid percent-encoding'],
    ['other=%zz', 'body/other is not valid percent-encoding'],
    ['other=1&other=%zz', 'body/other/1 is not valid percent-encoding'],
    ['%zz=1', 'body is not valid percent-encoding'],
    [Uint8Array.of(0x61, 0x3d, 0xff), 'body is not valid UTF-8'],
    ['name=x', 'body must be UTF-8', `${urlencoded}; charset=iso-8859-1`],
  ];
  for (const [body, sentence, contentType] of refused) {
    it(`refuses ${String(body)}${contentType ? ` as ${contentType}` : ''}: ${sentence}`, () => {
      expect(refusalOf(() => decode(body, contentType))).to.equal(sentence);
    });
  }

  it('takes UTF-8 under its names', () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'us-ascii']) {
      expect(decode('name=x', `${urlencoded}; charset=${charset}`)).to.include({ name: 'x' });
    }
  });
});

describe('compileMultipart', () => {
  const uploads: FieldCodecs = {
    ...fields,
    avatar: field({ type: 'file' }),
    photos: field({ type: 'array', items: { type: 'file' } }),
  };

  /** Decodes a form as the platform sends it. */
  async function decode(entries: readonly (readonly [name: string, value: string | File])[]) {
    const form = new FormData();
    for (const [name, value] of entries) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value);
    }
    const message = new Response(form);
    const bytes = new Uint8Array(await message.arrayBuffer());
    return compileMultipart(uploads)(bytes, message.headers.get('content-type') ?? '');
  }

  async function refusal(decoding: Promise<unknown>): Promise<string> {
    const outcome = await decoding.catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(DecodeError);
    return (outcome as DecodeError).message;
  }

  const file = (name: string, content = 'content') => new File([content], name, { type: 'text/plain' });

  it('reads fields by their style and type, without percent-encoding', async () => {
    expect(
      await decode([
        ['name', '50%+é'],
        ['ids', '1'],
        ['ids', '2'],
        ['list', '3,4'],
        ['color[R]', '1'],
        ['meta', '{"a":[1]}'],
        ['other', '%41'],
      ]),
    ).to.deep.equal({
      age: 18,
      name: '50%+é',
      ids: [1, 2],
      list: [3, 4],
      color: { R: 1 },
      meta: { a: [1] },
      other: '%41',
    });
  });

  it('gives files as they came', async () => {
    const { avatar, photos } = await decode([
      ['avatar', file('me.txt', 'me')],
      ['photos', file('1.txt')],
      ['photos', file('2.txt')],
    ]);
    expect(avatar).to.be.instanceOf(File).and.to.include({ name: 'me.txt', type: 'text/plain', size: 2 });
    expect(await (avatar as File).text()).to.equal('me');
    expect((photos as File[]).map(({ name }) => name)).to.deep.equal(['1.txt', '2.txt']);
  });

  it('gives one file as an array where the field is one', async () => {
    expect((await decode([['photos', file('1.txt')]]))['photos'])
      .to.be.an('array')
      .with.lengthOf(1);
  });

  it('leaves out a file input in which nothing was chosen, as browsers write it', async () => {
    const part =
      'Content-Disposition: form-data; name="avatar"; filename=""\r\nContent-Type: application/octet-stream';
    const body = Buffer.from(`--b\r\n${part}\r\n\r\n\r\n--b--\r\n`);
    expect(await compileMultipart(uploads)(body, 'multipart/form-data; boundary=b')).to.deep.equal({
      age: 18,
    });
  });

  it('reads a file where text is meant', async () => {
    expect(await decode([['meta', file('blob', '{"a":1}')]])).to.deep.equal({ age: 18, meta: { a: 1 } });
  });

  it('refuses what does not fit, with its place', async () => {
    expect(await refusal(decode([['age', 'x']]))).to.equal('body/age must be integer');
    expect(await refusal(decode([['avatar', 'text']]))).to.equal('body/avatar must be a file');
    expect(await refusal(decode([['photos', 'text']]))).to.equal('body/photos must be a file');
    const twice = [
      ['avatar', file('1.txt')],
      ['avatar', file('2.txt')],
    ] as const;
    expect(await refusal(decode(twice))).to.equal('body/avatar must be given once');
    expect(await refusal(decode([['meta', file('blob', '{')]]))).to.equal('body/meta must be JSON');
  });

  it('refuses a text that is not a multipart body', async () => {
    const decodeBytes = compileMultipart(uploads);
    for (const [body, contentType] of [
      ['', 'multipart/form-data; boundary=b'],
      ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', 'multipart/form-data; boundary=b'],
      ['--b--', 'multipart/form-data'],
      ['--b--', 'multipart/form-data; boundary=\u{1f600}'],
      ['--b--', 'multipart/mixed; boundary=b'],
    ] as const) {
      expect(await refusal(decodeBytes(Buffer.from(body), contentType))).to.equal(
        'body is not valid multipart/form-data',
      );
    }
  });
});
