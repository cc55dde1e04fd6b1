/** Tests timestamps: texts whose order is the order of time. */
import { expect } from 'chai';
import fc from 'fast-check';
import { latestOf, nextTimestamp, parseTimestamp, timestampOf } from '../../../src/core/model/timestamp.js';

const parse = (text: string) => parseTimestamp('since', text);
const moment = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('timestampOf', () => {
  it('writes six decimals and Z', () => {
    expect(timestampOf(0)).to.equal('1970-01-01T00:00:00.000000Z');
    expect(timestampOf(Date.UTC(2026, 1, 28, 23, 59, 59, 7))).to.equal('2026-02-28T23:59:59.007000Z');
  });

  it('orders texts by time', () => {
    fc.assert(fc.property(moment, moment, (a, b) => timestampOf(+a) < timestampOf(+b) === a < b));
  });
});

describe('nextTimestamp', () => {
  for (const [from, to] of [
    ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000001Z'],
    ['2026-01-01T00:00:00.000999Z', '2026-01-01T00:00:00.001000Z'],
    ['2026-12-31T23:59:59.999999Z', '2027-01-01T00:00:00.000000Z'],
  ] as const) {
    it(`steps from ${from} to ${to}`, () => {
      expect(nextTimestamp(from)).to.equal(to);
    });
  }

  it('is the next possible timestamp', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 999 }),
        (date, micros) => {
          const from = `${date.toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}Z`;
          const inMicros = (text: string) =>
            BigInt(Date.parse(`${text.slice(0, 23)}Z`)) * 1000n + BigInt(text.slice(23, 26));
          return inMicros(nextTimestamp(from)) === inMicros(from) + 1n;
        },
      ),
    );
  });
});

describe('latestOf', () => {
  it('returns the later one, in either order', () => {
    const [early, late] = ['2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:00.000002Z'];
    expect(latestOf(early, late)).to.equal(late);
    expect(latestOf(late, early)).to.equal(late);
  });
});

describe('parseTimestamp', () => {
  for (const [text, canonical] of [
    ['2026-03-01T08:00:00Z', '2026-03-01T08:00:00.000000Z'],
    ['2026-03-01t08:00:00z', '2026-03-01T08:00:00.000000Z'],
    ['2026-03-01T08:00:00.5Z', '2026-03-01T08:00:00.500000Z'],
    ['2026-03-01T08:00:00.000123Z', '2026-03-01T08:00:00.000123Z'],
    ['2026-03-01T08:00:00.0001239999Z', '2026-03-01T08:00:00.000123Z'],
    ['2026-03-01T08:00:00.000123+02:00', '2026-03-01T06:00:00.000123Z'],
    ['2026-02-28T23:30:00-01:30', '2026-03-01T01:00:00.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['0050-06-01T00:00:00Z', '0050-06-01T00:00:00.000000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999999Z'],
  ] as const) {
    it(`reads ${text} as ${canonical}`, () => {
      expect(parse(text)).to.equal(canonical);
    });
  }

  for (const text of [
    '',
    'yesterday',
    '2026-03-01',
    '2026-03-01T08:00:00',
    '2026-03-01 08:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2026-03-00T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T08:60:00Z',
    '2026-03-01T08:00:61Z',
    '2026-03-01T08:00:00 02:00',
    '2026-03-01T08:00:00+24:00',
    '2026-03-01T08:00:00+02:60',
    '2026-03-01T08:00:00+0200',
    '1772352000',
    '2026-03-01T08:00:00Z\n',
    '２026-03-01T08:00:00Z',
  ]) {
    it(`refuses ${JSON.stringify(text)}, and names the place`, () => {
      expect(() => parse(text))
        .to.throw(/^since must be an ISO 8601 timestamp/)
        .with.property('code', 'invalid-input');
    });
  }

  it('agrees with Date on every moment and offset', () => {
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    const inner = fc.date({
      min: new Date('0002-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(inner, offset, (date, minutes) => {
        const local = new Date(+date + minutes * 60_000).toISOString().replace('Z', '');
        const size = Math.abs(minutes);
        const two = (number: number) => String(Math.trunc(number)).padStart(2, '0');
        const text = `${local}${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
        return parse(text) === timestampOf(+date);
      }),
    );
  });
});
