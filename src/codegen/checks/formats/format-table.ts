/** The supported formats, and the checks of each. */
import { type Format, NUMBER_FORMATS } from '@concordat/runtime/parts';
import { numberTest } from './format-functions.js';

/** One format. A format without tests only describes values. */
interface FormatRow {
  /** The names of the functions that check values, by the types that the format restricts. */
  readonly tests: Readonly<{ string?: string; number?: string }>;
  /** Other formats that all its values have. */
  readonly implies: readonly Format[];
}

const text = (test: string, implies: readonly Format[] = []): FormatRow => ({
  tests: { string: test },
  implies,
});

const described: FormatRow = { tests: {}, implies: [] };

/** @param test - the test of texts, if the format also restricts texts */
function number(format: keyof typeof NUMBER_FORMATS, test?: string): FormatRow {
  const { least, most, step } = NUMBER_FORMATS[format];
  return {
    tests: { number: numberTest(format), ...(test !== undefined && { string: test }) },
    implies: (Object.keys(NUMBER_FORMATS) as (keyof typeof NUMBER_FORMATS)[]).filter((other) => {
      const wider = NUMBER_FORMATS[other];
      return other !== format && wider.step <= step && wider.least <= least && wider.most >= most;
    }),
  };
}

export const FORMATS: Readonly<Record<Format, FormatRow>> = {
  base64url: text('isBase64Url'),
  binary: described,
  byte: text('isBase64'),
  char: text('isCharacter'),
  commonmark: described,
  date: text('isDate'),
  'date-time': text('isDateTime'),
  'date-time-local': text('isLocalDateTime'),
  decimal: text('isDecimal'),
  decimal128: text('isDecimal128'),
  double: described,
  'double-int': number('double-int'),
  duration: text('isDuration'),
  email: text('isEmail', ['idn-email']),
  float: described,
  hostname: text('isHostname', ['idn-hostname']),
  html: described,
  'http-date': text('isHttpDate'),
  'idn-email': text('isIdnEmail'),
  'idn-hostname': text('isIdnHostname'),
  int8: number('int8'),
  int16: number('int16'),
  int32: number('int32'),
  int64: number('int64', 'isInt64Text'),
  ipv4: text('isIpv4'),
  ipv6: text('isIpv6'),
  iri: text('isIri', ['iri-reference']),
  'iri-reference': text('isIriReference'),
  'json-pointer': text('isJsonPointer'),
  'media-range': text('isMediaRange'),
  password: described,
  regex: text('isRegex'),
  'relative-json-pointer': text('isRelativeJsonPointer'),
  'sf-binary': text('isSfBinary'),
  'sf-boolean': text('isSfBoolean'),
  'sf-decimal': number('sf-decimal'),
  'sf-integer': number('sf-integer'),
  'sf-string': text('isSfString'),
  'sf-token': text('isSfToken'),
  time: text('isTime'),
  'time-local': text('isLocalTime'),
  uint8: number('uint8'),
  uint16: number('uint16'),
  uint32: number('uint32'),
  uint64: number('uint64', 'isUint64Text'),
  unixtime: number('unixtime', 'isUnixTimeText'),
  uri: text('isUri', ['uri-reference', 'iri', 'iri-reference']),
  'uri-reference': text('isUriReference', ['iri-reference']),
  'uri-template': text('isUriTemplate'),
  uuid: text('isUuid'),
};

/** The format with a name; undefined if the name is unknown. */
export function formatOf(name: unknown): FormatRow | undefined {
  return typeof name === 'string' && Object.hasOwn(FORMATS, name) ? FORMATS[name as Format] : undefined;
}

/** Whether a format restricts values. */
export function isChecked(name: unknown): boolean {
  return Object.keys(formatOf(name)?.tests ?? {}).length > 0;
}
