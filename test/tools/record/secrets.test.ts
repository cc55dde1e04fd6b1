/** Tests that a document has no secret, wherever the traffic has it. */

import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { documentOf, exchange, operationOf } from './exchanges.js';

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

  const NAMES = [
    ...[
      'pwd',
      'pass',
      'passcode',
      'password',
      'newPassword',
      'passphrase',
      'passwd',
      'otp',
      'otpCode',
      'totp',
    ],
    ...[
      'pinCode',
      'pin',
      'PIN',
      'accessKey',
      'clientKey',
      'client_key',
      'key',
      'apiKey',
      'API-Key',
      'signingKey',
    ],
    ...[
      'jwt',
      'idJwt',
      'recoveryCodes',
      'backup_codes',
      'hmac',
      'HMAC',
      'sid',
      'connect.sid',
      'sessionId',
      'session',
    ],
    ...[
      'secret',
      'clientSecret',
      'token',
      'refresh_token',
      'csrfToken',
      'xsrf',
      'credential',
      'auth',
      'authorization',
      'cookie',
    ],
    ...['signature', 'sig', 'salt', 'hash', 'nonce', 'phone', 'iban', 'Email', 'cardNumber', 'dateOfBirth'],
  ];
  const SHAPES = ['hunter', 'sk-live-Zq81', '4821', '2001-02-03'];

  it('of 200 names and shapes nothing is written, whoever sends it', () => {
    for (const name of NAMES) {
      for (const value of SHAPES) {
        const samples = Array.from({ length: 12 }, (_, index) =>
          exchange(`POST /a?${name}=${value}`, {
            headers: { 'X-API-Key': `caller-${String(index)}`, [`X-${name.replace('.', '-')}`]: value },
            body: { [name]: value, deep: { [name]: [{ any: value }] } },
            answer: { [name]: { any: value } },
          }),
        );
        expect(stringify(documentOf(samples, everything)), name).not.to.contain(value);
      }
    }
  });

  it('values of other names are made up in the same shape, unless several callers send or get them', () => {
    for (const name of ['note', 'reference', 'label', 'answer', 'x']) {
      for (const value of ['hunter', 'sk-live-Zq81', '4821', 'correct horse', 'Tr0ub4dor&3']) {
        const samples = Array.from({ length: 12 }, () =>
          exchange('POST /a', { body: { [name]: value }, answer: [value] }),
        );
        expect(stringify(documentOf(samples, everything)), value).not.to.contain(value);
      }
    }
    const samples = [
      exchange('POST /a', { body: { a: 'Oak chair', b: 482913, c: 'ada@x.org', d: '4821', e: 'x-Y2' } }),
    ];
    const [, { schema } = {}] =
      Object.entries(operationOf(samples, everything).requestBody?.content ?? {})[0] ?? [];
    expect((schema as { properties: object }).properties).to.deep.equal({
      a: { type: 'string', examples: ['Xxx xxxxx'] },
      b: { type: 'integer', examples: [111111] },
      c: { type: 'string', format: 'email' },
      d: { type: 'string', examples: ['1111'] },
      e: { type: 'string', examples: ['x-X1'] },
    });
  });

  it('words in the paths of links, keys of maps, and passwords that were seen before are not written', () => {
    const basic = Buffer.from('alice:wonder').toString('base64');
    const document = documentOf(
      [
        exchange('GET /reset/hunter', { answer: {} }),
        exchange('POST /invite/friend/accept', { answer: {} }),
        exchange('GET /me', { headers: { Authorization: `Basic ${basic}` }, answer: {} }),
        exchange('GET /wonder', { answer: { wonder: 1 } }),
        ...['red', 'green', 'blue', 'black'].map((key) =>
          exchange('GET /maps', { answer: { [key]: { size: 1 } } }),
        ),
        exchange('POST /auth/login', { answer: {} }),
        exchange('POST /tokens/refresh', { answer: {} }),
      ],
      everything,
    );
    const text = stringify(document);
    for (const word of ['hunter', 'friend', 'wonder', 'red', 'green', 'blue', 'black'])
      expect(text).not.to.match(new RegExp(`\\b${word}\\b`));
    expect(Object.keys(document.paths)).to.include.members([
      '/reset/{resetId}',
      '/invite/{inviteId}/accept',
      '/auth/login',
      '/tokens/refresh',
    ]);
  });

  describe('of four callers, a word of one', () => {
    const by = (name: string) => ({ 'X-API-Key': `key-of-${name}` });
    const callers = ['one', 'two', 'three', 'four'];
    const all = callers.flatMap((name) => [
      exchange('GET /users/me?sort=a', { headers: by(name), answer: { name: 'x', roles: { admin: true } } }),
      exchange('POST /users', { headers: by(name), body: { name: 'x' }, answer: {} }),
    ]);
    const login = exchange('POST /auth/login', { body: { name: 'x' }, answer: { ok: true } });
    const places: Readonly<Record<string, Parameters<typeof exchange>>> = {
      'in a path': ['GET /users/hunter'],
      'at the beginning of a path': ['GET /hunter/data'],
      'above another': ['PUT /users/hunter/photo'],
      'in a query': ['GET /users/me?hunter=1'],
      'as a key of an answer': ['GET /users/me', { answer: { name: 'x', roles: { hunter: true } } }],
      'as a key of a body': ['POST /users', { body: { name: 'x', hunter: { a: 1 } } }],
      'as a key of a form': ['POST /forms', { body: 'hunter=1', type: 'application/x-www-form-urlencoded' }],
    };
    for (const [place, [call, given]] of Object.entries(places)) {
      it(`is not written ${place}, however often it is sent, and words of three are`, () => {
        const sent = exchange(call, { ...given, headers: by('one') });
        const document = documentOf([...all, login, sent, sent, sent, sent], everything);
        const text = stringify(document);
        expect(text).not.to.contain('hunter');
        expect(Object.keys(document.paths)).to.include.members(['/users/me', '/users', '/auth/login']);
        for (const word of ['roles', 'admin', 'sort', 'ok']) expect(text).to.contain(word);
        const seen = callers.map((name) => exchange(call, { ...given, headers: by(name) }));
        expect(stringify(documentOf([...all, login, ...seen], everything))).to.contain('hunter');
      });
    }

    it('is not written without a credential either, where an address or a proxy tells callers apart', () => {
      const from = (name: string) => ({ 'X-Forwarded-For': name });
      const known = callers.map((name) => exchange('GET /news', { headers: from(name), answer: {} }));
      const text = stringify(
        documentOf([...known, exchange('GET /news/hunter', { headers: from('one'), answer: {} })]),
      );
      expect(text).not.to.contain('hunter');
      expect(text).to.contain('/news/{newId}:');
    });
  });

  it('words that three callers send, dates and small numbers are written with --examples, and not without', () => {
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
      const samples = ['one', 'two', 'three'].map((name) =>
        exchange('GET /a', { headers: { 'X-API-Key': `key-of-${name}` }, answer: { text } }),
      );
      expect(stringify(documentOf(samples, everything))).to.contain(text);
      expect(stringify(documentOf(samples))).not.to.contain(text);
    }
  });
});
