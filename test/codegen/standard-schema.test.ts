/** The file `standard-schemas.ts`: its schemas in three libraries that take Standard Schemas, their paths and their types. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sValidator } from '@hono/standard-validator';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { FormApi } from '@tanstack/form-core';
import { initTRPC, TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { expect } from 'chai';
import { Hono } from 'hono';
import { removeDirectory, temporaryPackage } from './generated-contract.js';
import { complaints } from './strict-compiler.js';
import { documentOf, generated } from './written-contract.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string) => ({ 'application/json': { schema: ref(name) } });
const text = { type: 'string' } as const;

const SCHEMAS = {
  Email: { ...text, format: 'email' },
  Address: {
    type: 'object',
    required: ['street'],
    properties: { street: { ...text, minLength: 1 }, zip: { ...text, pattern: '^[0-9]{5}$' } },
  },
  User: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'email'],
    properties: {
      id: { type: 'integer', readOnly: true },
      email: ref('Email'),
      level: { ...text, enum: ['basic', 'plus'], default: 'basic' },
      addresses: { type: 'array', items: ref('Address') },
    },
  },
  Receipt: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } },
  Tree: { type: 'object', properties: { children: { type: 'array', items: ref('Tree') } } },
  Booking: { type: 'object', required: ['day'], properties: { day: { ...text, format: 'date' } } },
  'odd-name': { ...text, maxLength: 2 },
  Unused: text,
};

const operation = (operationId: string, request: string, response: string) => ({
  post: {
    operationId,
    requestBody: { required: true, content: json(request) },
    responses: { 200: { description: 'OK', content: json(response) } },
  },
});

const CONTRACT = documentOf({
  paths: {
    '/users': operation('addUser', 'User', 'User'),
    '/trees': operation('addTree', 'Tree', 'Receipt'),
    '/bookings': operation('book', 'Booking', 'odd-name'),
  },
  components: { schemas: SCHEMAS },
});

const USER = { email: 'ann@example.com', addresses: [{ street: 'Main', zip: '12345' }] };
const BAD_ZIP = { email: 'ann@example.com', addresses: [{ street: 'Main', zip: 'x' }] };
const ZIP_MESSAGE = 'must match pattern "^[0-9]{5}$"';

type User = typeof USER & { readonly level?: string };

describe('standard schemas', () => {
  let directory = '';
  let files: Readonly<Record<string, string>> = {};
  let schemas: Readonly<Record<string, StandardSchemaV1>> = {};

  before(async () => {
    files = await generated(CONTRACT, [], { values: { date: 'Date' } });
    directory = await temporaryPackage();
    for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
    const module = (await import(pathToFileURL(join(directory, 'standard-schemas.ts')).href)) as {
      readonly schemas: Readonly<Record<string, StandardSchemaV1>>;
    };
    schemas = module.schemas;
  });
  after(() => removeDirectory(directory));

  const schema = (name: string): StandardSchemaV1<User, User> => {
    const found = schemas[name];
    if (found === undefined) throw new Error(`there is no schema ${name}`);
    return found as StandardSchemaV1<User, User>;
  };
  const validated = async (name: string, value: unknown) => schema(name)['~standard'].validate(value);

  it('are there for every named schema that an operation leads to', () => {
    expect(Object.keys(schemas)).to.deep.equal([
      'Email',
      'Address',
      'User',
      'Receipt',
      'Tree',
      'Booking',
      'odd-name',
    ]);
  });

  it('answer with a value that has its defaults, and leave the one given as it is', async () => {
    const given = structuredClone(USER);
    expect(await validated('User', given)).to.deep.equal({ value: { ...USER, level: 'basic' } });
    expect(given).to.deep.equal(USER);
  });

  it('answer with the path and the requirement of every failure, without the place in the sentence', async () => {
    const bad = { level: 'gold', addresses: [{ zip: 'x' }], 'a/b': 1 };
    expect(await validated('User', bad)).to.deep.equal({
      issues: [
        { path: ['email'], message: "must have required property 'email'" },
        { path: ['a/b'], message: 'must NOT have additional properties: a/b' },
        { path: ['level'], message: 'must be equal to one of the allowed values: basic, plus' },
        { path: ['addresses', 0, 'street'], message: "must have required property 'street'" },
        { path: ['addresses', 0, 'zip'], message: ZIP_MESSAGE },
      ],
    });
  });

  it('refuse what a request must not carry, and a value of a wrong type', async () => {
    expect(await validated('User', { ...USER, id: 1 })).to.deep.equal({
      issues: [{ path: ['id'], message: 'must NOT be sent: it is read-only' }],
    });
    expect(await validated('User', 'text')).to.deep.equal({
      issues: [{ path: [], message: 'must be object' }],
    });
    expect(await validated('Email', 'text')).to.deep.equal({
      issues: [{ path: [], message: 'must match format "email"' }],
    });
  });

  it('check the schemas of responses too', async () => {
    expect(await validated('Receipt', { total: 1 })).to.deep.equal({ value: { total: 1 } });
    expect(await validated('odd-name', 'abc')).to.deep.equal({
      issues: [{ path: [], message: 'must NOT have more than 2 characters' }],
    });
  });

  it('convert values that have a type of their own', async () => {
    const result = await validated('Booking', { day: '2026-01-31' });
    expect(result).to.deep.equal({ value: { day: new Date('2026-01-31') } });
  });

  it('refuse a value that is nested too deeply instead of throwing', async () => {
    let tree: object = {};
    for (let depth = 0; depth < 100_000; depth += 1) tree = { children: [tree] };
    expect(await validated('Tree', tree)).to.deep.equal({
      issues: [{ path: [], message: 'is nested too deeply' }],
    });
  });

  it('have the types of the specification', async () => {
    const program = `import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Booking, UserInput, UserInputWithDefaults } from './openapi.js';
import { schemas } from './standard-schemas.js';

export const user: StandardSchemaV1<UserInput, UserInputWithDefaults> = schemas.User;
export const booking: StandardSchemaV1<unknown, Booking> = schemas.Booking;
type Output = StandardSchemaV1.InferOutput<typeof schemas.User>;
export const level: (user: Output) => 'basic' | 'plus' = (given) => given.level;
// @ts-expect-error
export const number: StandardSchemaV1<UserInput, number> = schemas.User;
// @ts-expect-error
export const unused = schemas.Unused;
`;
    await writeFile(join(directory, 'program.ts'), program);
    expect(complaints(directory, ['program.ts'], { customConditions: ['@concordat/source'] })).to.deep.equal(
      [],
    );
  });

  it('leave the functions of checks in the modules that have them', () => {
    expect(files['standard-schemas.ts'])
      .to.include('function checkEmail(')
      .and.not.to.include('function checkUser(');
    expect(files['validators.ts']).to.include('function checkUserRequest(').and.not.to.include('checkEmail(');
  });

  it('check the input of a procedure of tRPC', async () => {
    const t = initTRPC.create();
    const router = t.router({
      addUser: t.procedure.input(schema('User')).mutation(({ input }) => input),
    });
    expect(await router.createCaller({}).addUser(USER)).to.deep.equal({ ...USER, level: 'basic' });
    const refusal: unknown = await router
      .createCaller({})
      .addUser(BAD_ZIP)
      .catch((error: unknown) => error);
    if (!(refusal instanceof TRPCError)) throw new Error('the input was not refused');
    expect(refusal.code).to.equal('BAD_REQUEST');
    expect(refusal.cause).to.have.deep.property('issues', [
      { path: ['addresses', 0, 'zip'], message: ZIP_MESSAGE },
    ]);
    const request = new Request('http://localhost/addUser', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(BAD_ZIP),
    });
    const answer = await fetchRequestHandler({ endpoint: '', req: request, router });
    expect(answer.status).to.equal(400);
  });

  it("check a request in Hono's validator", async () => {
    const app = new Hono().post('/users', sValidator('json', schema('User')), (context) =>
      context.json(context.req.valid('json')),
    );
    const send = (body: object) =>
      app.request('/users', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const accepted = await send(USER);
    expect(await accepted.json()).to.deep.equal({ ...USER, level: 'basic' });
    const refused = await send(BAD_ZIP);
    expect(refused.status).to.equal(400);
    expect(await refused.json()).to.have.deep.property('error', [
      { path: ['addresses', 0, 'zip'], message: ZIP_MESSAGE },
    ]);
  });

  it('put the failures of a form at the fields of TanStack Form', async () => {
    const defaultValues: User = BAD_ZIP;
    const form = new FormApi({ defaultValues, validators: { onSubmit: schema('User') } });
    form.mount();
    await form.handleSubmit();
    expect(form.state.errorMap.onSubmit).to.deep.equal({
      'addresses[0].zip': [{ path: ['addresses', 0, 'zip'], message: ZIP_MESSAGE }],
    });
  });
});
