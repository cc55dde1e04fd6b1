/** Makes the texts of each format; `texts` checks them again if the contract restricts the format. */

import fc from 'fast-check';
import type { Format } from '../contract/formats.js';
import { memberPointer } from '../failures/pointer.js';
import { characters } from './plain-texts.js';

type Texts = () => fc.Arbitrary<string>;

/** Times at least a day away from the years 0 and 10000, so that no offset leads into these, which formats cannot write. */
const moments = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T23:59:59.999Z'),
  noInvalidDate: true,
});

const dateTimes: Texts = () =>
  fc
    .tuple(moments, fc.constantFrom('Z', '+00:00', '-11:30', '+14:00'), fc.boolean())
    .map(([moment, offset, isWhole]) => {
      const text = moment.toISOString();
      return `${text.slice(0, isWhole ? 19 : 23)}${offset}`;
    });

const durations: Texts = () =>
  fc.oneof(
    fc.stringMatching(/^PT\d{1,3}[HMS]$/),
    fc.stringMatching(/^P\d{1,3}[YMWD]$/),
    fc.stringMatching(/^P\d{1,2}Y\d{1,2}M\d{1,3}DT\d{1,2}H\d{1,2}M\d{1,2}S$/),
  );

const pointers: Texts = () => fc.array(fc.string()).map((tokens) => tokens.map(memberPointer).join(''));

const addresses: Texts = () => fc.webUrl({ withFragments: true, withQueryParameters: true });
const references: Texts = () => fc.oneof(fc.webPath(), addresses());
const domains: Texts = () => fc.domain();
const emails: Texts = () => fc.emailAddress();

const digits = (min: bigint, max: bigint): Texts => {
  return () => fc.bigInt({ min, max }).map(String);
};

const decimals: Texts = () =>
  fc.tuple(fc.integer(), fc.option(fc.nat(), { nil: undefined })).map(([whole, fraction]) => {
    return fraction === undefined ? String(whole) : `${String(whole)}.${String(fraction)}`;
  });

const base64url: Texts = () =>
  fc.base64String().map((text) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));

const dates: Texts = () => moments.map((moment) => moment.toISOString().slice(0, 10));
const localTimes: Texts = () => dateTimes().map((text) => text.slice(11, 19));

/** The texts of each format; undefined for a format that is for numbers only, or that any text has. */
export const FORMATS: Readonly<Record<Format, Texts | undefined>> = {
  base64url,
  binary: undefined,
  byte: () => fc.base64String(),
  char: () => characters,
  commonmark: undefined,
  date: dates,
  'date-time': dateTimes,
  'date-time-local': () => fc.tuple(dates(), localTimes()).map((parts) => parts.join('T')),
  decimal: decimals,
  decimal128: () => fc.oneof(decimals(), fc.constantFrom('NaN', 'INF', '-INF', '1E-6143')),
  double: undefined,
  'double-int': undefined,
  duration: durations,
  email: emails,
  float: undefined,
  hostname: domains,
  html: undefined,
  'http-date': () => moments.map((moment) => moment.toUTCString()),
  'idn-email': emails,
  'idn-hostname': domains,
  int8: undefined,
  int16: undefined,
  int32: undefined,
  int64: digits(-(2n ** 63n), 2n ** 63n - 1n),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  iri: addresses,
  'iri-reference': references,
  'json-pointer': pointers,
  'media-range': () =>
    fc.stringMatching(/^(?:\*\/\*|[a-z]{1,9}\/(?:\*|[a-z]{1,9}(?:\+json)?)(?:;[a-z]{1,5}=[a-z0-9]{1,5})?)$/),
  password: undefined,
  regex: () => fc.constantFrom('^a+$', '', '[0-9]{2,}', '(?:x|y)*'),
  'relative-json-pointer': () =>
    fc.tuple(fc.nat({ max: 99 }), fc.oneof(pointers(), fc.constant('#'))).map((pieces) => pieces.join('')),
  'sf-binary': () => fc.base64String().map((text) => `:${text}:`),
  'sf-boolean': () => fc.constantFrom('?0', '?1'),
  'sf-decimal': undefined,
  'sf-integer': undefined,
  'sf-string': () =>
    fc.stringMatching(/^[ -~]{0,20}$/).map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`),
  'sf-token': () => fc.stringMatching(/^[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,20}$/),
  time: () => dateTimes().map((text) => text.slice(11)),
  'time-local': localTimes,
  uint8: undefined,
  uint16: undefined,
  uint32: undefined,
  uint64: digits(0n, 2n ** 64n - 1n),
  unixtime: digits(-(2n ** 40n), 2n ** 40n),
  uri: addresses,
  'uri-reference': references,
  'uri-template': () =>
    fc.tuple(fc.webPath(), fc.constantFrom('', '{id}', '{?q,page}')).map((pieces) => pieces.join('')),
  uuid: () => fc.uuid(),
};

/** The texts of a format by its name; undefined for another name. */
export function textsOfFormat(name: unknown): Texts | undefined {
  return typeof name === 'string' && Object.hasOwn(FORMATS, name) ? FORMATS[name as Format] : undefined;
}
