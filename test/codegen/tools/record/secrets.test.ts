/** Tests that a document has no secret, wherever the traffic has it. */

import { expect } from 'chai';
import { isSafeText } from '../../../../src/runtime/observe/safe-text.js';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { documentOf, exchange } from './exchanges.js';

const everything = { examples: true, enums: true };

/** Exchanges with a text at every place that a document describes. */
function everywhere(text: string) {
  const encoded = encodeURIComponent(text);
  const headers = {
    Authorization: `Bearer ${text}`,
    Cookie: `sid=${text}; theme=${text}; ${text}=1`,
    'X-API-Key': text,
    'X-Signature': text,
  };
  const body = {
    [text]: text,
    text,
    list: [text, { text }],
    deep: { [text]: { [text]: [text] } },
    sentence: `see ${text}.`,
    token: { value: text },
  };
  const answerHeaders = { 'Set-Cookie': `sid=${text}`, 'X-Thing': text, Location: `/users/${encoded}` };
  const boundary = `--b\r\nContent-Disposition: form-data; name="${text}"; filename="${text}"\r\n\r\n${text}\r\n--b--`;
  return [
    ...Array.from({ length: 12 }, () =>
      exchange(`POST /users/${encoded}/notes?q=${encoded}&${encoded}=1&api_key=${encoded}`, {
        ...{ headers, body, answer: body, answerHeaders },
      }),
    ),
    exchange(`GET /${encoded}`, { headers, answer: [text], answerHeaders }),
    exchange('POST /forms', {
      headers,
      body: `${encoded}=${encoded}`,
      type: 'application/x-www-form-urlencoded',
    }),
    exchange('POST /parts', { headers, body: boundary, type: 'multipart/form-data; boundary=b' }),
    exchange('GET /errors', { headers, answer: {} }),
    exchange('GET /errors', { headers, status: 400, answer: { code: text, message: `${text}!` } }),
  ];
}

const written = (text: string): string => stringify(documentOf(everywhere(text), everything));

describe('record: secrets', () => {
  const secrets = [
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'QmFzZTY0IG9mIHNvbWV0aGluZyBzZWNyZXQ',
    'ada.lovelace@example.com',
    'ada+tag@mail.example.co.uk',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    'DE89 3704 0044 0532 0130 00',
    '+49 (30) 555-0199',
    '123-45-6789',
    '0123456789',
    '550e8400-e29b-41d4-a716-446655440000',
    'Tr0ub4dor&3-correct-horse',
  ];
  for (const secret of secrets) {
    it(`${secret} is written nowhere`, () => {
      expect(written(secret)).not.to.contain(secret);
    });
  }

  it('short words that are credentials are not written either', () => {
    expect(written('hunter')).not.to.contain('hunter');
    const basic = Buffer.from('alice:wonderland').toString('base64');
    const document = documentOf(
      [
        exchange('GET /me', {
          headers: { Authorization: `Basic ${basic}` },
          answer: { user: 'alice', words: 'wonderland' },
        }),
        exchange('GET /a', { answer: { note: 'alice' } }),
      ],
      everything,
    );
    expect(stringify(document)).not.to.match(/alice|wonderland/);
  });

  it('nothing of any token, address or number is written', () => {
    const digits = fc.stringMatching(/^[0-9]{6,30}$/);
    const token = fc.stringMatching(/^[A-Za-z0-9_-]{20,60}$/).filter((text) => /\d/.test(text));
    const address = fc.emailAddress({ size: 'small' });
    fc.assert(
      fc.property(fc.oneof(digits, token, address), (secret) => {
        expect(written(secret)).not.to.contain(secret);
      }),
      { numRuns: 60 },
    );
  });

  it('values of members with telling names are not written, however they look', () => {
    for (const name of [
      'password',
      'newPassword',
      'client_secret',
      'phone',
      'iban',
      'Email',
      'cardNumber',
      'sessionId',
    ]) {
      const samples = Array.from({ length: 12 }, () =>
        exchange('POST /a', { body: { [name]: 'plain', deep: { [name]: ['plain'] } } }),
      );
      expect(stringify(documentOf(samples, everything)), name).not.to.contain('plain');
    }
  });

  it('plain words, dates, prices and codes are written with --examples, and not without', () => {
    const plain = [
      'Oak chair',
      'pending',
      '2026-01-31T12:30:00Z',
      '12.50',
      'R-101',
      'DELIVERY_DELAYED',
      '/customers/12',
    ];
    for (const text of plain) {
      expect(isSafeText(text), text).to.equal(true);
      const samples = [exchange('GET /a', { answer: { text } })];
      expect(stringify(documentOf(samples, everything))).to.contain(text);
      expect(stringify(documentOf(samples))).not.to.contain(text);
    }
  });
});
