/** The sender of webhooks reaches public addresses only, and what the operator allows. */
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { webhookSender } from '../../../src/core/events/webhooks.js';
import { hostileBehaviours, hostileReceiver } from '../../support/hostile-receivers.js';
import { until } from '../../support/until.js';

const messageOf = (error: unknown) => (error instanceof Error ? error.message : undefined);

/** Resolves each name to the next of its addresses, at last always to the last. */
function names(addresses: Readonly<Record<string, readonly string[]>>): LookupFunction {
  const left = new Map(Object.entries(addresses).map(([name, list]) => [name, [...list]]));
  return (name, _, callback) => {
    const own = left.get(name) ?? [];
    const address = own.length > 1 ? own.shift() : own[0];
    if (address === undefined) callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
    else
      callback(
        null,
        address.split(' ').map((each) => ({ address: each, family: each.includes(':') ? 6 : 4 })),
      );
  };
}

const refusalOf = (url: string, allow: readonly string[] = [], lookup = names({})) =>
  webhookSender({ allow, lookup }).refusal(url);

const inside = {
  loopback: ['127.0.0.1', '127.9.9.9', '[::1]', 'localhost.example'],
  'loopback in other notations': ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[0:0:0:0:0:0:0:1]'],
  unspecified: ['0.0.0.0', '0', '[::]'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255'],
  'link-local and metadata': ['169.254.0.1', '169.254.169.254', '[fe80::1]', '[febf::1]', '[fd00:ec2::254]'],
  'unique-local and site-local': ['[fc00::1]', '[fdff::1]', '[fec0::1]'],
  'IPv4 in IPv6': [
    ...['[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]'],
    ...['[2002:7f00:1::]', '[2001:0:7f00:1::]'],
  ],
  'multicast, broadcast, documentation and tests': [
    ...[
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
      '255.255.255.255',
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.9',
    ],
    ...['198.18.0.1', '192.0.0.8', '[ff02::1]', '[2001:db8::1]', '[100::1]'],
  ],
};

describe('webhookSender', () => {
  for (const [kind, hosts] of Object.entries(inside)) {
    it(`refuses addresses that are ${kind}`, async () => {
      const lookup = names({ 'localhost.example': ['127.0.0.1'] });
      for (const host of hosts) {
        expect(await refusalOf(`https://${host}/hooks`, [], lookup), host).to.match(
          /^leads to the address \S+, which is neither public nor allowed/,
        );
        const sent = webhookSender({ lookup }).send(`https://${host}/hooks`, {}, '');
        expect(await sent.catch(messageOf), host).to.match(/^url leads to the address/);
      }
    });
  }

  it('accepts public addresses, and names of them', async () => {
    const lookup = names({ 'hooks.example.com': ['93.184.216.34 2606:2800:220:1::1'] });
    for (const host of [
      '8.8.8.8',
      '172.32.0.1',
      '100.128.0.1',
      '[2606:4700::1]',
      'hooks.example.com',
      'HOOKS.example.com',
    ])
      expect(await refusalOf(`https://${host}:8443/`, [], lookup), host).to.equal(undefined);
  });

  it('refuses a name of which one address is not public', async () => {
    const lookup = names({ 'hooks.example.com': ['93.184.216.34 10.0.0.1'] });
    expect(await refusalOf('https://hooks.example.com', [], lookup)).to.equal(
      'leads to the address 10.0.0.1, which is neither public nor allowed (WEBHOOK_ALLOW)',
    );
  });

  it('refuses what is no address of a web server', async () => {
    for (const [url, refusal] of [
      ['ftp://example.com', 'must begin with https:// or http://'],
      ['example.com/hooks', 'must begin with https:// or http://'],
      ['file:///etc/passwd', 'must begin with https:// or http://'],
      ['https://ada:secret@example.com', 'must not have a user or a password'],
      ['https://nowhere.example', 'has the unknown host nowhere.example'],
    ] as const)
      expect(await refusalOf(url), url).to.equal(refusal);
  });

  it('allows the hosts, addresses and networks that the operator names, and no others', async () => {
    const lookup = names({ 'hooks.internal': ['10.1.0.1'], 'other.internal': ['10.1.0.2'] });
    const allow = ['hooks.internal', '192.168.1.7', '10.2.0.0/16', 'fd00::/8', '::1'];
    const ask = (host: string) => refusalOf(`http://${host}/`, allow, lookup);
    for (const host of ['hooks.internal', 'Hooks.Internal', '192.168.1.7', '10.2.3.4', '[fd12::1]', '[::1]'])
      expect(await ask(host), host).to.equal(undefined);
    for (const host of ['other.internal', '192.168.1.8', '10.1.0.1', '[fc12::1]', '127.0.0.1'])
      expect(await ask(host), host).to.match(/nor allowed/);
  });

  describe('to a server', () => {
    let server: Server;
    let requests: string[] = [];
    let port = 0;
    beforeEach(async () => {
      requests = [];
      server = createServer((request, response) => {
        requests.push(`${String(request.method)} ${String(request.url)}`);
        if (request.url === '/never') return;
        if (request.url === '/moved') response.writeHead(307, { Location: '/private' });
        if (request.url === '/endless') response.write('x');
        else if (request.url === '/long') response.write('x'.repeat(1024 * 1024));
        else response.end();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    });
    afterEach(() => {
      server.close();
      server.closeAllConnections();
    });

    it('checks the address of each connection, so that a changed name leads nowhere else', async () => {
      // Public when the webhook is created, then the address of the server itself.
      const sender = webhookSender({
        lookup: names({ 'hooks.example.com': ['93.184.216.34', '127.0.0.1'] }),
      });
      const url = `http://hooks.example.com:${String(port)}/`;
      expect(await sender.refusal(url)).to.equal(undefined);
      const outcome = await sender.send(url, {}, '{}').catch(messageOf);
      expect(outcome).to.match(/^url leads to the address 127.0.0.1, /);
      expect(requests).to.deep.equal([]);
    });

    it('does not follow a redirect', async () => {
      const sender = webhookSender({ allow: ['127.0.0.1'] });
      expect(await sender.send(`http://127.0.0.1:${String(port)}/moved`, {}, '{}')).to.equal(307);
      expect(requests).to.deep.equal(['POST /moved']);
      sender.close();
    });

    it('gives up after its time, and does not wait for the end of an answer', async () => {
      const sender = webhookSender({ allow: ['127.0.0.1'], timeoutMs: 50 });
      const base = `http://127.0.0.1:${String(port)}`;
      expect(await sender.send(`${base}/never`, {}, '').catch(messageOf)).to.equal('no answer within 0.05 s');
      expect(await sender.send(`${base}/endless`, {}, '')).to.equal(200);
      sender.close();
    });

    it('keeps at most 20 connections to a server that does not end its answers', async () => {
      const sender = webhookSender({ allow: ['127.0.0.1'], timeoutMs: 60_000 });
      const send = () => sender.send(`http://127.0.0.1:${String(port)}/endless`, {}, '').catch(messageOf);
      await Promise.all(Array.from({ length: 20 }, send));
      const next = await Promise.race([send(), new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]);
      expect([next, requests.length]).to.deep.equal(['waits', 20]);
      sender.close();
    });

    it('ends the connection of an answer that is too long to be read', async () => {
      const sender = webhookSender({ allow: ['127.0.0.1'], timeoutMs: 60_000 });
      const closed = new Promise((resolve) => {
        server.once('connection', (socket) => socket.once('close', resolve));
      });
      expect(await sender.send(`http://127.0.0.1:${String(port)}/long`, {}, '')).to.equal(200);
      await closed;
      sender.close();
    });
  });

  describe('to a receiver that', () => {
    for (const behaviour of hostileBehaviours)
      it(`${behaviour}, ends within its time and keeps no connection`, async () => {
        const receiver = await hostileReceiver(behaviour);
        const sender = webhookSender({ allow: ['127.0.0.1'], timeoutMs: 200 });
        try {
          const outcome = await sender.send(receiver.url, {}, '{}').catch(messageOf);
          if (behaviour.includes('101')) expect(outcome).to.equal(101);
          else expect(outcome).to.be.a('string');
          await until('its connection is closed', () => receiver.sockets.size === 0);
        } finally {
          sender.close();
          receiver.stop();
        }
      });
  });
});
