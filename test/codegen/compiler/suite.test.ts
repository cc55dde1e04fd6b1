/** Holds compiled checks against the JSON Schema Test Suite. The counts may only rise. */
import { expect } from 'chai';
import { dialectOf } from '../../../src/codegen/schemas/dialect.js';
import type { SchemaOptions } from '../../../src/codegen/schemas/contract-schemas.js';
import { failuresOf } from '../../../src/runtime/failures/failures-of.js';
import { compiledSchema } from './compiled-schema.js';
import { hasSuite, suiteGroups, suiteRemotes, type Group } from './suite-files.js';

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

describe('the JSON Schema Test Suite in ../shared/suites', () => {
  if (!hasSuite) {
    it.skip('is not here');
    return;
  }
  const remotes = suiteRemotes();
  for (const { path, formats, right, total, except = {} } of PARTS) {
    it(`passes: ${path}, ${right} of ${total}`, async function () {
      this.timeout(60_000);
      const groups = suiteGroups(path);
      let passed = 0;
      for (const group of groups) {
        if (group.file in except) continue;
        passed += await passedBy(group, { remotes, formats });
      }
      expect(passed).to.be.at.least(right);
      expect(groups.reduce((sum, { tests }) => sum + tests.length, 0)).to.be.at.least(total);
    });
  }
});

describe('what OpenAPI 3.0 has of draft 4, in the JSON Schema Test Suite', () => {
  if (!hasSuite) {
    it.skip('is not here');
    return;
  }
  const { keywords } = dialectOf({ openapi: '3.0.3' });
  for (const [path, right] of [
    ['draft4', 412],
    ['draft4/optional', 74],
    ['draft4/optional/format', 218],
  ] as const) {
    it(`passes: ${path}, ${right}`, async function () {
      this.timeout(60_000);
      let passed = 0;
      for (const group of suiteGroups(path))
        if (isOpenApi30(group.schema, keywords))
          passed += await passedBy(group, { formats: 'assert' }, '3.0.3');
      expect(passed).to.be.at.least(right);
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

/** How many tests of a group pass; throws at the first that does not. */
async function passedBy(
  { file, description, schema, tests }: Group,
  options: SchemaOptions,
  openapi?: string,
): Promise<number> {
  const check = await compiledSchema(schema, options, openapi);
  let passed = 0;
  for (const { description: what, data, valid } of tests) {
    const place = `${file}: ${description}: ${what}`;
    if (openapi === '3.0.3' && place in NOT_DRAFT_4) continue;
    expect(check(data), place).to.equal(valid);
    expect(failuresOf(check, data).length === 0, `the failures of ${place}`).to.equal(valid);
    passed += 1;
  }
  return passed;
}
