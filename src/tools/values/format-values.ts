/** The values inside and just outside of each format. */

import type { Json } from '@concordat/runtime';
import { type Format, NUMBER_FORMATS } from '@concordat/runtime/parts';

interface FormatValues {
  /** Values that have the format, a typical one first. */
  readonly samples: readonly Json[];
  /** Values that narrowly miss the format. */
  readonly outside: readonly Json[];
  /** The pattern of random texts, which covers most of the format; absent if no pattern describes it, or if any text has it, or none. */
  readonly random?: string;
}

function text(samples: readonly string[], outside: readonly string[], random?: string): FormatValues {
  return { samples, outside, ...(random !== undefined && { random }) };
}

const described: FormatValues = { samples: [], outside: [] };

/** The last three are the texts of the format, if it also restricts texts. */
function number(
  format: keyof typeof NUMBER_FORMATS,
  samples: readonly string[] = [],
  outside: readonly string[] = [],
  random?: string,
): FormatValues {
  const { least, most, step } = NUMBER_FORMATS[format];
  // Beyond 2^53, the next number is further away than the next integer.
  const beyond = (end: number): number =>
    end + Math.sign(end || -1) * Math.max(step, Math.abs(end) * 2 ** -52);
  return {
    samples: [step, least, most, ...samples],
    outside: [beyond(least), beyond(most), 0.5 * step, ...outside],
    ...(random !== undefined && { random }),
  };
}

const SHORT_DATE = ['2026-02-30', '2026-1-31', '20260131', ''];

/** No offset leads from these years into the years 0 and 10000, which formats cannot write. */
const YEAR = String.raw`[0-8]\d[1-9]\d`;
const DATE = String.raw`(?:${YEAR}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31))`;
const TIME = String.raw`(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?)`;
const OFFSET = String.raw`(?:Z|\+00:00|-11:30|\+14:00)`;
const DECIMAL = String.raw`(?:(?:0|-?[1-9]\d{0,8})(?:\.\d{1,9})?)`;
const EMAIL = String.raw`[a-z]{1,9}(?:[.+-][a-z\d]{1,5})?@[a-z]{1,9}\.[a-z]{2,5}`;
const HOSTNAME = String.raw`[a-z](?:[a-z\d]|-[a-z\d]){0,6}(?:\.[a-z]{2,9}){0,2}`;
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const PATH = String.raw`(?:(?:/(?:[\w.~-]|%[2-7][\dA-F]){0,9}){1,3})`;
const URI = String.raw`(?:https?://[a-z]{1,9}\.[a-z]{2,5}${PATH}?(?:\?[a-z]{1,5}=[\w/?]{0,9})?(?:#[\w/?]{0,9})?)`;
const POINTER = String.raw`(?:(?:/(?:[a-z\d é]|~[01]){0,5}){0,3})`;
const BASE64 = '(?:[A-Za-z0-9+/]{4}){0,5}(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?';
const BASE64URL = String.raw`(?:[\w-]{4}){0,5}(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?`;

export const FORMAT_VALUES: Readonly<Record<Format, FormatValues>> = {
  base64url: text(['dGV4dA', '', '_-8='], ['dGV4d', 'dGV+', 'YQ='], BASE64URL),
  binary: described,
  byte: text(['dGV4dA==', '', 'AA==', '/+/+'], ['dGV4dA', '_-8=', 'dGV4dA==\n'], BASE64),
  char: text(['a', '😀'], ['', 'ab'], '.'),
  commonmark: described,
  date: text(
    ['2026-01-31', '2024-02-29', '0001-01-01', '1999-12-31'],
    [...SHORT_DATE, '2026-01-31T12:30:00Z'],
    DATE,
  ),
  'date-time': text(
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
    `${DATE}T${TIME}${OFFSET}`,
  ),
  'date-time-local': text(
    ['2026-01-31T12:30:00', '2026-01-31T12:30:00.5'],
    ['2026-01-31T12:30:00Z', '2026-02-30T12:30:00', '2026-01-31'],
    `${DATE}T${TIME}`,
  ),
  decimal: text(['9.99', '0', '-12'], ['1,5', '1e3', '.5', '1.', ''], DECIMAL),
  decimal128: text(
    ['9.99', 'NaN', '-INF', '1E+6144'],
    ['1E+6145', '1,5', '', `1${'0'.repeat(33)}.1`],
    `NaN|-?INF|1E-6143|${DECIMAL}`,
  ),
  double: described,
  'double-int': number('double-int'),
  duration: text(
    ['P1D', 'P3W', 'PT1S', 'P1Y2M3DT4H5M6S'],
    ['P', 'PT', '1D', 'P1.5D'],
    String.raw`PT\d{1,3}[HMS]|P\d{1,3}[YMWD]|P\d{1,2}Y\d{1,2}M\d{1,3}DT\d{1,2}H\d{1,2}M\d{1,2}S`,
  ),
  email: text(
    [
      'ada@example.com',
      'a@b',
      'A@B.CO',
      'o_brien+tag.x-1@sub.example-domain.org',
      `${'a'.repeat(60)}@example.com`,
    ],
    ['ada', 'ada@', '@example.com', 'ada @example.com'],
    EMAIL,
  ),
  float: described,
  hostname: text(
    ['example.com', 'A', '1a.B-c.example', 'localhost', `${'a'.repeat(60)}.example`],
    ['-a', 'a_b', 'a..b', ''],
    HOSTNAME,
  ),
  html: described,
  'http-date': text(
    ['Sat, 31 Jan 2026 12:30:00 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'],
    ['Sun, 31 Jan 2026 12:30:00 GMT', 'Sat, 31 Jan 2026 12:30:00 UTC', '2026-01-31T12:30:00Z'],
  ),
  'idn-email': text(
    ['ada@example.com', 'A@B.CO', 'o_brien+tag.x-1@sub.example-domain.org', 'jürgen@bücher.example'],
    ['ada', 'ada @example.com'],
    EMAIL,
  ),
  'idn-hostname': text(['example.com', 'A', '1a.B-c.example', 'bücher.example'], ['-ü', 'a b'], HOSTNAME),
  int8: number('int8'),
  int16: number('int16'),
  int32: number('int32'),
  int64: number(
    'int64',
    ['1', '-9223372036854775808', '9223372036854775807'],
    ['9223372036854775808', '-9223372036854775809', '1.5', ''],
    String.raw`0|-?[1-9]\d{0,17}|-9223372036854775808|9223372036854775807`,
  ),
  ipv4: text(
    ['192.0.2.1', '0.0.0.0', '255.255.255.255'],
    ['256.0.0.1', '1.2.3', '01.2.3.4'],
    `(?:${OCTET}\\.){3}${OCTET}`,
  ),
  ipv6: text(
    ['2001:db8::1', '::', 'FE80::1:abcd', '2001:db8:1:2:3:4:5:6', '::ffff:192.0.2.1'],
    ['1::2::3', '12345::', '1.2.3.4'],
    String.raw`(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|::(?:[\da-f]{1,4})?|(?:[\da-f]{1,4}:){1,6}:[\da-f]{1,4}`,
  ),
  iri: text(['https://example.com/', 'urn:a', 'https://bücher.example/ä'], ['/ü', 'https://a b'], URI),
  'iri-reference': text(['/a', '', '#', 'ä', 'https://bücher.example/'], ['\\ü', 'ü b'], `${PATH}|${URI}`),
  'json-pointer': text(['/a', '', '/a~1b'], ['a', '/~2', '#/a'], POINTER),
  'media-range': text(
    ['text/html', '*/*', 'text/*', 'text/html;charset="utf-8"'],
    ['text', '*/html', 'text/html;q', 'text/html, text/plain'],
    String.raw`\*/\*|[a-z]{1,9}/(?:\*|[a-z]{1,9}(?:\+json)?)(?:;[a-z]{1,5}=[a-z0-9]{1,5})?`,
  ),
  password: described,
  regex: text(['a+', ''], ['(', '['], String.raw`\^a\+\$||\[0-9\]\{2,\}|\(\?:x\|y\)\*`),
  'relative-json-pointer': text(['0', '1/a', '2#'], ['/a', '01', '-1'], `(?:0|[1-9][0-9]?)(?:#|${POINTER})`),
  'sf-binary': text([':dGV4dA==:', '::'], ['dGV4dA==', ':a b:'], `:(?:${BASE64}):`),
  'sf-boolean': text(['?1', '?0'], ['1', '?2', 'true'], String.raw`\?[01]`),
  'sf-decimal': number('sf-decimal'),
  'sf-integer': number('sf-integer'),
  'sf-string': text(
    ['"text"', '""', '"\\""'],
    ['text', '"a', '"\\a"', '"ü"'],
    String.raw`"(?:[ !#-\[\]-~]|\\["\\]){0,20}"`,
  ),
  'sf-token': text(
    ['token', '*', 'a/b:c'],
    ['1a', '', 'a b', '"a"'],
    String.raw`[A-Za-z*][\w!#$%&'*+.^|~:/-]{0,20}`,
  ),
  time: text(
    ['12:30:00Z', '00:00:00Z', '23:59:60Z', '23:59:59.123456+14:00', '08:05:09-08:30'],
    ['12:30:00', '24:00:00Z', '12:30Z'],
    `${TIME}${OFFSET}`,
  ),
  'time-local': text(['12:30:00', '12:30:00.5'], ['12:30:00Z', '24:00:00', '12:30'], TIME),
  uint8: number('uint8'),
  uint16: number('uint16'),
  uint32: number('uint32'),
  uint64: number(
    'uint64',
    ['1', '0', '18446744073709551615'],
    ['18446744073709551616', '-1', '1.5', ''],
    String.raw`0|[1-9]\d{0,18}|18446744073709551615`,
  ),
  unixtime: number('unixtime', ['1', '-1'], ['2026-01-31', '1.5', ''], String.raw`0|-?[1-9]\d{0,11}`),
  uri: text(
    [
      'https://example.com/',
      'urn:a',
      'HTTP://u:p@EXAMPLE.com:80/a%20b?c=d#e',
      'mailto:a@b.example',
      `https://example.com/${'a'.repeat(300)}`,
    ],
    ['/a', 'a b', 'http://a b'],
    URI,
  ),
  'uri-reference': text(
    ['/a', '', '#', '?a=b', '//example.com/', 'https://example.com/', `/${'a'.repeat(300)}`],
    ['\\a', 'a b', '{a}'],
    `${PATH}|${URI}`,
  ),
  'uri-template': text(
    ['/a/{b}', '', '{?q,p*}'],
    ['{', '{a b}', 'a b'],
    String.raw`(?:/[a-z]{1,5}){0,3}(?:\{id\}|\{\?q,page\})?`,
  ),
  uuid: text(
    [
      '123e4567-e89b-42d3-a456-426614174000',
      '00000000-0000-0000-0000-000000000000',
      'ABCDEF01-2345-1789-8ABC-DEF012345678',
    ],
    ['123e4567', 'urn:uuid:123e4567-e89b-42d3-a456-426614174000'],
    String.raw`[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}`,
  ),
};

/** The values of a format by its name; undefined for another name. */
export function formatValues(name: unknown): FormatValues | undefined {
  return typeof name === 'string' && Object.hasOwn(FORMAT_VALUES, name)
    ? FORMAT_VALUES[name as Format]
    : undefined;
}
