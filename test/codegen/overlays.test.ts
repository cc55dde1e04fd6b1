/** Overlays: documents that extend an OpenAPI document, wherever a contract is read. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'concordat';
import { expect } from 'chai';
import { type LoadedContract, loadContract } from '../../src/codegen/contract/load/load.js';
import { ContractError } from '../../src/codegen/contract/problems/contract-problem.js';
import { resolvePointer } from '../../src/codegen/text/pointer.js';
import { loadModules } from './generated-modules.js';

const BASE = `openapi: 3.1.0
info: { title: Lamps, version: '1' }
paths:
  /lamps:
    get:
      operationId: listLamps
      responses:
        '200':
          description: the lamps
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Lamp' } } } }
components:
  schemas:
    Lamp: { type: object, required: [id], properties: { id: { type: string } } }
`;

const overlayOf = (base: string, actions: string): string =>
  `overlay: 1.0.0\ninfo: { title: Shelves, version: '1' }\nextends: ${base}\nactions:\n${actions}`;

const SHELF = `  - target: $.components.schemas.Lamp
    update:
      required: [shelf]
      properties:
        shelf: { $ref: 'shelf.yaml#/Shelf' }
`;

const COUNT = `  - target: $.paths
    update:
      /lamps/count:
        get:
          operationId: OPERATION_ID
          responses:
            '200':
              description: the number
              content: { text/plain: { schema: SCHEMA } }
`;

const count = (id = 'countLamps', schema = '{ type: integer }'): string =>
  COUNT.replace('OPERATION_ID', id).replace('SCHEMA', schema);

describe('an overlay', () => {
  let directory = '';
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'concordat-overlay-'));
    write('base.yaml', BASE);
    write('shelf.yaml', 'Shelf: { type: string, maxLength: 8 }\n');
  });
  after(() => {
    rmSync(directory, { recursive: true });
  });

  const write = (name: string, text: string): void => {
    writeFileSync(join(directory, name), text);
  };

  function load(text: string, name = 'overlay.yaml'): Promise<LoadedContract> {
    write(name, text);
    return loadContract(join(directory, name));
  }

  /** Each problem as `file:line:column message`, without directories. */
  async function problemsOf(text: string): Promise<readonly string[]> {
    const error: unknown = await load(text).catch((thrown: unknown) => thrown);
    if (!(error instanceof ContractError)) throw new Error('it has no problem', { cause: error });
    return error.problems.map(({ file, line, column, message }) =>
      `${file.split('/').at(-1) ?? ''}:${String(line)}:${String(column)} ${message}`.replaceAll(
        `${directory}/`,
        '',
      ),
    );
  }

  it('adds operations and fields, whose references are relative to itself', async () => {
    const { document, files } = await load(overlayOf('base.yaml', SHELF + count()));
    expect(Object.keys(document.paths ?? {})).to.deep.equal(['/lamps', '/lamps/count']);
    expect(resolvePointer(document, '#/components/schemas/Lamp')).to.deep.include({
      required: ['id', 'shelf'],
    });
    const shelf = resolvePointer(document, '#/components/schemas/Lamp/properties/shelf') as { $ref: string };
    expect(resolvePointer(document, shelf.$ref)).to.deep.equal({ type: 'string', maxLength: 8 });
    const names = files.map((file) => file.split('/').at(-1));
    expect(names).to.include.members(['base.yaml', 'overlay.yaml', 'shelf.yaml']);
  });

  it('removes parts, and leaves the document as it is', async () => {
    const { document } = await load(
      overlayOf('base.yaml', `${count()}  - { target: "$.paths['/lamps']", remove: true }\n`),
    );
    expect(Object.keys(document.paths ?? {})).to.deep.equal(['/lamps/count']);
    expect(
      Object.keys((await loadContract(join(directory, 'base.yaml'))).document.paths ?? {}),
    ).to.deep.equal(['/lamps']);
  });

  it('is generated as one document', async () => {
    const { document } = await load(overlayOf('base.yaml', SHELF + count()));
    const files = await generate({ openapi: join(directory, 'overlay.yaml'), document: true });
    const { exports } = loadModules({ 'document.ts': files['document.ts'] ?? '' });
    // The module has objects of another realm.
    expect(JSON.stringify(exports['document.ts'])).to.equal(JSON.stringify({ document }));
  });

  it('may extend another overlay', async () => {
    write('first.yaml', overlayOf('base.yaml', count()));
    const { document } = await load(
      overlayOf('first.yaml', "  - { target: $..get, update: { 'x-internal': true } }\n"),
    );
    for (const path of ['#/paths/~1lamps/get', '#/paths/~1lamps~1count/get'])
      expect(resolvePointer(document, path)).to.include({ 'x-internal': true });
  });

  it('is the place of the parts that it adds and replaces, and of no others', async () => {
    const rename = `  - { target: "$.paths['/lamps'].get", update: { operationId: allLamps } }\n`;
    const { position } = await load(overlayOf('base.yaml', count() + rename));
    const placeOf = (pointer: string): string => {
      const { file, line } = position(pointer);
      return `${file.split('/').at(-1) ?? ''}:${String(line)}`;
    };
    expect(placeOf('#/paths/~1lamps~1count/get/responses')).to.equal('overlay.yaml:10');
    expect(placeOf('#/paths/~1lamps/get/operationId')).to.equal('overlay.yaml:14');
    expect(placeOf('#/paths/~1lamps/get/responses')).to.equal('base.yaml:7');
  });

  it('is named by the problems of its parts', async () => {
    expect(
      await problemsOf(overlayOf('base.yaml', count('listLamps', "{ $ref: '#/components/schemas/None' }"))),
    ).to.deep.equal(["overlay.yaml:13:48 Can't resolve $ref #/components/schemas/None"]);
  });

  for (const [what, text, line] of [
    [
      'a target',
      overlayOf('base.yaml', `${SHELF}  - { target: $.components.schemas.Lmap, update: { a: 1 } }\n`),
      10,
    ],
    ['a removal', overlayOf('base.yaml', '  - { target: "$.paths[?@.none]", remove: true }\n'), 5],
  ] as const) {
    it(`has a notice for ${what} that selects nothing`, async () => {
      write('overlay.yaml', text);
      const { harmless } = await loadContract(join(directory, 'overlay.yaml'));
      expect(harmless.map(({ feature, ...place }) => [feature, place.line, place.message])).to.deep.equal([
        ['idle-overlay-action', line, 'the target selects nothing in the document'],
      ]);
    });
  }

  for (const [fault, text, expected] of [
    [
      'a target that is no JSONPath',
      overlayOf('base.yaml', '  - { target: lamps, update: {} }\n'),
      /^overlay\.yaml:5:15 Invalid JSONPath/,
    ],
    [
      'an update of another kind',
      overlayOf('base.yaml', '  - { target: $.info.title, update: { a: 1 } }\n'),
      /^overlay\.yaml:5:37 Cannot apply object to string/,
    ],
    ['no actions', overlayOf('base.yaml', '  none: here\n'), /^overlay\.yaml:\d+:\d+ .*`actions`/],
    [
      'nothing that it extends',
      'overlay: 1.0.0\nactions: []\n',
      /^overlay\.yaml:1:1 the overlay must name the OpenAPI document/,
    ],
    [
      'itself as its document',
      overlayOf('overlay.yaml', count()),
      /^overlay\.yaml:1:1 the overlay must not extend itself/,
    ],
    [
      'a document that does not exist',
      overlayOf('none.yaml', count()),
      /^overlay\.yaml:.*no such file.*none\.yaml/,
    ],
    [
      'another version',
      overlayOf('base.yaml', count()).replace('1.0.0', '2.0.0'),
      /^overlay\.yaml:1:1 .*not an Overlay 1\.0/,
    ],
  ] as const) {
    it(`is refused with ${fault}`, async () => {
      const [problem = '', ...others] = await problemsOf(text);
      expect(problem).to.match(expected);
      expect(others).to.deep.equal([]);
    });
  }
});
