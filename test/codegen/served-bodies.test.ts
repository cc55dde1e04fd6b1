/** Tests the generated code for bodies and schemas with requests to the fixtures. */

import { expect } from 'chai';
import { type Sent, serveFixture } from './served-contract.js';

const json = (value: unknown, type = 'application/json'): Sent => ({
  body: JSON.stringify(value),
  headers: { 'content-type': type },
});
const form = (text: string): Sent => ({
  body: text,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

describe('a contract of many bodies', () => {
  const send = serveFixture('bodies.openapi-3.1.yaml');
  const answer = { status: 200, contentType: 'text/plain', body: 'x' };

  it('decodes each media type of one operation by its own schema', async () => {
    const post = async (sent: Sent) => (await send('POST /notes', { ...sent, answer })).given;
    expect(await post(json({ text: 'a' }))).to.deep.include({
      contentType: 'application/json',
      body: { text: 'a' },
    });
    const version2 = json({ version: 2, body: 'a' }, 'Application/vnd.note.v2+JSON; charset=utf-8');
    expect(await post(version2)).to.deep.include({
      contentType: 'application/vnd.note.v2+json',
      body: { version: 2, body: 'a' },
    });
    const text = { body: 'é', headers: { 'content-type': 'text/plain' } };
    expect(await post(text)).to.deep.include({ contentType: 'text/plain', body: 'é' });
    expect(await post(form('text=a+b&stars=3'))).to.deep.include({ body: { text: 'a b', stars: 3 } });
  });

  it('refuses a body of one media type in another', async () => {
    const status = async (sent: Sent) => (await send('POST /notes', sent)).response.status;
    expect(await status(json({ text: 'a' }, 'application/vnd.note.v2+json'))).to.equal(400);
    expect(await status(json({ version: 2, body: 'a' }))).to.equal(400);
    expect(await status(form('text=a&stars=x'))).to.equal(400);
    expect(await status({ body: '', headers: { 'content-type': 'text/plain' } })).to.equal(400);
    expect(await status({ body: '<a/>', headers: { 'content-type': 'application/xml' } })).to.equal(415);
    expect(await status({})).to.equal(400);
  });

  it('answers in a media type that the client accepts, and refuses a request that accepts none', async () => {
    const note = { text: 'a' };
    const post = (accept: string) =>
      send('POST /notes', {
        ...json(note),
        headers: { 'content-type': 'application/json', accept },
        answer: { status: 202, body: note },
      });
    expect((await post('application/hal+json')).response.headers['Content-Type']).to.equal(
      'application/hal+json',
    );
    expect((await post('application/json')).response.headers['Content-Type']).to.equal('application/json');
    expect((await post('image/png')).response.status).to.equal(406);
  });

  it('takes an optional body, and any JSON where there is no schema', async () => {
    expect((await send('PUT /notes/optional')).given).not.to.have.property('body');
    expect((await send('PUT /notes/optional', json([1, null]))).given?.body).to.deep.equal([1, null]);
    const patch = json({ stars: 1 }, 'application/merge-patch+json');
    expect((await send('PUT /notes/optional', patch)).response.status).to.equal(400);
  });

  it('decodes the fields of a form by their encoding', async () => {
    const body = 'age=7&tags=a&tags=b&scores=1|2&color=%7B%22R%22%3A1%7D&deep[R]=2';
    expect((await send('POST /forms', form(body))).given?.body).to.deep.equal({
      age: 7,
      subscribed: false,
      tags: ['a', 'b'],
      scores: [1, 2],
      color: { R: 1 },
      deep: { R: 2 },
    });
    expect((await send('POST /forms', form('age=x'))).response.status).to.equal(400);
    expect((await send('POST /forms', form('tags=a'))).response.status).to.equal(400);
  });

  it('knows the fields of every alternative of a form', async () => {
    const body = async (text: string) => (await send('POST /forms/either', form(text))).given?.body;
    expect(await body('card=1&amount=2.5')).to.deep.equal({ card: 1, amount: 2.5 });
    expect(await body('iban=NL1&amount=null')).to.deep.equal({ iban: 'NL1', amount: null });
  });

  it('decodes the parts of a multipart body, files among them', async () => {
    const parts = upload('image/png');
    parts.append('details', new Blob(['{"text":"a"}'], { type: 'application/json' }));
    parts.append('labels', 'x');
    parts.append('labels', 'y');
    parts.append('colors', '{"R":1}');
    parts.append('attachments', new File(['1'], 'one'));
    parts.append('attachments', new File(['22'], 'two'));
    const { given, response } = await send('POST /uploads', { body: parts });
    expect(response.body).to.equal(undefined);
    const { picture, attachments, ...rest } = given?.body as {
      readonly picture: File;
      readonly attachments: readonly File[];
    };
    expect(rest).to.deep.equal({
      title: 'a',
      count: 1,
      details: { text: 'a' },
      labels: ['x', 'y'],
      colors: [{ R: 1 }],
    });
    expect([picture.name, await picture.text()]).to.deep.equal(['a.png', 'bytes']);
    expect(attachments.map(({ name, size }) => [name, size])).to.deep.equal([
      ['one', 1],
      ['two', 2],
    ]);
  });

  it('holds files to the media types of their encoding', async () => {
    expect((await send('POST /uploads', { body: upload('image/jpeg') })).id).to.equal('upload');
    const refused = await send('POST /uploads', { body: upload('image/gif') });
    expect(refused.id).to.equal(undefined);
    expect(refused.response).to.deep.include({ status: 400 });
    expect(refused.response.body).to.include('body/picture must be a file of type image/png, image/jpeg');
  });

  it('holds files without an encoding to the media type of their content', async () => {
    const uploaded = async (field: string, type: string) => {
      const parts = upload('image/png');
      parts.append(field, new File(['bytes'], 'file', { type }));
      return await send('POST /uploads', { body: parts });
    };
    const accepted = [
      ['cover', 'image/jpeg'],
      ['scans', 'image/tiff'],
      ['raw', 'image/png'],
    ] as const;
    for (const [field, type] of accepted) expect((await uploaded(field, type)).id, field).to.equal('upload');
    const refused = [
      ['cover', 'image/png', 'image/jpeg'],
      ['scans', 'text/plain', 'image/*'],
    ] as const;
    for (const [field, type, expected] of refused) {
      const { id, response } = await uploaded(field, type);
      expect([id, response.status], field).to.deep.equal([undefined, 400]);
      expect(response.body).to.include(`body/${field} must be a file of type ${expected}`);
    }
  });

  it('checks the parts of a multipart body', async () => {
    const parts = upload('image/png');
    parts.append('details', '{"text":1}');
    expect((await send('POST /uploads', { body: parts })).response.status).to.equal(400);
    expect((await send('POST /uploads', { body: new FormData() })).response.status).to.equal(400);
  });

  it('gives any bytes as they came, and text as text', async () => {
    const bytes = Uint8Array.of(0, 255, 128);
    for (const type of ['image/png', 'application/octet-stream', 'video/mp4']) {
      const { given } = await send('PUT /blobs/a', { body: bytes, headers: { 'content-type': type } });
      expect(given?.body, type).to.deep.equal(bytes);
    }
    const text = await send('PUT /blobs/a', { body: 'é', headers: { 'content-type': 'text/plain' } });
    expect(text.given?.body).to.equal('é');
  });

  it('answers bytes of a media type that the handler names, and text with its charset', async () => {
    const image = { status: 200, contentType: 'image/webp', body: Uint8Array.of(1) };
    expect((await send('GET /blobs/a', { answer: image })).response.headers['Content-Type']).to.equal(
      'image/webp',
    );
    const csv = { status: 200, contentType: 'text/csv', body: 'a,b' };
    const { response } = await send('GET /blobs/a', { answer: csv });
    expect(response.headers['Content-Type']).to.equal('text/csv; charset=utf-8');
  });
});

function upload(type: string): FormData {
  const parts = new FormData();
  parts.append('title', 'a');
  parts.append('picture', new File(['bytes'], 'a.png', { type }));
  return parts;
}

describe('a contract of uploads as OpenAPI 3.0 has them', () => {
  const send = serveFixture('uploads.openapi-3.0.yaml');
  const answer = { status: 200, body: Uint8Array.of(1, 2) };

  it('decodes files and text, and answers bytes', async () => {
    const parts = new FormData();
    parts.append('file', new File(['x'], 'x', { type: 'image/png' }));
    parts.append('files', new File(['y'], 'y'));
    parts.append('thumbnail', 'AQI=');
    parts.append('rotate', 'true');
    parts.append('size', '{"width":5}');
    const { given, response } = await send('POST /uploads', { body: parts, answer });
    expect(given?.body).to.deep.include({ thumbnail: 'AQI=', rotate: true, size: { width: 5 } });
    expect(given?.body).to.have.property('file').instanceOf(File);
    expect(given?.body).to.have.property('files').with.lengthOf(1);
    expect(response).to.deep.include({ headers: { 'Content-Type': 'image/png' }, body: Uint8Array.of(1, 2) });
  });

  it('refuses text where a file is meant, and another media type than the encoding’s', async () => {
    const text = new FormData();
    text.append('file', 'x');
    const other = new FormData();
    other.append('file', new File(['x'], 'x', { type: 'text/plain' }));
    for (const body of [text, other]) {
      expect((await send('POST /uploads', { body, answer })).response.status).to.equal(400);
    }
  });

  it('takes raw bytes, or none', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const { given } = await send('POST /raw', { body: Uint8Array.of(1), headers });
    expect(given?.body).to.deep.equal(Uint8Array.of(1));
    expect((await send('POST /raw')).given).not.to.have.property('body');
  });
});

describe('a contract of schemas as OpenAPI 3.0 has them', () => {
  const send = serveFixture('schemas.openapi-3.0.yaml');

  it('checks recursive bodies at any depth', async () => {
    const tree = { name: 'a', note: null, children: [{ name: 'b', byName: { c: { name: 'c' } } }] };
    const answer = { status: 200, body: tree };
    expect((await send('POST /trees', { ...json(tree), answer })).given?.body).to.deep.equal(tree);
    const bad = { name: 'a', children: [{ name: 'b', byName: { c: { name: 7 } } }] };
    const { response } = await send('POST /trees', { ...json(bad), answer });
    expect(response.status).to.equal(400);
    expect(response.body).to.include('body/children/0/byName/c/name must be string');
  });

  it('holds answers against recursive schemas too', async () => {
    const answer = { status: 200, body: { name: 'a', children: [{}] } };
    const { failure } = await send('POST /trees', { ...json({ name: 'a' }), answer });
    expect(failure).to.include("body/children/0 must have required property 'name'");
  });

  it('picks by discriminator, by mapping and by the names of schemas', async () => {
    const status = async (animal: object) =>
      (await send('POST /animals', { ...json(animal), answer: { status: 200, body: animal } })).response
        .status;
    expect(await status({ kind: 'cat', lives: 9 })).to.equal(200);
    expect(await status({ kind: 'hound', barks: true, name: null })).to.equal(200);
    expect(await status({ kind: 'cat', barks: true })).to.equal(400);
    expect(await status({ kind: 'cat', lives: 0 })).to.equal(400);
    expect(await status({ kind: 'Fish' })).to.equal(400);
    const shape = async (value: object) => (await send('POST /shapes', json(value))).response.status;
    expect(await shape({ shape: 'Circle', radius: 1 })).to.equal(204);
    expect(await shape({ shape: 'Square', side: 1.05 })).to.equal(204);
    expect(await shape({ shape: 'Square', radius: 1 })).to.equal(400);
  });

  it('fills in defaults at any place', async () => {
    expect((await send('GET /accounts')).given?.query).to.deep.equal({ page: 1, sort: 'desc' });
    const account = { name: 'a', password: 'secret' };
    const answer = { status: 201, body: { id: 1, name: 'a', plan: 'free' } };
    const { given } = await send('POST /accounts', { ...json(account), answer });
    expect(given?.body).to.deep.equal({ ...account, plan: 'free' });
  });

  it('coerces to the alternatives of a parameter', async () => {
    const query = async (text: string) => (await send(`GET /accounts?${text}`)).given?.query;
    expect(await query('since=5')).to.include({ since: 5 });
    expect(await query('since=2024-02-29')).to.include({ since: '2024-02-29' });
    expect(await query('owner=null')).to.include({ owner: null });
    expect((await send('GET /accounts?since=2024-02-30')).response.status).to.equal(400);
    expect((await send('GET /accounts?owner=a')).response.status).to.equal(400);
  });

  it('takes no readOnly property, and gives no writeOnly one', async () => {
    const sent = json({ id: 1, name: 'a', password: 'secret' });
    expect((await send('POST /accounts', sent)).response.status).to.equal(400);
    const answer = { status: 201, body: { id: 1, name: 'a', plan: 'free', password: 'secret' } };
    const { failure } = await send('POST /accounts', { ...json({ name: 'a', password: 'x' }), answer });
    expect(failure).to.include('against its contract').and.to.include('password');
  });
});

describe('a contract of schemas as OpenAPI 3.1 has them', () => {
  const send = serveFixture('schemas.openapi-3.1.json');
  const answer = { status: 202, body: null };

  it('coerces by lists of types, const and enum', async () => {
    const given = async (line: string) => (await send(line, { ...json(null), answer })).given;
    expect(await given('POST /values/12?exact=5&choice=1&anything=x')).to.deep.include({
      path: { size: 12 },
      query: { limit: 20, exact: 5, choice: 1, anything: 'x' },
    });
    expect(await given('POST /values/XL?limit=3&choice=true')).to.deep.include({
      path: { size: 'XL' },
      query: { limit: 3, choice: true },
    });
    for (const line of ['/values/long', '/values/1?exact=6', '/values/1?limit=0', '/values/1?choice=two']) {
      expect((await send(`POST ${line}`, { ...json(null), answer })).response.status, line).to.equal(400);
    }
  });

  it('checks bodies by 2020-12', async () => {
    const status = async (value: unknown) =>
      (await send('POST /values/1', { ...json(value), answer })).response.status;
    const good = [null, {}, { point: [1, 2], self: { label: null } }, { 'x-a': 1 }, { tag: 't' }];
    const bad = [
      [],
      { kind: 'other' },
      { point: [1, 2, 3] },
      { self: { label: 1 } },
      { 'x-a': 'b' },
      { tag: '' },
    ];
    const conditions = [
      [{ country: 'NL', postcode: '1000 AA' }, 202],
      [{ country: 'NL', postcode: '1000' }, 400],
      [{ country: 'BE', postcode: '1000' }, 202],
      [{ postcode: '1000' }, 400],
      [{ unknown: 1 }, 400],
    ] as const;
    for (const value of good) expect(await status(value), JSON.stringify(value)).to.equal(202);
    for (const value of bad) expect(await status(value), JSON.stringify(value)).to.equal(400);
    for (const [value, expected] of conditions) {
      expect(await status(value), JSON.stringify(value)).to.equal(expected);
    }
  });
});

describe('a contract in several files', () => {
  const send = serveFixture('library/openapi.yaml');

  it('takes path items, parameters and schemas from other files', async () => {
    const missing = { status: 404, body: { message: 'no' } };
    const { given } = await send('GET /books/0123456789', { answer: missing });
    expect(given?.path).to.deep.equal({ isbn: '0123456789' });
    expect((await send('GET /books/123', { answer: missing })).response.status).to.equal(400);
    expect((await send('GET /authors/7', { answer: missing })).given?.path).to.deep.equal({ id: 7 });
    expect((await send('GET /authors/0', { answer: missing })).response.status).to.equal(400);
  });

  it('distinguishes schemas of the same name in two files', async () => {
    const answer = { status: 200, body: [] };
    const status = async (query: string) => (await send(`GET /books?${query}`, { answer })).response.status;
    expect(await status('name=abcde&author=ab')).to.equal(200);
    expect(await status('name=abcdef')).to.equal(400);
    expect(await status('author=a')).to.equal(400);
  });

  it('follows references that go in circles between files', async () => {
    const author = { id: 1, books: [{ title: 'a', author: { id: 2 }, sequel: { title: 'b' } }] };
    expect(
      (await send('GET /authors/1', { answer: { status: 200, body: author } })).response.status,
    ).to.equal(200);
    const bad = { id: 1, books: [{ title: 'a', sequel: { title: 7 } }] };
    const { failure } = await send('GET /authors/1', { answer: { status: 200, body: bad } });
    expect(failure).to.include('body/books/0/sequel/title must be string');
  });

  it('follows the mapping of a discriminator into other files', async () => {
    const status = async (medium: object) => (await send('POST /media', json(medium))).response.status;
    expect(await status({ kind: 'film', minutes: 90 })).to.equal(204);
    expect(await status({ kind: 'record', tracks: 12 })).to.equal(204);
    expect(await status({ kind: 'record', minutes: 90 })).to.equal(400);
  });
});
