/**
 * Resolves names: by the hosts file, then at the name servers of the system, with its search domains. The system's own resolver
 * (`dns.lookup`) cannot be cancelled, and each of its look-ups holds one of four threads that files and password hashes need too.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type LookupFunction, Socket } from 'node:net';

/** For a whole look-up, which ends before the deadline of any connection. */
const deadlineMs = 4_000;
/** For the first query to a server; then the next server is asked. */
const queryMs = 1_000;

/** A look-up, which all that need its name at the same time share. */
interface LookUp {
  readonly addresses: Promise<readonly LookupAddress[]>;
  readonly cancel: () => void;
  waiting: number;
}

const underWay = new Map<string, LookUp>();

/**
 * Makes a function for the option `lookup` of connections. A look-up is cancelled when no caller waits for it.
 *
 * @param signal - ends all waits of this function
 */
export function nameLookup(signal: AbortSignal): LookupFunction {
  setMaxListeners(0, signal);
  return (host, { all = false, family = 0 }, callback) => {
    const name = host.toLowerCase();
    const lookUp = underWay.get(name) ?? begin(name);
    lookUp.waiting += 1;
    let isOver = false;
    const end = (error: Error | null, found: readonly LookupAddress[] = []): void => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener('abort', abort);
      lookUp.waiting -= 1;
      if (lookUp.waiting === 0) lookUp.cancel();
      const wanted = found.filter((each) => family === 0 || String(family).endsWith(String(each.family)));
      const [first] = wanted;
      const fault = error ?? (first === undefined ? failure('ENOTFOUND', host) : null);
      if (all || first === undefined) callback(fault, wanted);
      else callback(fault, first.address, first.family);
    };
    const abort = (): void => end(failure('ECANCELED', host));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    lookUp.addresses.then((found) => end(null, found), end);
  };
}

/** A socket for a client that connects it itself, such as `pg`. */
export function namedSocket(): Socket {
  return withNames((lookup) => {
    const socket = new Socket();
    const connect = socket.connect.bind(socket);
    return Object.assign(socket, {
      connect: (place: number | string, host?: string) =>
        typeof place === 'string' || host === undefined
          ? connect(String(place))
          : connect({ port: place, host, lookup }),
    });
  });
}

/** Opens a socket whose look-up ends with it. */
export function withNames<Opened extends Socket>(open: (lookup: LookupFunction) => Opened): Opened {
  const closing = new AbortController();
  const socket = open(nameLookup(closing.signal));
  socket.once('close', () => closing.abort());
  return socket;
}

function begin(name: string): LookUp {
  // One per look-up, so that it can be cancelled alone, and reads the present name servers of the system.
  const resolver = new Resolver({ timeout: queryMs, tries: 2 });
  const closing = new AbortController();
  const cancel = (): void => {
    clearTimeout(timer);
    if (underWay.get(name) === lookUp) underWay.delete(name);
    closing.abort();
    resolver.cancel();
  };
  const timer = setTimeout(cancel, deadlineMs);
  const lookUp = { addresses: addressesOf(name, resolver, closing.signal), cancel, waiting: 0 };
  underWay.set(name, lookUp);
  return lookUp;
}

/** @throws an error with the code of the system's resolver: `ENOTFOUND`, or `EAI_AGAIN` if no server knows whether there is such a name */
async function addressesOf(
  name: string,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const known = addressesIn(await textOf(hostsFile), name);
  if (known.length > 0) return known;
  // RFC 6761 §6.3
  if (/(?:^|\.)localhost\.?$/.test(name)) return [addressOf('127.0.0.1'), addressOf('::1')];
  let isCertain = true;
  for (const candidate of candidatesOf(name, await textOf('/etc/resolv.conf'))) {
    if (signal.aborted) break;
    // IPv4 first: a host without a route for IPv6 would otherwise begin with a connection that fails.
    const answers = await Promise.allSettled([resolver.resolve4(candidate), resolver.resolve6(candidate)]);
    const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (found.length > 0) return found.map(addressOf);
    isCertain &&= answers.every(
      (each) =>
        each.status === 'rejected' &&
        /^E(?:NOTFOUND|NODATA|BADNAME)$/.test(String((each.reason as NodeJS.ErrnoException).code)),
    );
  }
  throw failure(isCertain && !signal.aborted ? 'ENOTFOUND' : 'EAI_AGAIN', name);
}

const hostsFile =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** hosts(5) */
function addressesIn(hosts: string, name: string): readonly LookupAddress[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.toLowerCase().replace(/#.*/, '').trim().split(/\s+/);
    return names.includes(name) ? [addressOf(address)] : [];
  });
}

/** The names to ask for, in order (resolv.conf(5), `search` and `ndots`). */
function candidatesOf(name: string, settings: string): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const search = [...settings.matchAll(/^\s*(?:search|domain)\s+(.*)$/gm)].at(-1)?.[1] ?? '';
  const [, dots = '1'] = /^\s*options\b.*\bndots:(\d+)/m.exec(settings) ?? [];
  const longer = search.split(/\s+/).flatMap((domain) => (domain === '' ? [] : [`${name}.${domain}`]));
  return name.split('.').length > Number(dots) ? [name, ...longer] : [...longer, name];
}

function addressOf(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

const texts = {
  ENOTFOUND: 'the name is unknown',
  EAI_AGAIN: 'no name server answers for the name',
  ECANCELED: 'the look-up was cancelled of the name',
};

function failure(code: keyof typeof texts, name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${texts[code]} ${name}`), { code, hostname: name });
}
