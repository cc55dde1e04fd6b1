/** The credentials of a client of a service, and its options that are wrong. */

import { expect } from 'chai';
import type { RestContract } from '@concordat/runtime';
import { restClient } from '@concordat/runtime/client';
import { clientOf, generated, listen, rejection, useServers } from './served-client.js';

describe('restClient with credentials', () => {
  useServers();
  let contract: RestContract;
  let url: string;
  let sent: { readonly url?: string | undefined; readonly headers: NodeJS.Dict<string | string[]> } = {
    headers: {},
  };
  before(async () => {
    ({ contract } = await generated('security.openapi-3.1.yaml'));
    url = await listen((request, response) => {
      sent = { url: request.url, headers: request.headers };
      response.writeHead(204).end();
    });
  });

  /** All that the contract has, so that each test replaces one. */
  const all: Readonly<Record<string, unknown>> = {
    bearer: 'b',
    headerKey: 'h',
    queryKey: 'q&',
    cookieKey: 'c',
    basic: { username: 'Ann', password: 'pä:ss' },
    oauth: () => Promise.resolve('o'),
    openId: () => 'i',
  };
  const call = async (id: string, changes: object = {}): Promise<unknown> =>
    clientOf(contract, url, { credentials: { ...all, ...changes } as never })[id]?.();

  const places: readonly (readonly [id: string, header: string, value: string | undefined])[] = [
    ['byDefault', 'authorization', 'Bearer b'],
    ['inPublic', 'authorization', undefined],
    ['withOrWithout', 'authorization', 'Bearer b'],
    ['byPassword', 'authorization', `Basic ${Buffer.from('Ann:pä:ss').toString('base64')}`],
    ['byScope', 'authorization', 'Bearer o'],
    ['byOpenId', 'authorization', 'Bearer i'],
  ];
  for (const [id, header, value] of places) {
    it(`sends those of ${id}`, async () => {
      await call(id);
      expect(sent.headers[header]).to.equal(value);
    });
  }

  it('sends keys in headers, cookies and queries', async () => {
    const { securitySchemes } = contract as unknown as {
      readonly securitySchemes: Record<string, { name: string }>;
    };
    await call('byHeaderKey');
    expect(sent.headers[securitySchemes['headerKey']?.name.toLowerCase() ?? '']).to.equal('h');
    await call('byQueryKey');
    expect(sent.url).to.match(new RegExp(`\\?${securitySchemes['queryKey']?.name ?? ''}=q%26$`));
    await call('byCookieKey');
    expect(sent.headers.cookie).to.equal(`${securitySchemes['cookieKey']?.name ?? ''}=c`);
  });

  it('takes the first requirement of which it has all', async () => {
    const { securitySchemes } = contract as unknown as {
      readonly securitySchemes: Record<string, { name: string }>;
    };
    await call('byEither', { headerKey: () => undefined });
    expect(sent.headers.authorization).to.match(/^Basic /);
    expect(sent.headers).to.not.have.property(securitySchemes['headerKey']?.name.toLowerCase() ?? '');
    await call('withOrWithout', { bearer: () => undefined });
    expect(sent.headers).to.not.have.property('authorization');
  });

  it('prefers a requirement with schemes to one without, in any order', async () => {
    const { operations } = contract;
    const withOrWithout = { ...operations['withOrWithout'], security: [{}, { bearer: [] }] } as never;
    const turned = { ...contract, operations: { ...operations, withOrWithout } };
    for (const [bearer, header] of [
      ['b', 'Bearer b'],
      [() => undefined, undefined],
    ] as const) {
      await clientOf(turned, url, { credentials: { ...all, bearer } })['withOrWithout']?.();
      expect(sent.headers.authorization).to.equal(header);
    }
  });

  it('adds keys to the cookies and the query of the caller', async () => {
    const { operations } = contract;
    const others = (id: string, place: string) => {
      const parameters = [{ name: 'theme', in: place, required: false, schema: {} }];
      return [id, { ...operations[id], parameters }] as const;
    };
    const changed = Object.fromEntries([others('byCookieKey', 'cookie'), others('byQueryKey', 'query')]);
    const client = clientOf({ ...contract, operations: { ...operations, ...changed } } as never, url, {
      credentials: all as never,
      check: 'off',
    } as never);
    await client['byCookieKey']?.({ cookies: { theme: 5 } });
    expect(sent.headers.cookie).to.equal('theme=5; session=c');
    await client['byQueryKey']?.({ query: { theme: 5 } });
    expect(sent.url).to.match(/\?theme=5&key=q%26$/);
  });

  /** A client whose operation `byDefault` has other security. */
  const secured = (security: readonly object[], schemes: object, credentials: object) => {
    const { operations, securitySchemes } = contract as unknown as Record<string, Record<string, object>>;
    const byDefault = { ...operations?.['byDefault'], security };
    const changed = {
      ...contract,
      operations: { byDefault },
      securitySchemes: { ...securitySchemes, ...schemes },
    };
    return clientOf(changed as never, url, { credentials });
  };

  it('writes the name of a key in a query as a query has it, and knows `basic` in any case', async () => {
    const schemes = {
      other: { type: 'apiKey', in: 'query', name: 'a&b' },
      basic: { type: 'http', scheme: 'BASIC' },
    };
    const credentials = { other: '1', basic: { username: 'a', password: 'b' } };
    await secured([{ other: [], basic: [] }], schemes, credentials)['byDefault']?.();
    expect(sent.url).to.match(/\?a%26b=1$/);
    expect(sent.headers.authorization).to.equal(`Basic ${btoa('a:b')}`);
  });

  it('sends nothing for a certificate of the connection, which is no text', async () => {
    const schemes = { certificate: { type: 'mutualTLS' } };
    const given = (certificate: unknown) => secured([{ certificate: [] }], schemes, { certificate });
    await given(true)['byDefault']?.();
    expect(sent.headers).to.not.have.property('authorization');
    for (const wrong of ['text', { username: 'a', password: 'b' }])
      expect(() => given(wrong)).to.throw(TypeError, 'credentials.certificate must be true');
  });

  it('names all requirements of which it has none, and the first that an operation lacks', async () => {
    const none = { bearer: () => undefined, headerKey: 'h', cookieKey: () => undefined };
    const security = [{ headerKey: [], bearer: [] }, { cookieKey: [] }];
    const refused = await rejection(secured(security, {}, none)['byDefault']?.());
    const message = 'byDefault: there is no credential for headerKey and bearer or cookieKey';
    expect(refused).to.include({ name: 'TypeError', message });
    expect(() => secured(security, {}, { headerKey: 'h' })).to.throw(
      TypeError,
      'credentials.bearer is missing: byDefault needs it',
    );
    expect(() => secured(security, {}, { cookieKey: 'c' })).not.to.throw();
  });

  it('leaves to `fetch` a credential that is true', async () => {
    await call('byDefault', { bearer: true });
    expect(sent.headers).to.not.have.property('authorization');
  });

  it('sends nothing without a credential, or with one that no header can hold, which it does not repeat', async () => {
    sent = { headers: {} };
    const none = await rejection(call('byDefault', { bearer: () => Promise.resolve(undefined) }));
    expect(none).to.include({ name: 'TypeError', message: 'byDefault: there is no credential for bearer' });
    const broken = await rejection(call('byDefault', { bearer: () => 'secret\nX-Other: 1' }));
    expect(broken).to.include({ name: 'TypeError' });
    expect(broken.message).to.not.include('secret');
    expect(sent.url).to.equal(undefined);
  });

  it('never sends them to another origin', async () => {
    let others = 0;
    const other = await listen((_request, response) => {
      others += 1;
      response.end();
    });
    const redirecting = await listen((_request, response) => {
      response.writeHead(307, { Location: other }).end();
    });
    const client = clientOf(contract, redirecting, { credentials: all as never });
    expect(await rejection(client['byHeaderKey']?.())).to.include({ status: 307 });
    expect(others).to.equal(0);
  });

  const wrong: readonly (readonly [options: object, message: string])[] = [
    [{ credentials: { ...all, bearer: undefined } }, 'credentials.bearer is missing: byDefault needs it'],
    [{}, 'credentials.bearer is missing: byDefault needs it'],
    [{ credentials: { ...all, token: 'a' } }, 'credentials.token: the contract has no such security scheme'],
    [{ credentials: { ...all, bearer: 7 } }, 'credentials.bearer must be a text'],
    [{ credentials: { ...all, bearer: '' } }, 'credentials.bearer must be a text'],
    [
      { credentials: { ...all, basic: 'secret' } },
      'credentials.basic must be { username, password }, without a colon in the username',
    ],
    ...[null, {}, { username: 'a' }, { username: 'a:b', password: 'c' }].map(
      (basic) =>
        [
          { credentials: { ...all, basic } },
          'credentials.basic must be { username, password }, without a colon in the username',
        ] as const,
    ),
    [
      { baseUrl: 'example.com' },
      'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
    ],
    [
      { baseUrl: undefined },
      'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
    ],
    [
      { baseUrl: 'ftp://example.com' },
      'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
    ],
    [
      { baseUrl: 'https://a:secret@example.com' },
      'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
    ],
    [
      { baseUrl: 'https://example.com?a=1' },
      'restClient: baseUrl must be an http or https URL without a password, a query and a fragment',
    ],
    [{ baseURL: 'https://example.com' }, 'restClient has no option baseURL'],
    [{ contract: {} }, 'restClient: contract must be the contract of the generated routing.ts'],
    [{ check: 'warn' }, "restClient: check must be 'throw', 'report' or 'off'"],
    [{ check: 'report' }, 'restClient: report must be a function'],
    [{ fetch: 'node-fetch' }, 'restClient: fetch must be a function'],
    [{ retries: 11 }, 'restClient: retries must be an integer from 0 to 10'],
    [{ retries: -1 }, 'restClient: retries must be an integer from 0 to 10'],
    [{ answerLimit: '1 MB' }, 'restClient: answerLimit must be a number of bytes'],
  ];
  for (const [options, message] of wrong) {
    it(`is not made with ${JSON.stringify(options, (_, value: unknown) => (value === undefined ? null : value))}`, () => {
      const given = 'baseUrl' in options || !('credentials' in options) ? { credentials: all } : {};
      const whole = message.includes('is missing') ? options : { ...given, ...options };
      expect(() => restClient({ contract, baseUrl: url, ...whole })).to.throw(TypeError, message);
    });
  }
});
