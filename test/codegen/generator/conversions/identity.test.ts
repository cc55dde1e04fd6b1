/** Tests that decoding and then encoding gives the same text, over random schemas and values. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { generate } from 'concordat';
import type { Check, Convert } from '@concordat/runtime';
import { parseExactJson, withoutBigints } from '../../../../src/runtime/rest/decode/exact.js';
import { writeExactJson } from '../../../../src/runtime/http/response-writers.js';
import { type Described, described } from './random-values.js';
import { runs } from '../../../support/budget.js';

const values = { 'date-time': 'Date', date: 'Date', int64: 'bigint', byte: 'Uint8Array' } as const;

/** The depth of the schemas, and how many of each version are tried. */
const DEPTH = 3;
const COUNT = runs(60);

for (const version of ['3.0', '3.1'] as const) {
  describe(`random values of ${version}`, () => {
    it('are the same after decoding and encoding', async () => {
      const seed = Number(process.env['SEED'] ?? 1);
      const all = fc.sample(described(version, DEPTH), { numRuns: COUNT, seed });
      const { checks, convert } = await load(version, all, seed);
      for (const [index, { schema, value }] of all.entries()) {
        const name = `S${String(index)}`;
        const check = checks[`s${String(index)}Request`];
        const decode = convert[`decode${name}`] ?? ((each: unknown) => each);
        const encode = convert[`encode${name}`] ?? ((each: unknown) => each);
        fc.assert(
          fc.property(value, (each) => {
            const text = writeExactJson(each);
            const exact = parseExactJson(text);
            const wire = withoutBigints(exact);
            const about = `${text} of ${JSON.stringify(schema)}, seed ${String(seed)}`;
            expect(check?.(wire), about).to.not.equal(false);
            const decoded = decode(wire, exact);
            expect(writeExactJson(encode(decoded)), about).to.equal(text);
            expect(texts(decoded), about).to.deep.equal([]);
          }),
          { numRuns: 40, seed, includeErrorInReport: true },
        );
      }
    });
  });
}

/** The checks and conversions of schemas, each a component. */
async function load(
  version: string,
  all: readonly Described[],
  seed: number,
): Promise<{
  readonly checks: Readonly<Record<string, Check>>;
  readonly convert: Readonly<Record<string, Convert>>;
}> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-values-'));
  try {
    const file = join(directory, 'openapi.json');
    const paths = all.map((_, index) => {
      const content = { 'application/json': { schema: { $ref: `#/components/schemas/S${String(index)}` } } };
      const responses = { 200: { description: 'The same.', content } };
      return [`/s${String(index)}`, { post: { requestBody: { required: true, content }, responses } }];
    });
    const document = {
      openapi: `${version}.0`,
      info: { title: 'Random', version: '1.0.0' },
      paths: Object.fromEntries(paths) as object,
      components: {
        schemas: Object.fromEntries(all.map(({ schema }, index) => [`S${String(index)}`, schema])),
      },
    };
    await writeFile(file, JSON.stringify(document));
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    const files = await generate({ openapi: file, values });
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    const load = async (name: string): Promise<object> =>
      (await import(pathToFileURL(join(directory, name)).href)) as object;
    return {
      checks: (await load('validators.ts')) as Record<string, Check>,
      convert: (await load('values.ts')) as Record<string, Convert>,
    };
  } catch (error) {
    throw new Error(`seed ${String(seed)}`, { cause: error });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Texts that should have become a value of another type. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array)
    return [];
  return Object.values(value).flatMap(texts);
}
