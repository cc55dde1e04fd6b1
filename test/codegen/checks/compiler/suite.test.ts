/** Holds generated checks against the JSON Schema Test Suite. The counts may only rise. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dialectOf } from '../../../../src/codegen/contract/schemas/dialect.js';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { complaintsOfMany } from '../../strict-compiler.js';
import { batchesOf, generatedChecks } from './suite-contract.js';
import { type Group, suiteFolder, suiteGroups, suiteRemotes } from './suite-files.js';
import { triesMuch } from '../../../support/budget.js';
import { describeWith } from '../../../support/outside-files.js';

interface Part {
  readonly path: string;
  readonly formats: 'assert' | 'annotate';
  readonly right: number;
  readonly total: number;
  /** The groups that are not right, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

const PARTS: readonly Part[] = [
  { path: 'draft2020-12', formats: 'annotate', right: 1299, total: 1299 },
  {
    path: 'draft2020-12/optional',
    formats: 'annotate',
    right: 161,
    total: 162,
    except: { 'cross-draft': 'schemas of draft 2019-09 are refused: 2020-12 is the only dialect' },
  },
  { path: 'draft2020-12/optional/format', formats: 'assert', right: 764, total: 764 },
];

describeWith(suiteFolder, 'the JSON Schema Test Suite, through a contract', () => {
  for (const { path, formats, right, total, except = {} } of PARTS) {
    it(`passes: ${path}, ${right} of ${total}`, async () => {
      const remotes = suiteRemotes();
      const groups = suiteGroups(path);
      const accepted = groups.filter(({ file }) => !(file in except));
      expect(await passed(accepted, { formats, remotes })).to.equal(right);
      expect(groups.reduce((sum, { tests }) => sum + tests.length, 0)).to.equal(total);
    });
  }

  const { keywords } = dialectOf({ openapi: '3.0.3' });
  for (const [path, right] of [
    ['draft4', 412],
    ['draft4/optional', 74],
    ['draft4/optional/format', 218],
  ] as const) {
    it(`passes what OpenAPI 3.0 has of draft 4: ${path}, ${right}`, async () => {
      const groups = suiteGroups(path).filter(({ schema }) => isOpenApi30(schema, keywords));
      expect(await passed(groups, { formats: 'assert' }, '3.0.3')).to.equal(right);
    });
  }
});

/** What of draft 4 is not so, with the reason. */
const NOT_DRAFT_4: Readonly<Record<string, string>> = {
  'zeroTerminatedFloats: some languages do not distinguish between different types of numeric value: a float is not an integer even without fractional part':
    'JSON.parse reads 1.0 as 1',
  'hostname: validation of host names: hostname with consecutive hyphens (RFC1123)':
    'host names are those of 2020-12, where "--" in the third place is an A-label or nothing',
};

/** Keywords whose value is no schema, list of schemas or map of schemas, but may look like one. */
const VALUES = new Set(['enum', 'default']);

/** True for a schema in the words of OpenAPI 3.0, whose references stay inside it. */
function isOpenApi30(schema: unknown, keywords: ReadonlyMap<string, unknown>, isMap = false): boolean {
  if (Array.isArray(schema)) return schema.every((each) => isOpenApi30(each, keywords));
  if (typeof schema !== 'object' || schema === null) return true;
  return Object.entries(schema).every(([keyword, value]) => {
    if (isMap) return isOpenApi30(value, keywords);
    if (keyword === '$ref') return String(value).startsWith('#') && Object.keys(schema).length > 0;
    if (keyword === '$schema' || VALUES.has(keyword)) return true;
    if (keyword === 'definitions') return isOpenApi30(value, keywords, true);
    // One type, which is not null; one schema for all items.
    if (keyword === 'type') return typeof value === 'string' && value !== 'null';
    if (keyword === 'items' && Array.isArray(value)) return false;
    return keywords.has(keyword) && isOpenApi30(value, keywords, keyword === 'properties');
  });
}

/** How many tests pass; throws at the first that does not, and, where everything is tried, if the generated types do not compile. */
async function passed(
  groups: readonly Group[],
  options: Parameters<typeof generatedChecks>[1],
  openapi?: '3.0.3',
): Promise<number> {
  const written: string[] = [];
  let count = 0;
  for (const batch of batchesOf(groups)) {
    const schemas = batch.map(({ schema }) => schema);
    const { checks, types } = await generatedChecks(schemas, options, openapi);
    written.push(types);
    for (const [index, { file, description, tests }] of batch.entries()) {
      for (const { description: what, data, valid } of tests) {
        const place = `${file}: ${description}: ${what}`;
        if (openapi === '3.0.3' && place in NOT_DRAFT_4) continue;
        for (const check of checks[index] ?? []) {
          expect(check(structuredClone(data)), place).to.equal(valid);
          expect(failuresOf(check, data).length === 0, `the failures of ${place}`).to.equal(valid);
        }
        count += 1;
      }
    }
  }
  if (triesMuch) expect(await faultsOf(written)).to.deep.equal([]);
  return count;
}

/** What the compiler says of generated types: all at once, because it reads its libraries each time. */
async function faultsOf(written: readonly string[]): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-suite-types-'));
  try {
    const files = written.map((types, index) => ({ name: `types-${index}.ts`, types }));
    for (const { name, types } of files) await writeFile(join(directory, name), types);
    return complaintsOfMany(
      directory,
      files.map(({ name }) => name),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}
