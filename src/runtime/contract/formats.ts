/** The closed union of the formats that contracts are checked by; each table of formats is total over it. */

/** The numbers of a format, both ends included, and whether they are integers. */
export interface NumberFormat {
  readonly least: number;
  readonly most: number;
  /** The step between two numbers of the format. */
  readonly step: number;
}

const integers = (least: number, most: number): NumberFormat => ({ least, most, step: 1 });

/** The formats that restrict numbers. The last of 64 bits is the largest that a number holds. */
export const NUMBER_FORMATS = {
  int8: integers(-(2 ** 7), 2 ** 7 - 1),
  int16: integers(-(2 ** 15), 2 ** 15 - 1),
  int32: integers(-(2 ** 31), 2 ** 31 - 1),
  int64: integers(-(2 ** 63), 2 ** 63 - 2 ** 10),
  uint8: integers(0, 2 ** 8 - 1),
  uint16: integers(0, 2 ** 16 - 1),
  uint32: integers(0, 2 ** 32 - 1),
  uint64: integers(0, 2 ** 64 - 2 ** 11),
  'double-int': integers(-(2 ** 53) + 1, 2 ** 53 - 1),
  unixtime: integers(-(2 ** 53) + 1, 2 ** 53 - 1),
  'sf-integer': integers(-999_999_999_999_999, 999_999_999_999_999),
  'sf-decimal': { least: -999_999_999_999.999, most: 999_999_999_999.999, step: 0.001 },
} as const satisfies Readonly<Record<string, NumberFormat>>;

/** The formats of JSON Schema 2020-12 (Validation §7.3) and of the OpenAPI Format Registry. */
export type Format =
  | keyof typeof NUMBER_FORMATS
  | 'base64url'
  | 'binary'
  | 'byte'
  | 'char'
  | 'commonmark'
  | 'date'
  | 'date-time'
  | 'date-time-local'
  | 'decimal'
  | 'decimal128'
  | 'double'
  | 'duration'
  | 'email'
  | 'float'
  | 'hostname'
  | 'html'
  | 'http-date'
  | 'idn-email'
  | 'idn-hostname'
  | 'ipv4'
  | 'ipv6'
  | 'iri'
  | 'iri-reference'
  | 'json-pointer'
  | 'media-range'
  | 'password'
  | 'regex'
  | 'relative-json-pointer'
  | 'sf-binary'
  | 'sf-boolean'
  | 'sf-string'
  | 'sf-token'
  | 'time'
  | 'time-local'
  | 'uri'
  | 'uri-reference'
  | 'uri-template'
  | 'uuid';
