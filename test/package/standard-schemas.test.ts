/** The examples of a Standard Schema and of constraints in the guides, generated, compiled and run. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generate } from 'concordat';
import { type Check, failureOf } from '@concordat/runtime';
import { expect } from 'chai';
import type { Hono } from 'hono';
import { removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { complaints } from '../codegen/strict-compiler.js';
import { generated, schemaOf } from '../codegen/written-contract.js';
import { block } from './readme-blocks.js';

const PARCEL = {
  type: 'object',
  required: ['weight'],
  properties: { weight: { type: 'number' }, express: { type: 'boolean', default: false } },
};

describe('the guide to Standard Schema', () => {
  let directory = '';
  before(async () => {
    directory = await temporaryPackage();
    await mkdir(join(directory, 'generated'));
    await writeFile(join(directory, 'parcels.ts'), block('parcels.ts'));
    const document = schemaOf({ $ref: '#/components/schemas/Parcel' }, { Parcel: PARCEL });
    for (const [name, text] of Object.entries(await generated(document)))
      await writeFile(join(directory, 'generated', name), text);
  });
  after(() => removeDirectory(directory));

  it('has an example that compiles, and answers as it says', async () => {
    const settings = { customConditions: ['@concordat/source'] };
    expect(complaints(directory, ['parcels.ts'], settings)).to.deep.equal([]);
    const printed: unknown[] = [];
    const { log } = console;
    console.log = (...texts) => printed.push(texts.join(' '));
    const { app } = (await import(pathToFileURL(join(directory, 'parcels.ts')).href).finally(() => {
      console.log = log;
    })) as { readonly app: Hono };
    expect(printed).to.deep.equal(['weight must be number']);
    const send = (body: string) =>
      app.request('/parcels', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await (await send('{"weight":2}')).json()).to.deep.equal({ weight: 2, express: false });
    expect((await send('{}')).status).to.equal(400);
  });
});

describe('the guide to constraints', () => {
  let directory = '';
  before(async () => {
    directory = await temporaryPackage();
  });
  after(() => removeDirectory(directory));

  it('has an example that refuses as it says', async () => {
    const schema = join(directory, 'schema.graphql');
    await writeFile(schema, block('parcels.graphql'));
    const { 'constraints.ts': text = '' } = await generate({ schema });
    await writeFile(join(directory, 'constraints.ts'), text);
    const checks = (await import(pathToFileURL(join(directory, 'constraints.ts')).href)) as Readonly<
      Record<'Query$parcels' | 'Mutation$send', Check>
    >;
    expect(checks.Query$parcels({ first: 100 })).to.equal(true);
    const sent = { parcel: { to: 'ann@example.com', tags: ['A'] } };
    expect(failureOf(checks.Mutation$send, sent, '')).to.equal('parcel/tags/0 must match pattern "^[a-z]+$"');
  });
});
