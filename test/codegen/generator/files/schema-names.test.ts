/** Component schemas have exported names, which editors show. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { complaints, strictOptions } from '../../strict-compiler.js';
import { documentOf, generated } from '../../written-contract.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object) => ({ type: 'object', properties });

const SCHEMAS = {
  Room: { ...object({ owner: ref('user-info'), next: ref('Room') }), description: 'Where people are.' },
  'user-info': object({ name: { type: 'string' } }),
  UserInfo: object({ id: { type: 'string' } }),
  'user.info': { type: 'string' },
  '3d': { type: 'integer' },
  Record: object({ of: { type: 'object', additionalProperties: { type: 'string' } } }),
  paths: { type: 'boolean' },
  Value: { oneOf: [{ type: 'string' }, { type: 'array', items: ref('Value') }] },
  Alias: ref('Room'),
};

const DOCUMENT = documentOf({
  paths: {
    '/rooms': {
      get: {
        operationId: 'listRooms',
        responses: {
          200: {
            description: 'Rooms',
            content: { 'application/json': { schema: { type: 'array', items: ref('Room') } } },
          },
        },
      },
      post: {
        operationId: 'makeRoom',
        requestBody: { required: true, content: { 'application/json': { schema: ref('Room') } } },
        responses: { 204: { description: 'Made' } },
      },
    },
  },
  components: { schemas: SCHEMAS },
});

const PROGRAM = `import type { Alias, Record2, Room, Schema3d, UserInfo, UserInfo2, UserInfo3, Value, components } from './openapi.js';
import type { ListRoomsResponse, MakeRoomRequest } from './operations.js';

export const owner: UserInfo2 = { name: 'a' };
export const room: Room = { owner, next: { owner } };
export const other: UserInfo = { id: '1' };
export const text: UserInfo3 = 'text';
export const number: Schema3d = 3;
export const record: Record2 = { of: { a: 'b' } };
export const value: Value = ['a', ['b']];
export const alias: Alias = room;
export const same: components['schemas']['Room'] = room;
export const rooms: ListRoomsResponse = { status: 200, body: [room] };
export const taken = ({ body }: MakeRoomRequest): string | undefined => body.owner?.name;
`;

describe('the names of component schemas', () => {
  let directory = '';

  before(async () => {
    directory = await temporaryPackage();
    const files = await generated(DOCUMENT);
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    await writeFile(join(directory, 'program.ts'), PROGRAM);
  });
  after(() => removeDirectory(directory));

  it('are exported as identifiers, one per schema, and clash with nothing', () => {
    expect(complaints(directory, ['program.ts'])).to.deep.equal([]);
  });

  it('are what an editor shows of requests, responses and the schemas inside others', () => {
    const program = ts.createProgram([join(directory, 'program.ts')], strictOptions());
    const checker = program.getTypeChecker();
    const shown = (path: readonly string[], from: string): string => {
      const file = program.getSourceFile(join(directory, from)) ?? expect.fail();
      const module = checker.getSymbolAtLocation(file) ?? expect.fail();
      const [name = '', ...members] = path;
      const symbol = checker.getExportsOfModule(module).find((each) => each.name === name) ?? expect.fail();
      let type = checker.getDeclaredTypeOfSymbol(symbol);
      for (const member of members) {
        type = checker.getNonNullableType(checker.getTypeOfSymbol(type.getProperty(member) ?? expect.fail()));
      }
      return checker.typeToString(type);
    };
    expect(shown(['MakeRoomRequest', 'body'], 'operations.ts')).to.equal('Room');
    expect(shown(['ListRoomsResponse', 'body'], 'operations.ts')).to.equal('Room[]');
    expect(shown(['Room', 'owner'], 'openapi.ts')).to.equal('UserInfo2');
  });
});
