/** What public contracts do and generators stumble over: each is served as the contract means it. */

import { expect } from 'chai';
import { type ContractNotice, generate } from 'concordat';
import { fixture } from './contract-list.js';
import { detailOf, serveFixture } from './served-contract.js';
import { readFile } from 'node:fs/promises';

const SAFE = 'from -9007199254740991 to 9007199254740991';

describe('the awkward fixture', () => {
  const send = serveFixture('awkward.openapi-3.1.yaml');

  /** Sends a JSON text. @returns the body that the handler was given, or the refusal */
  async function taken(path: string, text: string): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const { given, response } = await send(`POST ${path}`, { body: text, headers });
    return given === undefined ? detailOf(response) : given.body;
  }

  const rows: readonly (readonly [what: string, path: string, body: unknown, refusal?: string])[] = [
    ['a branch that says its tag by const', '/messages', { role: 'user', name: 'Ann' }],
    ['a branch that says its tags by enum', '/messages', { role: 'developer', content: 'Hello' }],
    ['a branch that says no tag, by its name', '/messages', { role: 'Note', text: 'Hello' }],
    [
      'the branch that the tag picks',
      '/messages',
      { role: 'user' },
      "body must have required property 'name'",
    ],
    [
      'no branch by the name of its schema where it says its tag',
      '/messages',
      { role: 'UserMessage', name: 'Ann' },
      'body/role must be equal to one of the allowed values: system, developer, user, Note',
    ],
    ['bare names in a mapping', '/pets', { kind: 'd', bark: true }],
    ['the branch of a bare name', '/pets', { kind: 'd' }, "body must have required property 'bark'"],
    ['the schema true', '/anything', [1, 'two', null]],
    ['the schema false', '/nothing', 1, 'body boolean schema is false'],
    ['anchors', '/places', { at: '1,2', around: [{ at: '3,4' }], extra: 5 }],
    [
      'what an anchor refuses',
      '/places',
      { at: '1,2', around: [{ at: 'x' }] },
      'body/around/0/at must match pattern',
    ],
    ['defaults but those that their schema refuses', '/settings', {}],
  ];
  for (const [what, path, body, refusal] of rows) {
    it(`takes ${what}`, async () => {
      const found = await taken(path, JSON.stringify(body));
      if (refusal !== undefined) expect(found).to.be.a('string').that.includes(refusal);
      else expect(found).to.deep.equal(path === '/settings' ? { size: 3 } : body);
    });
  }

  it('refuses a parameter by the schema with an anchor', async () => {
    const headers = { 'content-type': 'application/json' };
    const { response } = await send('POST /places?near=here', { body: '{"at":"1,2"}', headers });
    expect(response).to.include({ status: 400 });
  });

  it('leaves out the default of a parameter that its schema refuses', async () => {
    const headers = { 'content-type': 'application/json' };
    const { given } = await send('POST /settings', { body: '{}', headers });
    expect(given?.query).to.deep.equal({});
  });

  it('decodes deepObject in a urlencoded form', async () => {
    const { given } = await send('POST /searches', {
      body: 'filter[age]=7&filter[tags]=a&filter[tags]=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(given?.body).to.deep.equal({ filter: { age: 7, tags: ['a', 'b'] } });
  });

  it('decodes deepObject in a multipart form', async () => {
    const form = new FormData();
    form.set('meta[size]', '7');
    expect((await send('POST /uploads', { body: form })).given?.body).to.deep.equal({ meta: { size: 7 } });
  });

  const numbers: readonly (readonly [text: string, place?: string])[] = [
    ['{"cents":9007199254740991}'],
    ['{"cents":-9007199254740992}'],
    ['{"cents":9007199254740993}', '/cents'],
    ['{"cents":-9007199254740993.0}', '/cents'],
    ['{"list":[1,null,12345678901234567891]}', '/list/2'],
    ['{"ratio":9007199254740993,"text":"9007199254740993","other":9007199254740993}'],
    ['{"ratio":0.12345678901234567890}'],
    ['{"text":"\\\\\\"9007199254740993","cents":9007199254740993}', '/cents'],
  ];
  for (const [text, place] of numbers) {
    it(`${place === undefined ? 'takes' : 'refuses'} ${text}`, async () => {
      const found = await taken('/amounts', text);
      if (place === undefined) expect(found).to.deep.equal(JSON.parse(text));
      else expect(found).to.equal(`body${place} must be integer ${SAFE}`);
    });
  }

  it('has a note for each invalid default, with its place', async () => {
    const text = await readFile(fixture('awkward.openapi-3.1.yaml').file, 'utf8');
    const notices: ContractNotice[] = [];
    await generate({
      openapi: fixture('awkward.openapi-3.1.yaml').file,
      notice: (each) => notices.push(each),
    });
    expect(
      notices
        .filter(({ kind }) => kind === 'invalid-default')
        .map(({ pointer, line }) => [pointer, text.split('\n')[line - 1]?.includes('default:')]),
    ).to.deep.equal([
      ['#/paths/~1settings/post/parameters/0/schema/default', true],
      ['#/components/schemas/Settings/properties/colour/default', true],
      ['#/components/schemas/Level/default', true],
    ]);
  });
});
