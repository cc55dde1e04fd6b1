/**
 * Sends webhooks over HTTP, and to no address inside the network of the service. A connection is made to the addresses that were checked
 * when its name was resolved, so a name that changes after a check leads nowhere else.
 */
import { setMaxListeners } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { WebhookSender } from '../ports/outbox.js';
import { exchange } from '../servers/exchange.js';
import { nameLookup } from '../servers/names.js';

export interface WebhookSenderOptions {
  /** Hosts, addresses and networks (`10.0.0.0/8`) that are allowed although they are not public. */
  readonly allow?: readonly string[];
  /** The maximum time of an attempt, from the look-up of the name to the end of the answer, in milliseconds; 15,000 unless given. */
  readonly timeoutMs?: number;
  /** Resolves names in place of the hosts file and the name servers of the system. */
  readonly lookup?: LookupFunction;
}

/** The networks of IANA's special-purpose registries: they are not on the internet, or contain other addresses. */
const special = networksOf(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/3', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
);
/** All public addresses of IPv6. Loopback, local, mapped (`::ffff:127.0.0.1`) and translated ones (`64:ff9b::/96`) are outside. */
const globalUnicast = networksOf('2000::/3');

/** In bytes. Only the status of an answer counts. */
const longestAnswer = 64 * 1024;

function networksOf(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/**
 * Makes a sender. Close it when the service stops.
 *
 * @throws an error for an entry of `allow` with a slash that is no network
 *
 * @example
 * ```ts
 * const sender = webhookSender({ allow: ['hooks.internal', '10.1.0.0/16'] });
 * ```
 */
export function webhookSender({
  allow = [],
  timeoutMs = 15_000,
  lookup: ownLookup,
}: WebhookSenderOptions = {}): WebhookSender {
  const lookUps = new AbortController();
  const lookup = ownLookup ?? nameLookup(lookUps.signal);
  const sending = new AbortController();
  setMaxListeners(0, sending.signal);
  const allowedHosts = new Set(allow.map((host) => host.toLowerCase()));
  const allowedNetworks = networksOf(...allow.filter((entry) => entry.includes('/')));
  // Shorter than servers keep idle connections: one that the other end has just closed is no failure of the receiver.
  // As many to a server as there are attempts at once: an answer that does not end keeps its connection after its attempt.
  const kept = { keepAlive: true, timeout: 4_000, maxSockets: 20 };
  const agents = [new HttpAgent(kept), new HttpsAgent(kept)] as const;

  /** @returns why an address is refused */
  function faultOf(address: string): Error | undefined {
    const family = familyOf(address);
    const isPublic =
      !special.check(address, family) && (family === 'ipv4' || globalUnicast.check(address, family));
    if (isPublic || allowedHosts.has(address) || allowedNetworks.check(address, family)) return undefined;
    return new Error(
      `url leads to the address ${address}, which is neither public nor allowed (WEBHOOK_ALLOW)`,
    );
  }

  /** All addresses of a name must be allowed, unless the name is. */
  const checkedLookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      const isUnknown = error?.code === 'ENOTFOUND' || (!error && first === undefined);
      let fault: Error | undefined;
      if (isUnknown) fault = new Error(`url has the unknown host ${host}`);
      else if (error) fault = new Error(`url leads to no address: ${error.message}`, { cause: error });
      if (!allowedHosts.has(host)) for (const { address } of addresses) fault ??= faultOf(address);
      if (fault || options.all) callback(fault ?? null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };

  /** @throws an error that says why nothing is sent to an address */
  function targetOf(text: string): { readonly url: URL; readonly isName: boolean } {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol))
      throw new Error('url must begin with https:// or http://');
    if (url.username !== '' || url.password !== '') throw new Error('url must not have a user or a password');
    const address = url.hostname.replace(/^\[|\]$/g, '');
    const isName = isIP(address) === 0;
    // Node does not look up an address.
    const fault = isName ? undefined : faultOf(address);
    if (fault !== undefined) throw fault;
    return { url, isName };
  }

  return {
    async refusal(text) {
      try {
        const { url, isName } = targetOf(text);
        if (!isName) return undefined;
        return await new Promise((resolve, reject) => {
          checkedLookup(url.hostname, { all: true }, (error) => (error ? reject(error) : resolve(undefined)));
        });
      } catch (error) {
        return (error instanceof Error ? error.message : String(error)).replace(/^url /, '');
      }
    },

    async send(text, headers, body) {
      const { url } = targetOf(text);
      const { status } = await exchange(url, {
        method: 'POST',
        headers: {
          ...headers,
          'Content-Length': String(Buffer.byteLength(body)),
          'User-Agent': 'concordat-webhooks',
        },
        body,
        agent: url.protocol === 'http:' ? agents[0] : agents[1],
        lookup: checkedLookup,
        signal: sending.signal,
        ms: timeoutMs,
        maxBytes: longestAnswer,
      });
      return status;
    },

    close(graceMs = 0) {
      lookUps.abort();
      const cutOff = (): void => {
        sending.abort();
        for (const agent of agents) agent.destroy();
      };
      if (graceMs === 0) cutOff();
      else setTimeout(cutOff, graceMs).unref();
    },
  };
}
