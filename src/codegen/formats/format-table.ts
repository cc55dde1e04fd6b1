/** The supported formats: the checks of each, and values inside and just outside of it. */
import { type Format, type Json, NUMBER_FORMATS } from 'concordat';
import { numberTest } from './format-functions.js';

/** One format. A format without tests only describes values. */
interface FormatRow {
  /** The names of the functions that check values, by the types that the format restricts. */
  readonly tests: Readonly<{ string?: string; number?: string }>;
  /** Values that have the format, a typical one first. */
  readonly samples: readonly Json[];
  /** Values that narrowly miss the format. */
  readonly outside: readonly Json[];
  /** Other formats that all its values have. */
  readonly implies: readonly Format[];
}

const text = (
  test: string,
  samples: readonly string[],
  outside: readonly string[],
  implies: readonly Format[] = [],
): FormatRow => ({ tests: { string: test }, samples, outside, implies });

const described: FormatRow = { tests: {}, samples: [], outside: [], implies: [] };

/** @param texts - the tests and values of texts, if the format also restricts texts */
function number(format: keyof typeof NUMBER_FORMATS, texts: Partial<FormatRow> = {}): FormatRow {
  const { least, most, step } = NUMBER_FORMATS[format];
  const { tests = {}, samples = [], outside = [] } = texts;
  // Beyond 2^53, the next number is further away than the next integer.
  const beyond = (end: number): number =>
    end + Math.sign(end || -1) * Math.max(step, Math.abs(end) * 2 ** -52);
  return {
    tests: { number: numberTest(format), ...tests },
    samples: [step, least, most, ...samples],
    outside: [beyond(least), beyond(most), 0.5 * step, ...outside],
    implies: (Object.keys(NUMBER_FORMATS) as (keyof typeof NUMBER_FORMATS)[]).filter((other) => {
      const wider = NUMBER_FORMATS[other];
      return other !== format && wider.step <= step && wider.least <= least && wider.most >= most;
    }),
  };
}

const SHORT_DATE = ['2026-02-30', '2026-1-31', '20260131', ''];

export const FORMATS: Readonly<Record<Format, FormatRow>> = {
  base64url: text('isBase64Url', ['dGV4dA', '', '_-8='], ['dGV4d', 'dGV+', 'YQ=']),
  binary: described,
  byte: text('isBase64', ['dGV4dA==', '', 'AA==', '/+/+'], ['dGV4dA', '_-8=', 'dGV4dA==\n']),
  char: text('isCharacter', ['a', '😀'], ['', 'ab']),
  commonmark: described,
  date: text(
    'isDate',
    ['2026-01-31', '2024-02-29', '0001-01-01', '1999-12-31'],
    [...SHORT_DATE, '2026-01-31T12:30:00Z'],
  ),
  'date-time': text(
    'isDateTime',
    [
      '2026-01-31T12:30:00Z',
      '0001-01-01T00:00:00Z',
      '1990-12-31T23:59:60Z',
      '1999-12-31t23:59:59.123456+14:00',
      '2024-02-29T08:05:09-08:30',
    ],
    [
      '2026-02-30T12:30:00Z',
      '2026-01-31T12:30:00',
      '2026-01-31 12:30:00Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31',
    ],
  ),
  'date-time-local': text(
    'isLocalDateTime',
    ['2026-01-31T12:30:00', '2026-01-31T12:30:00.5'],
    ['2026-01-31T12:30:00Z', '2026-02-30T12:30:00', '2026-01-31'],
  ),
  decimal: text('isDecimal', ['9.99', '0', '-12'], ['1,5', '1e3', '.5', '1.', '']),
  decimal128: text(
    'isDecimal128',
    ['9.99', 'NaN', '-INF', '1E+6144'],
    ['1E+6145', '1,5', '', `1${'0'.repeat(33)}.1`],
  ),
  double: described,
  'double-int': number('double-int'),
  duration: text('isDuration', ['P1D', 'P3W', 'PT1S', 'P1Y2M3DT4H5M6S'], ['P', 'PT', '1D', 'P1.5D']),
  email: text(
    'isEmail',
    [
      'ada@example.com',
      'a@b',
      'A@B.CO',
      'o_brien+tag.x-1@sub.example-domain.org',
      `${'a'.repeat(60)}@example.com`,
    ],
    ['ada', 'ada@', '@example.com', 'ada @example.com'],
    ['idn-email'],
  ),
  float: described,
  hostname: text(
    'isHostname',
    ['example.com', 'A', '1a.B-c.example', 'localhost', `${'a'.repeat(60)}.example`],
    ['-a', 'a_b', 'a..b', ''],
    ['idn-hostname'],
  ),
  html: described,
  'http-date': text(
    'isHttpDate',
    ['Sat, 31 Jan 2026 12:30:00 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'],
    ['Sun, 31 Jan 2026 12:30:00 GMT', 'Sat, 31 Jan 2026 12:30:00 UTC', '2026-01-31T12:30:00Z'],
  ),
  'idn-email': text(
    'isIdnEmail',
    ['ada@example.com', 'A@B.CO', 'o_brien+tag.x-1@sub.example-domain.org', 'jürgen@bücher.example'],
    ['ada', 'ada @example.com'],
  ),
  'idn-hostname': text(
    'isIdnHostname',
    ['example.com', 'A', '1a.B-c.example', 'bücher.example'],
    ['-ü', 'a b'],
  ),
  int8: number('int8'),
  int16: number('int16'),
  int32: number('int32'),
  int64: number('int64', {
    tests: { string: 'isInt64Text' },
    samples: ['1', '-9223372036854775808', '9223372036854775807'],
    outside: ['9223372036854775808', '-9223372036854775809', '1.5', ''],
  }),
  ipv4: text('isIpv4', ['192.0.2.1', '0.0.0.0', '255.255.255.255'], ['256.0.0.1', '1.2.3', '01.2.3.4']),
  ipv6: text(
    'isIpv6',
    ['2001:db8::1', '::', 'FE80::1:abcd', '2001:db8:1:2:3:4:5:6', '::ffff:192.0.2.1'],
    ['1::2::3', '12345::', '1.2.3.4'],
  ),
  iri: text(
    'isIri',
    ['https://example.com/', 'urn:a', 'https://bücher.example/ä'],
    ['/ü', 'https://a b'],
    ['iri-reference'],
  ),
  'iri-reference': text('isIriReference', ['/a', '', '#', 'ä', 'https://bücher.example/'], ['\\ü', 'ü b']),
  'json-pointer': text('isJsonPointer', ['/a', '', '/a~1b'], ['a', '/~2', '#/a']),
  'media-range': text(
    'isMediaRange',
    ['text/html', '*/*', 'text/*', 'text/html;charset="utf-8"'],
    ['text', '*/html', 'text/html;q', 'text/html, text/plain'],
  ),
  password: described,
  regex: text('isRegex', ['a+', ''], ['(', '[']),
  'relative-json-pointer': text('isRelativeJsonPointer', ['0', '1/a', '2#'], ['/a', '01', '-1']),
  'sf-binary': text('isSfBinary', [':dGV4dA==:', '::'], ['dGV4dA==', ':a b:']),
  'sf-boolean': text('isSfBoolean', ['?1', '?0'], ['1', '?2', 'true']),
  'sf-decimal': number('sf-decimal'),
  'sf-integer': number('sf-integer'),
  'sf-string': text('isSfString', ['"text"', '""', '"\\""'], ['text', '"a', '"\\a"', '"ü"']),
  'sf-token': text('isSfToken', ['token', '*', 'a/b:c'], ['1a', '', 'a b', '"a"']),
  time: text(
    'isTime',
    ['12:30:00Z', '00:00:00Z', '23:59:60Z', '23:59:59.123456+14:00', '08:05:09-08:30'],
    ['12:30:00', '24:00:00Z', '12:30Z'],
  ),
  'time-local': text('isLocalTime', ['12:30:00', '12:30:00.5'], ['12:30:00Z', '24:00:00', '12:30']),
  uint8: number('uint8'),
  uint16: number('uint16'),
  uint32: number('uint32'),
  uint64: number('uint64', {
    tests: { string: 'isUint64Text' },
    samples: ['1', '0', '18446744073709551615'],
    outside: ['18446744073709551616', '-1', '1.5', ''],
  }),
  unixtime: number('unixtime', {
    tests: { string: 'isUnixTimeText' },
    samples: ['1', '-1'],
    outside: ['2026-01-31', '1.5', ''],
  }),
  uri: text(
    'isUri',
    [
      'https://example.com/',
      'urn:a',
      'HTTP://u:p@EXAMPLE.com:80/a%20b?c=d#e',
      'mailto:a@b.example',
      `https://example.com/${'a'.repeat(300)}`,
    ],
    ['/a', 'a b', 'http://a b'],
    ['uri-reference', 'iri', 'iri-reference'],
  ),
  'uri-reference': text(
    'isUriReference',
    ['/a', '', '#', '?a=b', '//example.com/', 'https://example.com/', `/${'a'.repeat(300)}`],
    ['\\a', 'a b', '{a}'],
    ['iri-reference'],
  ),
  'uri-template': text('isUriTemplate', ['/a/{b}', '', '{?q,p*}'], ['{', '{a b}', 'a b']),
  uuid: text(
    'isUuid',
    [
      '123e4567-e89b-42d3-a456-426614174000',
      '00000000-0000-0000-0000-000000000000',
      'ABCDEF01-2345-1789-8ABC-DEF012345678',
    ],
    ['123e4567', 'urn:uuid:123e4567-e89b-42d3-a456-426614174000'],
  ),
};

/** The format with a name; undefined if the name is unknown. */
export function formatOf(name: unknown): FormatRow | undefined {
  return typeof name === 'string' && Object.hasOwn(FORMATS, name) ? FORMATS[name as Format] : undefined;
}

/** Whether a format restricts values. */
export function isChecked(name: unknown): boolean {
  return Object.keys(formatOf(name)?.tests ?? {}).length > 0;
}
