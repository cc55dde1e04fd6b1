/** Patterns that take too long for some texts are found before a contract is generated from; harmless ones pass. */

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { slownessOf } from '../../../../src/codegen/checks/patterns/slow-pattern.js';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { someOf } from '../../../support/budget.js';
import { generated, problemsOf, schemaOf } from '../../written-contract.js';
import { checkOf, documentOf } from './compiled.js';
import { cpuTime } from '../../../support/durations.js';

const A = '#/components/schemas/A';
const EMAIL = '^\\S+@\\S+\\.\\S+$';

const EXPONENTIAL = [
  '^(a+)+$',
  '^(a|a)*$',
  '(x+x+)+y',
  '^(\\d+,?)+$',
  '^([a-z0-9]+-?)+$',
  '^(?=(a+)+$)',
  '^((?=a)a+)+$',
  '^(?:\\w{1,100}\\s?){1,50}$',
  '^(a?){40}a{40}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '^(a|a){40}$',
  '^((a?){20}){2}b$',
  '^(a+)+\\1$',
  '^(?:(a+)+\\1)*$',
  '^(?<n>a+)+\\k<n>$',
  '(?<=^(a+)+)b',
  '(?<!^(?:a|a){40})b',
  '^(a+)+(?=b)',
  '^(a+)+(?!a|$)',
  '^(a+)+(?<=b)',
  '^(?=(?:(a+)+(?=b))?).*$',
];

const POLYNOMIAL = [
  EMAIL,
  '^(.*)(\\d+)(.*)$',
  '^\\s*(.*?)\\s*$',
  '^(.+)\\.(.+)\\.(.+)$',
  '^.*a.*b.*c$',
  '(?=.*\\d.*[a-z])',
  '^(?:a(?=.*.*b))*$',
  '^a*(?=a*a*b)',
];

const UNDECIDED = [
  ['(a+)\\1b', 'back reference'],
  ['^(?<year>\\d{4})-\\k<year>$', 'back reference'],
  ['^(["\'])[a-z]*\\1$', 'back reference'],
  ['(?<=a+)b', 'look-behind of unbounded length'],
  ['^x(?=[a-z](?<!x{2,}))', 'look-behind of unbounded length'],
] as const;

const HARMLESS = [
  '^\\p{L}+( \\p{L}+)*$',
  '',
  '^[a-z]+$',
  '\\s+$',
  '^[^@]+@[^@]+$',
  '^[a-z]+[a-z0-9]+$',
  '^(?=.*[a-z])(?=.*\\d).{8,}$',
  '^(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\\.[A-Za-z]{2,})+$',
  '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$',
  '^[a-z0-9]+(?:[._-][a-z0-9]+)*(?:/[a-z0-9]+(?:[._-][a-z0-9]+)*)*$',
  '^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$',
  'arn:aws:[a-z0-9-]*:[a-z0-9-]+:[a-z0-9-]*:[0-9]{12}:[\\s\\S]+',
  '^[a-z]{0,1000}x{0,1000}$',
  '^a{0,50}a{0,50}a{0,50}$',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  '(?<=^|,)[a-z]{1,5}(?<!\\bno)$',
  '^[\\w\\-]+\\-[a-z]$',
  '^#(([0-9a-fA-F]{2}){3}|([0-9a-fA-F]){3})$',
  '^x_[a-z0-9]{26}(-a|-b_[a-z]+_[0-9]+)?(v=[a-z0-9]*&)e$',
];

/** As Dropshot, a server of Rust, writes the networks of IPv6. */
const OCTET = '([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])';
const HEX = '[0-9a-fA-F]{1,4}';
const IPV6 = [
  `(${HEX}:){7,7}${HEX}`,
  `(${HEX}:){1,7}:`,
  ...[1, 2, 3, 4, 5].map((n) => `(${HEX}:){1,${7 - n}}(:${HEX}){1,${n}}`),
  `${HEX}:((:${HEX}){1,6})`,
  `:((:${HEX}){1,7}|:)`,
  'fe80:(:[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}',
  `::(ffff(:0{1,4}){0,1}:){0,1}(${OCTET}\\.){3,3}${OCTET}`,
  `(${HEX}:){1,4}:(${OCTET}\\.){3,3}${OCTET}`,
].join('|');
const IPV6_NET = `^(${IPV6})/([0-9]|[1-9][0-9]|1[0-1][0-9]|12[0-8])$`;

describe('a slow pattern', () => {
  for (const pattern of someOf(EXPONENTIAL, 3)) {
    it(`is ${pattern}, which takes exponential time whatever its maxLength`, () => {
      expect(slownessOf(pattern)?.message).to.include('takes exponential time');
      expect(slownessOf(pattern, 100)?.message).to.include('takes exponential time');
    });
  }

  for (const pattern of someOf(POLYNOMIAL, 2)) {
    it(`is ${pattern}, unless a maxLength bounds it`, () => {
      expect(slownessOf(pattern)?.message).to.include('takes over 50 ms for some texts of 10000 characters');
      expect(slownessOf(pattern, 254)).to.equal(undefined);
    });
  }

  for (const [pattern, reason] of UNDECIDED) {
    it(`may be ${pattern}, whose time is not determined`, () => {
      const message = `"${pattern}" has a ${reason}: nothing shows how long it takes`;
      expect(slownessOf(pattern)).to.deep.equal({ feature: 'undecided-pattern', message });
      expect(slownessOf(pattern, 10)).to.deep.equal({ feature: 'undecided-pattern', message });
    });
  }

  for (const pattern of someOf(HARMLESS, 2)) {
    it(`is not ${pattern}`, () => {
      expect(slownessOf(pattern)).to.equal(undefined);
      // What is told is so: the longest of such texts take no more than some tens of milliseconds.
      const expression = new RegExp(pattern);
      for (const piece of ['a', '1', ' ', '-', 'a.', 'a-', 'a1', '@', 'é', 'aA', 'arn:aws:']) {
        const text = `${piece.repeat(10_000 / piece.length)}\u0000`;
        const taken = cpuTime();
        expression.test(text);
        expect(taken(), piece).to.be.lessThan(2_000);
      }
    });
  }

  it('is measured for its maxLength where that is large', () => {
    expect(slownessOf(EMAIL, 1_000)).to.equal(undefined);
    expect(slownessOf(EMAIL, 5_000)?.message).to.include('for some texts of 5000 characters');
    expect(slownessOf(EMAIL, 1_000_000)?.message).to.include('for some texts of 10000 characters');
  });

  it('is named where it is written, and can be accepted', async () => {
    const document = schemaOf({
      type: 'object',
      properties: {
        a: { type: 'string', pattern: '^(a+)+$' },
        b: { type: 'string', pattern: EMAIL },
        c: { type: 'string', pattern: EMAIL, maxLength: 254 },
        d: { type: 'object', propertyNames: { pattern: '^(b+)+$' } },
        e: { type: 'object', patternProperties: { '^(c+)+$': true } },
      },
    });
    const problems = await problemsOf(document);
    expect(problems.map(({ feature, pointer }) => `${String(feature)} ${String(pointer)}`)).to.have.members([
      `slow-pattern ${A}/properties/a/pattern`,
      `slow-pattern ${A}/properties/b/pattern`,
      `slow-pattern ${A}/properties/d/propertyNames/pattern`,
      `slow-pattern ${A}/properties/e/patternProperties/^(c+)+$`,
    ]);
    const files = await generated(document, ['slow-pattern']);
    expect(files['validators.ts']).to.include('/^(a+)+$/u');
  });

  it('is not tried on a text that is too long, neither to check it nor to explain why it fails', async () => {
    const schema = { type: 'string', pattern: EMAIL, maxLength: 20 };
    const check = await checkOf(documentOf('3.1.0', { A: schema }), 'A');
    const text = `${'@.'.repeat(10_000)}\t`;
    const taken = cpuTime();
    expect(check(text)).to.equal(false);
    expect(failuresOf(check, text).map(({ keyword }) => keyword)).to.deep.equal(['maxLength']);
    expect(taken()).to.be.lessThan(2_000);
  });

  it('is found where a checker of another author finds one, and in few more patterns', async () => {
    // The degree of the time that recheck 4.5.0 finds for random patterns: 1, a power of the length, or exponential.
    const rows = JSON.parse(
      await readFile(new URL('../../../fixtures/patterns.json', import.meta.url), 'utf8'),
    ) as readonly (readonly [pattern: string, degree: number | 'exponential'])[];
    let more = 0;
    for (const [pattern, degree] of rows) {
      const isSlow = degree === 'exponential' || degree >= 3;
      const found = slownessOf(pattern)?.feature;
      if (isSlow) expect(found, pattern).to.equal('slow-pattern');
      else if (found !== undefined) more += 1;
    }
    // Patterns that match every text that begins so cannot fail, which the analysis does not always see.
    expect(more).to.be.below(rows.length / 30);
  });

  it('is found in one alternative of a long choice, and a long choice of fast ones is none', () => {
    expect(slownessOf(IPV6_NET)).to.equal(undefined);
    const slow = [
      `^(?:${'b{3}c|'.repeat(40)}(a+)+)d$`,
      IPV6_NET.replace('fe80:', '(?:fe80:|(e+)+g)'),
      `^(?:${'[|)(]c\\||'.repeat(40)}d)(?:a|aa)*$`,
      `^(?:(?:${'bc|'.repeat(80)}a|aa)+)+$`,
    ];
    for (const pattern of someOf(slow, 4)) expect(slownessOf(pattern)?.feature).to.equal('slow-pattern');
  });
});
