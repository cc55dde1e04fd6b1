/** A property with a default: optional for clients, present for handlers, in any place where the engine inserts it. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { complaints } from '../../strict-compiler.js';
import { generated } from '../../written-contract.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const withDefault = { type: 'integer', default: 1 };

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Defaults', version: '1.0.0' },
  paths: {
    '/rooms': {
      post: {
        operationId: 'makeRoom',
        parameters: [
          { name: 'filter', in: 'query', style: 'deepObject', schema: object({ deep: withDefault }) },
          { name: 'page', in: 'query', schema: withDefault },
        ],
        requestBody: { required: true, ...json(ref('Room')) },
        responses: { 200: { description: 'Made', ...json(ref('Room')) } },
      },
      put: {
        operationId: 'putRooms',
        requestBody: { required: true, ...json({ type: 'array', items: ref('Room') }) },
        responses: { 204: { description: 'Put' } },
      },
      patch: {
        operationId: 'changeRoom',
        requestBody: { required: true, ...json(object({ size: withDefault, name: { type: 'string' } })) },
        responses: { 204: { description: 'Changed' } },
      },
      delete: {
        operationId: 'removePet',
        requestBody: { required: true, ...json(ref('Pet')) },
        responses: { 204: { description: 'Removed' } },
      },
    },
  },
  components: {
    schemas: {
      Size: withDefault,
      Plain: object({ name: { type: 'string' } }),
      Room: object(
        {
          name: { type: 'string' },
          id: { type: 'string', readOnly: true },
          size: ref('Size'),
          plain: ref('Plain'),
          inner: ref('Inner'),
          rooms: { type: 'array', items: ref('Room') },
          byName: { type: 'object', additionalProperties: ref('Inner') },
          maybe: { anyOf: [ref('Inner'), { type: 'null' }] },
          lamp: { allOf: [ref('Inner'), object({ watt: withDefault })] },
        },
        { required: ['name'] },
      ),
      Inner: object({ color: { type: 'string', default: 'red' } }),
      RoomWithDefaults: object({ taken: { type: 'string' } }),
      Pet: {
        oneOf: [ref('Cat'), ref('Dog')],
        discriminator: { propertyName: 'kind', mapping: { d: '#/components/schemas/Dog' } },
      },
      Cat: object({ kind: { type: 'string' }, lives: withDefault }, { required: ['kind'] }),
      Dog: object({ kind: { type: 'string' }, bark: { type: 'boolean' } }, { required: ['kind'] }),
    },
  },
};

const PROGRAM = `import type { ChangeRoomBody, Room, RoomInput, paths } from './openapi.js';
import type {
  ChangeRoomRequest,
  MakeRoomRequest,
  MakeRoomResponse,
  PutRoomsRequest,
  RemovePetRequest,
} from './operations.js';

type Body<P extends 'post' | 'put' | 'patch' | 'delete'> =
  paths['/rooms'][P] extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;

export const sent: Body<'post'> & RoomInput = { name: 'a', rooms: [{ name: 'b' }], inner: {}, lamp: {} };
export const listed: Body<'put'> = [{ name: 'a' }];
export const changed: Body<'patch'> & ChangeRoomBody = {};
export const removed: readonly Body<'delete'>[] = [{ kind: 'Cat' }, { kind: 'd' }];
export const answered: MakeRoomResponse = { status: 200, body: { name: 'a' } };
export const read: Room = { name: 'a', id: '1' };

export function seen({ body, query }: MakeRoomRequest): readonly (number | string | undefined)[] {
  const { size, inner, rooms, byName, maybe, lamp, plain } = body;
  const numbers: readonly number[] = [size, query.page, ...(rooms ?? []).map((room) => room.size)];
  const colors: readonly (string | undefined)[] = [inner?.color, byName?.['a']?.color, maybe?.color, plain?.name];
  const watt: number = lamp?.watt ?? query.filter?.deep ?? 0;
  const color: string = lamp?.color ?? inner?.color ?? '';
  return [...numbers, ...colors, watt, color];
}
export const size = ({ body }: ChangeRoomRequest): number => body.size;
export const sizes = ({ body }: PutRoomsRequest): readonly number[] => body.map((room) => room.size);
export const lives = ({ body }: RemovePetRequest): number | undefined => (body.kind === 'Cat' ? body.lives : undefined);
`;

describe('a property with a default', () => {
  let directory = '';
  let files: Readonly<Record<string, string>> = {};

  before(async () => {
    directory = await temporaryPackage();
    files = await generated(DOCUMENT);
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  });
  after(() => removeDirectory(directory));

  it('is optional in what a client sends and in answers, and present in what a handler gets', async () => {
    await writeFile(join(directory, 'program.ts'), PROGRAM);
    expect(complaints(directory, ['program.ts'])).to.deep.equal([]);
  });

  it('is not certain for a handler where the engine does not insert it', async () => {
    const wrong = PROGRAM.replace('body.size;', 'body.name.length;');
    await writeFile(join(directory, 'wrong.ts'), wrong);
    expect(complaints(directory, ['wrong.ts']).join()).to.match(/possibly 'undefined'/);
  });

  it('makes only the schemas twice that have one, under names that are free', () => {
    const names = [...(files['openapi.ts'] ?? '').matchAll(/(\w+WithDefaults\d*): /g)];
    expect(names.map(([, name]) => name)).to.have.members([
      'RoomWithDefaults',
      'RoomInputWithDefaults',
      'ChangeRoomBodyWithDefaults',
      'InnerWithDefaults',
      'PetWithDefaults',
      'CatWithDefaults',
    ]);
  });
});
