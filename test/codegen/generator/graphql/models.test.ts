/** The models of a schema: types of other modules that its types are resolved from, those of `openapi.ts` among them. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate as runGraphqlCodegen } from '@graphql-codegen/cli';
import type { Types } from '@graphql-codegen/plugin-helpers';
import { expect } from 'chai';
import { type GenerateOptions, codegenConfig, generate } from 'concordat';
import { removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { complaints } from '../../strict-compiler.js';

const booking = (keyword: string): string => `openapi: 3.1.0
info: { title: Bookings, version: '1' }
paths:
  /bookings:
    get:
      operationId: listBookings
      responses:
        '200': { description: All., content: { application/json: { schema: { $ref: '#/components/schemas/Booking' } } } }
components:
  schemas:
    Booking:
      type: object
      required: [id, at, state, secret]
      properties:
        id: { type: string, readOnly: ${keyword} }
        at: { type: string, format: date-time }
        state: { $ref: '#/components/schemas/booking-state' }
        seats: { type: array, items: { type: string } }
        secret: { type: string, writeOnly: ${keyword} }
    booking-state: { type: string, enum: [OPEN, PAID] }
`;

const SDL = `
scalar DateTime
enum State { OPEN PAID }
type Booking { id: ID!, at: DateTime!, state: State!, seats: [String!], guests: [Guest!]! }
type Guest { name: String! }
type Context { name: String! }
type Query { booking(id: ID!, after: DateTime): Booking, guest: Guest, context: Context }
`;

const USES = `import type { Resolvers } from './graphql.js';
declare const DateTime: Resolvers['DateTime'];
export const resolvers: Resolvers<undefined> = {
  DateTime,
  Query: {
    booking: (_, { id, after }) => ({ id, at: new Date(after?.getTime() ?? 0), state: 'OPEN', seats: ['1A'] }),
    guest: () => ({ name: 'Ada' }),
    context: () => ({ name: 'Ada' }),
  },
  Booking: { guests: ({ at }) => [{ name: at.toISOString() }] },
};
`;

const MODELS = `export interface Guest { readonly first: string }
export interface Box<Value> { readonly first: Value }
export namespace Models { export interface Guest { readonly first: string } }
export default interface Only { readonly first: string }
export type Context = { readonly user: string };
`;

describe('a model of a type', () => {
  let home = '';
  let contracts: { readonly openapi: string; readonly schema: string };

  before(async () => {
    home = await temporaryPackage();
    contracts = { openapi: join(home, 'openapi.yaml'), schema: join(home, 'schema.graphql') };
    await writeFile(contracts.schema, SDL);
    await writeFile(join(home, 'models.ts'), MODELS);
  });

  after(() => removeDirectory(home));

  /** What the compiler says of resolvers of the generated types. */
  async function problems(options: GenerateOptions, uses: string): Promise<readonly string[]> {
    for (const [name, text] of Object.entries(await generate(options)))
      await writeFile(join(home, name), text);
    await writeFile(join(home, 'uses.ts'), uses);
    return complaints(home, ['graphql.ts', 'uses.ts']);
  }

  const values = { 'date-time': 'Date' } as const;
  const ofOpenapi = { Booking: './openapi.js#Booking', State: './openapi.js#BookingState' };

  for (const [what, marked] of [
    ['', false],
    ['whose properties are read-only or write-only ', true],
  ] as const) {
    it(`is a schema of OpenAPI ${what}with its name, and the types of its formats`, async () => {
      await writeFile(contracts.openapi, booking(String(marked)));
      const options = { ...contracts, values, resolvers: { mappers: ofOpenapi } };
      const uses = marked ? USES : USES.replace('({ id,', `({ secret: '', id,`);
      expect(await problems(options, uses)).to.deep.equal([]);
      const wrong = uses.replace(`state: 'OPEN'`, `state: 'SHUT'`).replace('at.toISOString()', 'at.trim()');
      expect(await problems(options, wrong)).to.have.lengthOf(2);
      const other = uses.replace(/booking: .*/, 'booking: (_, { id }) => id,');
      expect(await problems(options, other)).to.deep.equal([
        `uses.ts:6: TS2322: Type 'string' is not assignable to type 'FieldResult<"Query.booking", Booking | null>'.`,
      ]);
    });
  }

  it('is a schema of OpenAPI with read-only properties under another name', async () => {
    await writeFile(contracts.openapi, booking('true'));
    const mappers = { Booking: './openapi.js#Booking as BookingRecord' };
    expect(await problems({ ...contracts, values, resolvers: { mappers } }, USES)).to.deep.equal([]);
  });

  it('is a part of openapi.ts', async () => {
    await writeFile(contracts.openapi, booking('false'));
    const mappers = { Booking: `./openapi.js#components['schemas']['Booking']` };
    const uses = USES.replace('({ id,', `({ secret: '', id,`);
    expect(await problems({ ...contracts, values, resolvers: { mappers } }, uses)).to.deep.equal([]);
  });

  for (const model of ['Guest', 'Guest as GuestRecord', 'Box<string>', 'default', 'Models.Guest']) {
    it(`is ${model} of another module, whatever the types of the schema are called`, async () => {
      const resolvers = {
        mappers: { Guest: `./models.js#${model}` },
        contextType: './models.js#Context',
        useTypeImports: true,
      };
      const uses = `import type { Resolvers } from './graphql.js';
export const guest: Resolvers['Guest'] = { name: ({ first }, _, { user }) => first + user };
export const find: Resolvers['Query']['guest'] = () => ({ first: 'Ada' });
`;
      expect(await problems({ schema: contracts.schema, resolvers }, uses)).to.deep.equal([]);
      expect(
        await problems({ schema: contracts.schema, resolvers }, uses.replace('first:', 'name:')),
      ).to.have.lengthOf(1);
    });
  }

  it('is the same for graphql-codegen', async () => {
    await writeFile(contracts.openapi, booking('true'));
    const options = { ...contracts, values, resolvers: { mappers: ofOpenapi } };
    const config = codegenConfig({ ...options, out: home }) as Types.Config;
    const files = (await runGraphqlCodegen({ ...config, silent: true }, false)) as Types.FileOutput[];
    const written = new Map(files.map(({ filename, content }) => [filename, content]));
    expect(written.get(join(home, 'graphql.ts'))).to.equal((await generate(options))['graphql.ts']);
  });
});

describe('a scalar of a schema', () => {
  let schema = '';
  let home = '';

  before(async () => {
    home = await temporaryPackage();
    schema = join(home, 'schema.graphql');
    await writeFile(
      schema,
      'scalar DateTime\nscalar UUID\nscalar Int64\nscalar date_time\ntype Query { at: DateTime, id: UUID, n: Int64, d: date_time }\n',
    );
  });

  after(() => removeDirectory(home));

  it('has the type of the format of its name, in any spelling', async () => {
    const uuid = { type: 'Id', from: '../id.js', decode: 'read', encode: 'write' };
    const { 'graphql.ts': text } = await generate({
      schema,
      values: { 'date-time': 'Date', int64: 'bigint', uuid },
    });
    for (const line of [
      'DateTime: { input: Date; output: Date; }',
      'Int64: { input: bigint; output: bigint; }',
      'date_time: { input: Date; output: Date; }',
    ]) {
      expect(text).to.include(line);
    }
    expect(text).to.match(/UUID: \{ input: import\(["']\.\.\/id\.js["']\)\.Id; output: /);
  });

  it('has the type of its own name, or of the option scalars, before that of a format', async () => {
    const { 'graphql.ts': text } = await generate({
      schema,
      values: { 'date-time': 'Date', DateTime: 'bigint' },
      resolvers: { scalars: { date_time: 'string' } },
    });
    expect(text)
      .to.include('DateTime: { input: bigint; output: bigint; }')
      .and.include('date_time: { input: string; output: string; }');
    expect(text).to.include('UUID: { input: unknown; output: unknown; }');
  });
});
