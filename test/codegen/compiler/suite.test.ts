/** Holds compiled checks against the JSON Schema Test Suite. The counts may only rise. */
import { expect } from 'chai';
import { failuresOf } from '../../../src/engine/failures/failures-of.js';
import { compiledSchema } from './compiled-schema.js';
import { hasSuite, suiteGroups, suiteRemotes, type Group } from './suite-files.js';

interface Part {
  readonly path: string;
  readonly format: 'assert' | 'annotate';
  readonly right: number;
  readonly total: number;
  /** The groups that are not right, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

const PARTS: readonly Part[] = [
  { path: 'draft2020-12', format: 'annotate', right: 1299, total: 1299 },
  {
    path: 'draft2020-12/optional',
    format: 'annotate',
    right: 161,
    total: 162,
    except: { 'cross-draft': 'schemas of draft 2019-09 are refused: 2020-12 is the only dialect' },
  },
  { path: 'draft2020-12/optional/format', format: 'assert', right: 764, total: 764 },
];

describe('the JSON Schema Test Suite in ../shared/suites', () => {
  if (!hasSuite) {
    it.skip('is not here');
    return;
  }
  const remotes = suiteRemotes();
  for (const { path, format, right, total, except = {} } of PARTS) {
    it(`passes: ${path}, ${right} of ${total}`, async function () {
      this.timeout(60_000);
      const groups = suiteGroups(path);
      let passed = 0;
      for (const group of groups) {
        if (group.file in except) continue;
        passed += await passedBy(group, { remotes, format });
      }
      expect(passed).to.be.at.least(right);
      expect(groups.reduce((sum, { tests }) => sum + tests.length, 0)).to.be.at.least(total);
    });
  }
});

/** How many tests of a group pass; throws at the first that does not. */
async function passedBy(
  { file, description, schema, tests }: Group,
  options: { readonly remotes: Readonly<Record<string, unknown>>; readonly format: Part['format'] },
): Promise<number> {
  const check = await compiledSchema(schema, options);
  for (const { description: what, data, valid } of tests) {
    const place = `${file}: ${description}: ${what}`;
    expect(check(data), place).to.equal(valid);
    expect(failuresOf(check, data).length === 0, `the failures of ${place}`).to.equal(valid);
  }
  return tests.length;
}
