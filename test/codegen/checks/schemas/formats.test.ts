/** Tests every format by values that it accepts and refuses, in the generated module. */
import { expect } from 'chai';
import { FORMAT_VALUES } from '../../../../src/tools/values/format-values.js';
import { arbitraryOfCheck } from '@concordat/tools/fast-check';
import fc from 'fast-check';
import type { Format } from '../../../../src/runtime/contract/formats.js';
import { FORMATS, isChecked } from '../../../../src/codegen/checks/formats/format-table.js';
import type { Check } from '../../../../src/runtime/contract/contract.js';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { compiled, component, documentOf, imported } from './compiled.js';

type Row = readonly [format: Format, accepted: readonly unknown[], refused: readonly unknown[]];

const rows: readonly Row[] = [
  [
    'date',
    ['2024-02-29', '2000-02-29', '0000-01-01'],
    ['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-10', '2024-1-1', '2024-04-31', ' 2024-04-30'],
  ],
  [
    'time',
    ['12:00:00Z', '12:00:00z', '23:59:59.123456789+02:00', '23:59:60Z', '00:59:60+01:00', '18:29:60-05:30'],
    [
      '12:00:00',
      '24:00:00Z',
      '12:60:00Z',
      '12:00:61Z',
      '22:59:60Z',
      '23:59:60+01:00',
      '12:00Z',
      '12:00:00+24:00',
      '12:00:00+01',
      '12:00:00.Z',
    ],
  ],
  [
    'date-time',
    [
      '2024-02-29T12:00:00Z',
      '2024-02-29t12:00:00.5-08:00',
      '1998-12-31T23:59:60Z',
      '1998-12-31T15:59:60.123-08:00',
    ],
    [
      '2024-02-29 12:00:00Z',
      '2024-02-30T12:00:00Z',
      '2024-02-29T12:00:00',
      '2024-02-29',
      '1998-12-31T23:58:60Z',
      '2024-02-29T',
      '２024-02-29T12:00:00Z',
    ],
  ],
  ['duration', ['P1Y2M3DT4H5M6S', 'PT1S', 'P4W', 'P1D'], ['P', 'PT', '1Y', 'P1S', 'P1.5D', 'P1YT']],
  [
    'email',
    ['a@b.example', "o'hara+x@sub.b.example"],
    ['a', 'a@', '@b.example', 'a b@c.example', 'a@b..example'],
  ],
  ['idn-email', ['é@bücher.example', 'a@b.example'], ['é', 'a b@c.example']],
  [
    'hostname',
    ['a', 'a-b.example', 'xn--bcher-kva.example'],
    ['-a', 'a_b', 'a..b', `${'a'.repeat(64)}.example`],
  ],
  ['idn-hostname', ['bücher.example', '例え.jp'], ['-ü', 'a b']],
  ['ipv4', ['127.0.0.1', '255.255.255.255'], ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4 ']],
  ['ipv6', ['::1', '2001:db8::8a2e:370:7334', '::ffff:1.2.3.4'], ['1::2::3', ':1', '12345::', '1.2.3.4']],
  [
    'uri',
    ['https://a.example/b?c=d#e', 'urn:isbn:1', 'mailto:a@b.example', 'http://[::1]:80/'],
    ['/a', '//a.example', 'a', 'http://a b', 'http://a.example/{x}', '1http://a', '\\\\a\\b'],
  ],
  ['uri-reference', ['/a', '../a?b', '#c', '', 'https://a.example'], ['\\a', 'a b', '#a\\b', '{a}']],
  ['iri', ['https://bücher.example/ü?ä#ö', 'https://a.example'], ['/ü', 'ü', 'https://a b']],
  ['iri-reference', ['/ü', '#ä', 'https://a.example'], ['\\ü', 'ü b']],
  [
    'uri-template',
    [
      'https://a.example/{id}{?q,p*}',
      '/a{/b.c:3}',
      'https://a.example/following{/other_user}',
      'plain',
      '/ü',
    ],
    ['{', 'a}', '{a b}', '{?}', '{a:0}', 'a b'],
  ],
  [
    'uuid',
    ['123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-426614174000'],
    [
      '123e4567e89b12d3a456426614174000',
      'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
      '123e4567-e89b-12d3-a456-42661417400g',
    ],
  ],
  ['json-pointer', ['', '/a/b~0~1', '/'], ['a', '/~2', '#/a']],
  ['relative-json-pointer', ['0', '1/a', '2#'], ['/a', '01', '-1', '1a']],
  ['regex', ['^a$', '\\p{L}'], ['(', '[', '\\Z']],
  ['byte', ['', 'YQ==', 'YWI=', 'YWJj'], ['YQ', 'Y===', 'YQ=', 'a-b_', 'YQ==YQ==', 'YQ==\n']],
  ['base64url', ['', 'YQ', 'YQ==', 'a-b_'], ['YQ=', 'Y', 'a+b/', 'YQ===', 'YQ==\n']],
  ['char', ['a', ' ', '\n', '😀'], ['', 'ab', '😀😀', 'e\u0301']],
  [
    'date-time-local',
    ['2024-02-29T12:00:00', '2024-02-29t12:00:00.123'],
    ['2024-02-30T12:00:00', '2024-02-29T12:00:00Z'],
  ],
  ['time-local', ['00:00:00', '23:59:60', '12:00:00.5'], ['24:00:00', '12:00', '12:00:00Z', '12:00:00.']],
  [
    'decimal',
    ['0', '-0.10', '007', '123456789012345678901234567890.5'],
    ['', '1.', '.5', '+1', '1e3', '1,5', 'NaN'],
  ],
  [
    'decimal128',
    ['0', '+1.5E-3', 'NaN', 'INF', '-INF', '1E6144', '1e-6176', '9'.repeat(34), `0.${'0'.repeat(40)}1`],
    ['', 'inf', '1E6145', '1e-6177', '9'.repeat(35), '1.', '0x1', '1E'],
  ],
  [
    'http-date',
    ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'],
    [
      'Mon, 06 Nov 1994 08:49:37 GMT',
      'Sun, 6 Nov 1994 08:49:37 GMT',
      'Sun, 06 Nov 1994 08:49:37 +0000',
      '1994-11-06',
      'Sun, 06 Nov 1994 24:00:00 GMT',
      '',
    ],
  ],
  [
    'media-range',
    ['*/*', 'text/*', 'text/html', 'a/b+c;q=0.5 ; x="a\\"b"', 'text/html;'],
    ['', 'text', '*/html', 'text/html,a/b', 'a/b;q', 'a/b;q=', 'a/b; q="', 'text /html', 'text/html '],
  ],
  ['sf-binary', ['::', ':YQ==:', ':YQ:'], ['', 'YQ==', ':a_b:', ':YQ===:', ':Y=Q:']],
  ['sf-boolean', ['?0', '?1'], ['', '0', '?2', '?11', 'true']],
  ['sf-string', ['""', '"a b"', '"\\"\\\\"'], ['', 'a', '"', '"a', '"é"', '"\\a"', '"\n"']],
  ['sf-token', ['a', '*', 'Foo123/456', '*a:b'], ['', '1', ':a', 'a b', 'a"', 'é']],
  ['sf-decimal', [0, -1.5, 0.001, 999_999_999_999.999], [0.0001, 1e12, -1e12, 1e-7]],
  ['sf-integer', [0, 999_999_999_999_999, -999_999_999_999_999], [1e15, 0.5]],
  ['double-int', [0, 2 ** 53 - 1, -(2 ** 53) + 1], [2 ** 53, -(2 ** 53), 0.5]],
  ['unixtime', [0, 1.7e9, -1, '1700000000', '-1'], [0.5, 2 ** 53, '', '1.5', '2024-01-01']],
  ['int8', [0, 127, -128], [128, -129, 1.5]],
  ['int16', [0, 32767, -32768], [32768, -32769, 1.5]],
  ['int32', [0, 2147483647, -2147483648], [2147483648, -2147483649, 1.5]],
  [
    'int64',
    [0, Number.MAX_SAFE_INTEGER, -(2 ** 63), '9223372036854775807', '-9223372036854775808', '0'],
    [2 ** 63, 1.5, '9223372036854775808', '-9223372036854775809', '', '1.5', '+1', '1e3', '9'.repeat(40)],
  ],
  ['uint8', [0, 255], [-1, 256, 1.5]],
  ['uint16', [0, 65535], [-1, 65536, 1.5]],
  ['uint32', [0, 4294967295], [-1, 4294967296, 1.5]],
  [
    'uint64',
    [0, 2 ** 64 - 2 ** 11, '18446744073709551615'],
    [-1, 2 ** 64, 1.5, '18446744073709551616', '-1', ''],
  ],
];

const formats = Object.keys(FORMATS) as readonly Format[];

describe('the formats', () => {
  const schemas = Object.fromEntries(formats.map((format) => [format, { format }]));
  const document = documentOf('3.1.0', schemas);
  const wanted = Object.keys(schemas).map((format, index) => ({
    ...component(format),
    name: `check${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : String.fromCharCode(65 + index / 26)}`,
  }));
  const validators = compiled(document, wanted);
  let checks: Readonly<Record<string, Check>>;
  before(async () => {
    checks = await imported(validators.requests.js);
  });
  const nameOf = (format: string): string => wanted[Object.keys(schemas).indexOf(format)]?.name ?? '';

  it('are all tested here', () => {
    expect(formats.filter(isChecked)).to.have.members(rows.map(([format]) => format));
  });

  for (const format of formats.filter((each) => !isChecked(each))) {
    it(`has nothing to check for ${format}`, () => {
      expect(validators.trivial.has(nameOf(format))).to.equal(true);
    });
  }

  for (const [format, accepted, refused] of rows) {
    const checkOf = (): Check => checks[nameOf(format)] ?? (() => true);
    const check = (value: unknown): boolean => checkOf()(value);
    it(`accepts ${format}`, () => {
      expect(accepted.filter((value) => !check(value))).to.deep.equal([]);
    });
    it(`refuses what is no ${format}`, () => {
      expect(refused.filter(check)).to.deep.equal([]);
      const [failure] = failuresOf(checkOf(), refused[0]);
      expect(failure).to.include({ keyword: 'format', message: `must match format "${format}"` });
    });
    it(`leaves values alone that ${format} is not for`, () => {
      const types = new Set(accepted.map((value) => typeof value));
      const others = [1.5, 'text', null, true, [], {}].filter((value) => !types.has(typeof value));
      expect(others.filter((value) => !check(value))).to.deep.equal([]);
    });
    it(`accepts the samples of ${format} and refuses the values beside them`, () => {
      const { samples, outside } = FORMAT_VALUES[format];
      expect(samples.filter((value) => !check(value))).to.deep.equal([]);
      expect(outside.filter(check)).to.deep.equal([]);
    });
    it(`gets random values of ${format}`, () => {
      for (const type of Object.keys(FORMATS[format].tests)) {
        const typed = Object.assign(() => true, { schema: () => ({ type, $ref: checkOf() }) });
        const values = fc.sample(arbitraryOfCheck(typed), { numRuns: 100, seed: 1 });
        expect(values.filter((value) => typeof value !== type || !check(value))).to.deep.equal([]);
      }
    });
  }
});
