/** Whom the service answers: by `Host`, and by the origin of the page that makes a browser send a request. */

import { expect } from 'chai';
import { RawSocket } from '../../support/raw-socket.js';
import { exchange, readAnswer, requestText } from '../../support/wire.js';
import { useWatched } from '../server/watched-service.js';

const EVIL = 'https://evil.example.com';

type Answer = ReturnType<typeof readAnswer>;

/** Sends one request with these header lines, `Host` included. */
async function ask(url: string, method: string, target: string, lines: readonly string[]): Promise<Answer> {
  return readAnswer(
    await exchange(url, requestText(target, { method, host: [], headers: [...lines, 'Connection: close'] })),
  );
}

/** A handshake with these header lines. */
async function upgrade(url: string, lines: readonly string[]): Promise<Answer> {
  const handshake = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
  ];
  return readAnswer(
    await exchange(url, requestText('/graphql', { host: [], headers: [...lines, ...handshake] })),
  );
}

function expectError({ status, headers, body }: Answer, expected: number, words: string): void {
  expect(status, headers).to.equal(expected);
  expect(headers).to.match(/\r\ncontent-type: application\/json\r\n/i);
  expect(body).to.have.all.keys('error');
  expect((body as { error: string }).error).to.include(words);
}

describe('Host', () => {
  const open = useWatched();
  const chosen = useWatched({ AUTH_POLICY: 'open' });
  const guarded = useWatched({ AUTH_POLICY: 'protected' });
  const named = useWatched({ PUBLIC_URL: 'https://shop.example.com/base' });

  for (const [what, lines, words] of [
    ['given twice', ['Host: localhost', 'hOST: localhost'], 'Host must be given once'],
    ['with a space', ['Host: a b'], 'Host must be a name'],
    ['with a path', ['Host: localhost/x'], 'Host must be a name'],
    ['with a user', ['Host: me@localhost'], 'Host must be a name'],
    ['missing', [], 'Host is missing'],
  ] as const) {
    it(`${what} is 400, for requests and handshakes`, async () => {
      expectError(await ask(chosen().url, 'GET', '/api/users', lines), 400, words);
      expectError(await upgrade(chosen().url, lines), 400, words);
    });
  }

  it('may be missing in HTTP/1.0', async () => {
    expect(readAnswer(await exchange(chosen().url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).to.equal(200);
  });

  for (const host of [
    'localhost',
    'LOCALHOST:3000',
    'shop.localhost',
    '127.0.0.1:80',
    '127.9.9.9',
    '[::1]:1',
  ]) {
    it(`may be ${host} where the open policy is only the default`, async () => {
      expect((await ask(open().url, 'GET', '/api/users', [`Host: ${host}`])).status).to.equal(200);
    });
  }

  for (const host of ['rebound.example.com', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.1', '']) {
    it(`may not be '${host}' there: 421, on every path and for handshakes`, async () => {
      for (const target of ['/api/users', '/graphql', '/', '/metrics', '/nowhere']) {
        const answer = await ask(open().url, 'GET', target, [`Host: ${host}`]);
        expectError(answer, 421, 'Only names of this machine are served');
      }
      expectError(await upgrade(open().url, [`Host: ${host}`]), 421, 'Only names of this machine are served');
    });
  }

  it('may be any where a policy was chosen, and that of PUBLIC_URL', async () => {
    for (const [{ url }, host] of [
      [chosen(), 'rebound.example.com'],
      [guarded(), 'rebound.example.com'],
      [named(), 'shop.example.com'],
    ] as const) {
      expect((await ask(url, 'GET', '/healthz', [`Host: ${host}`])).status).to.equal(200);
    }
    expect((await ask(named().url, 'GET', '/healthz', ['Host: other.example.com'])).status).to.equal(421);
  });
});

describe('a page that sends a request', () => {
  const service = useWatched();
  const shared = useWatched({ CORS_ORIGINS: 'https://app.example.com' });
  const all = useWatched({ CORS_ORIGINS: '*' });
  const proxied = useWatched({ AUTH_POLICY: 'open', PUBLIC_URL: 'https://shop.example.com' });

  /** Cancelling an order needs neither a body nor a header that a page could not send. */
  const cancel = (url: string, ...lines: readonly string[]): Promise<Answer> =>
    ask(url, 'POST', '/api/orders/1/cancel', [
      ...(lines.some((line) => line.startsWith('Host')) ? [] : [`Host: ${new URL(url).host}`]),
      'Content-Length: 0',
      ...lines,
    ]);
  const passes = async (answer: Promise<Answer>): Promise<void> => {
    expect((await answer).body).to.deep.equal({ error: 'Order not found' });
  };
  const refused = async (answer: Promise<Answer>): Promise<void> => {
    expectError(await answer, 403, 'Pages of this origin may not send this request');
  };

  it('is refused from another origin, and with an origin that says nothing', async () => {
    const { url } = service();
    const { port } = new URL(url);
    for (const origin of [EVIL, 'null', 'http://localhost:1', `http://127.0.0.2:${port}`, 'file://']) {
      await refused(cancel(url, `Origin: ${origin}`));
    }
    await refused(cancel(url, `Origin: ${EVIL}`, 'Sec-Fetch-Site: cross-site'));
    await refused(cancel(url, 'Sec-Fetch-Site: same-site'));
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      await refused(ask(url, method, '/api/users/1', ['Host: localhost', `Origin: ${EVIL}`]));
    }
    await refused(ask(url, 'POST', '/graphql', ['Host: localhost', `Origin: ${EVIL}`, 'Content-Length: 0']));
  });

  it('passes from the own origin, by Origin or by Sec-Fetch-Site, and where no browser sends it', async () => {
    const { url } = service();
    await passes(cancel(url));
    await passes(cancel(url, `Origin: ${url}`));
    await passes(cancel(url, `Origin: ${url}`, 'Sec-Fetch-Site: same-origin'));
    // A form of a page with `Referrer-Policy: no-referrer`, and a page behind a proxy that changes Host.
    await passes(cancel(url, 'Origin: null', 'Sec-Fetch-Site: same-origin'));
    await passes(cancel(url, 'Origin: http://localhost:5173', 'Sec-Fetch-Site: same-origin'));
    await passes(cancel(url, 'Sec-Fetch-Site: none'));
  });

  it('passes from the origins in CORS_ORIGINS alone, and from any with *', async () => {
    await passes(cancel(shared().url, 'Origin: https://app.example.com', 'Sec-Fetch-Site: cross-site'));
    await passes(cancel(shared().url, 'Origin: https://app.example.com'));
    await refused(cancel(shared().url, 'Origin: http://app.example.com'));
    await refused(cancel(shared().url, 'Origin: null'));
    for (const origin of [EVIL, 'null']) await passes(cancel(all().url, `Origin: ${origin}`));
  });

  it('passes from the origin of PUBLIC_URL behind a proxy that changes Host', async () => {
    await passes(cancel(proxied().url, 'Origin: https://shop.example.com'));
    await passes(cancel(proxied().url, 'Origin: https://shop.example.com', 'Host: shop.example.com'));
    await refused(cancel(proxied().url, `Origin: ${EVIL}`));
  });

  it('may read from anywhere, because without CORS the page does not see the answer', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const answer = await ask(service().url, method, '/api/users', ['Host: localhost', `Origin: ${EVIL}`]);
      expect(answer.status).to.be.within(200, 204);
    }
  });

  it('opens a WebSocket from the own origin and those of CORS_ORIGINS, and from no other', async () => {
    for (const [url, origin] of [
      [service().url, service().url],
      [shared().url, 'https://app.example.com'],
      [all().url, EVIL],
      [proxied().url, 'https://shop.example.com'],
    ] as const) {
      await (await RawSocket.connect(url, undefined, { origin })).close();
    }
    for (const { url } of [service(), shared(), proxied()]) {
      for (const origin of [EVIL, 'null']) {
        const answer = await upgrade(url, [`Host: ${new URL(url).host}`, `Origin: ${origin}`]);
        expectError(answer, 403, 'Pages of this origin may not connect');
      }
    }
  });
});
