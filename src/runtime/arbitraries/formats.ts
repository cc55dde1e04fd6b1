/** Texts of the formats that checks know; each is checked again, as the contract does. */

import fc from 'fast-check';
import { memberPointer } from '../failures/pointer.js';

type Texts = () => fc.Arbitrary<string>;

/** In no offset are they in the years 0 or 10000, which a text that is made of them cannot have. */
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

export const FORMATS: Readonly<Partial<Record<string, Texts>>> = {
  date: () => moments.map((moment) => moment.toISOString().slice(0, 10)),
  time: () => dateTimes().map((text) => text.slice(11)),
  'date-time': dateTimes,
  duration: durations,
  email: emails,
  'idn-email': emails,
  hostname: domains,
  'idn-hostname': domains,
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  uri: addresses,
  iri: addresses,
  'uri-reference': references,
  'iri-reference': references,
  'uri-template': () =>
    fc.tuple(fc.webPath(), fc.constantFrom('', '{id}', '{?q,page}')).map((pieces) => pieces.join('')),
  uuid: () => fc.uuid(),
  'json-pointer': pointers,
  'relative-json-pointer': () =>
    fc.tuple(fc.nat({ max: 99 }), fc.oneof(pointers(), fc.constant('#'))).map((pieces) => pieces.join('')),
  regex: () => fc.constantFrom('^a+$', '', '[0-9]{2,}', '(?:x|y)*'),
  byte: () => fc.base64String(),
};
