/** Tests of `only`: the part of a contract that is generated has the chosen operations and what they use, and no more. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractError, codegenConfig, generate } from 'concordat';
import { expect } from 'chai';
import { chosenPart } from '../../src/codegen/contract/load/chosen-part.js';
import type { OpenApiDocument } from '../../src/codegen/contract/schemas/document.js';
import { runProgram } from '../../src/codegen/cli/program.js';
import { documentOf } from './written-contract.js';
import { runInProcess } from '../support/run-program.js';

const CONTRACT = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
security: [{ user: [] }]
paths:
  /customers/{id}:
    parameters:
      - { $ref: '#/components/parameters/Id' }
    get:
      operationId: getCustomer
      tags: [customers]
      responses: { '200': { $ref: '#/components/responses/Customer' } }
    delete:
      operationId: deleteCustomer
      tags: [customers]
      security: [{ admin: [] }]
      responses: { '204': { description: Done. } }
  /invoices:
    get:
      operationId: listInvoices
      tags: [billing]
      security: []
      responses:
        '200':
          description: The invoices.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Invoice' } } } }
    post:
      operationId: addInvoice
      tags: [billing, writing]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Invoice' } } } }
      responses: { '204': { description: Done. } }
  /pets:
    get:
      operationId: getPet
      security: []
      responses:
        '200':
          description: A pet.
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
  /copies:
    get:
      operationId: getCopy
      security: []
      responses: { '200': { $ref: '#/paths/~1invoices/get/responses/200' } }
components:
  parameters:
    Id: { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/CustomerId' } }
  responses:
    Customer:
      description: The customer.
      content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } }
  schemas:
    CustomerId: { type: string, pattern: '^c' }
    Customer: { type: object, properties: { id: { $ref: '#/components/schemas/CustomerId' } } }
    Invoice: { type: object, required: [total], properties: { total: { type: number }, next: { $ref: '#/components/schemas/Invoice' } } }
    Pet: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind, mapping: { cat: Cat } } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }], properties: { claws: { type: integer } } }
    Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }], properties: { bark: { type: string } } }
    Unused: { type: string }
  securitySchemes:
    user: { type: http, scheme: bearer }
    admin: { type: apiKey, in: header, name: X-Key }
`;

describe('a part of a contract', () => {
  let directory: string;
  let openapi: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-part-'));
    openapi = join(directory, 'shop.yaml');
    await writeFile(openapi, CONTRACT);
  });
  after(() => rm(directory, { recursive: true }));

  /** The names of the operations, of the schemas and of the security schemes in the generated files. */
  async function partOf(...only: readonly string[]): Promise<readonly string[]> {
    const files = await generate({ openapi, only });
    const all = 'getCustomer deleteCustomer listInvoices addInvoice getPet getCopy'.split(' ');
    const schemas = 'CustomerId Customer Invoice Pet Cat Dog Unused'.split(' ');
    const schemes = ['user', 'admin'];
    return [
      ...all.filter((id) => files['routing.ts']?.includes(`const ${id}Operation `)),
      ...schemas.filter((name) => files['openapi.ts']?.includes(` ${name}: `)),
      ...schemes.filter((name) => files['routing.ts']?.includes(`${name}: { type`)),
    ];
  }

  it('keeps the tags of operations', async () => {
    const { 'routing.ts': routing } = await generate({
      openapi,
      only: ['operation:addInvoice', 'operation:getPet'],
    });
    expect(routing).to.include('tags: ["billing", "writing"],');
    expect(routing?.match(/tags:/g)).to.have.length(1);
  });

  it('has the operations of a tag and those that are named, with what they use', async () => {
    expect(await partOf('tag:billing')).to.deep.equal(['listInvoices', 'addInvoice', 'Invoice', 'user']);
    expect(await partOf('operation:getCustomer')).to.deep.equal([
      'getCustomer',
      'CustomerId',
      'Customer',
      'user',
    ]);
    expect(await partOf('tag:writing', 'operation:deleteCustomer')).to.deep.equal([
      'deleteCustomer',
      'addInvoice',
      'CustomerId',
      'Invoice',
      'user',
      'admin',
    ]);
    expect(await partOf('operation:listInvoices')).to.deep.equal(['listInvoices', 'Invoice']);
  });

  it('keeps the schemas that a discriminator picks', async () => {
    expect(await partOf('operation:getPet')).to.deep.equal(['getPet', 'Pet', 'Cat', 'Dog']);
  });

  it('keeps the schema that a discriminator picks for a missing value', () => {
    const schemas = {
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat' },
          defaultMapping: 'Other',
        },
      },
      Cat: { type: 'object', required: ['kind'], properties: { kind: { const: 'cat' } } },
      Other: { type: 'object', properties: { kind: { type: 'string' } } },
      Unused: { type: 'string' },
    };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } };
    const get = { operationId: 'getPet', responses: { 200: { description: 'A pet.', content } } };
    const document = documentOf({ paths: { '/pets': { get } }, components: { schemas } }, '3.2.0');
    const { document: part } = chosenPart(document as OpenApiDocument, { only: ['operation:getPet'] });
    expect(Object.keys(part.components?.schemas ?? {})).to.deep.equal(['Pet', 'Cat', 'Other']);
  });

  it('keeps a link to an operation that is left out, which tells about the whole service', () => {
    const links = { bills: { operationRef: '#/paths/~1bills/get' } };
    const get = { operationId: 'getShop', responses: { 200: { description: 'A shop.', links } } };
    const bills = { get: { operationId: 'getBills', responses: { 204: { description: 'None.' } } } };
    const document = documentOf({ paths: { '/shop': { get }, '/bills': bills } });
    const { document: part, faults } = chosenPart(document as OpenApiDocument, {
      only: ['operation:getShop'],
    });
    expect(faults).to.deep.equal([]);
    expect(part.paths).to.deep.equal({ '/shop': { get } });
  });

  it('is the whole contract where nothing is chosen', async () => {
    const whole = await generate({ openapi });
    expect(whole['openapi.ts']).to.include(' Unused: ').and.include(' Dog: ');
    expect(whole['routing.ts']).to.include('const getCopyOperation ');
  });

  it('keeps the paths of the other operations, which no path with a parameter hides', async () => {
    const { 'routing.ts': routing = '' } = await generate({ openapi, only: ['operation:getCustomer'] });
    const paths = /const paths: PathNode = (\{[^]*?\n\});/.exec(routing)?.[1] ?? '';
    expect(paths).to.include('DELETE: "deleteCustomer"').and.include('GET: "listInvoices"');
  });

  it('is the same from the command line as from a configuration', async () => {
    const out = join(directory, 'generated');
    const only = ['operation:getPet'];
    const { exitCode } = await runInProcess(runProgram, [
      ...['generate', '--openapi', openapi, '--out', out, '--only', 'operation:getPet'],
    ]);
    expect(exitCode).to.equal(0);
    const checked = await runInProcess(runProgram, [
      ...['check', '--openapi', openapi, '--out', out, '--only', 'operation:getPet'],
    ]);
    expect(checked.exitCode).to.equal(0);
    const whole = await runInProcess(runProgram, ['check', '--openapi', openapi, '--out', out]);
    expect(whole.exitCode).to.equal(1);
    expect(codegenConfig({ openapi, out, only }).concordat.only).to.deep.equal(only);
  });

  it('does not have a tag or an operation that the contract does not have', async () => {
    const problems = await problemsOf('tag:biling', 'operation:getcustomer', 'getCustomer', 'tag:billing');
    expect(problems).to.deep.equal([
      'unknown-choice 4 tag:biling selects no operation',
      'unknown-choice 4 operation:getcustomer selects no operation',
      'unknown-choice 4 getCustomer is no selector: write tag:NAME, operation:ID, path:/users/** or method:GET',
    ]);
  });

  it('does not refer to operations that are left out', async () => {
    expect(await problemsOf('operation:getCopy')).to.deep.equal([
      'unresolved-reference 43 this refers to #/paths/~1invoices/get/responses/200, which is left out: choose its operation too, or move it to components',
    ]);
    expect(await partOf('operation:getCopy', 'operation:listInvoices')).to.include('getCopy');
  });

  async function problemsOf(...only: readonly string[]): Promise<readonly string[]> {
    const error: unknown = await generate({ openapi, only }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map(
      ({ fault, line, message }) => `${String(fault)} ${String(line)} ${message.replace(/ at #.*/, '')}`,
    );
  }
});
