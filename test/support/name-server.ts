/** A name server on loopback that knows the names that it is given, and is silent about those that begin with `silent`. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** For `--import`, in a process with the variable NAME_SERVER, the port. */
export const askedNameServer = fileURLToPath(new URL('asked-name-server.mjs', import.meta.url));

export interface NameServer {
  readonly port: string;
  /** The names that it was asked for addresses of IPv4, each as often as it was. */
  readonly asked: string[];
  /** Names about which it is silent from now on. */
  readonly silenced: Set<string>;
  readonly stop: () => void;
}

const noError = 0x8180;
const noSuchName = 0x8183;
const a = 1;

/** @param names - their addresses of IPv4 */
export async function startNameServer(names: Readonly<Record<string, string>> = {}): Promise<NameServer> {
  const asked: string[] = [];
  const silenced = new Set<string>();
  const socket = createSocket('udp4', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('ascii', at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    if (type === a) asked.push(name);
    if (name.startsWith('silent') || silenced.has(name)) return;
    const known = Object.hasOwn(names, name) ? names[name] : undefined;
    const isAnswered = type === a && known !== undefined;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(known === undefined ? noSuchName : noError, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(Number(isAnswered), 6);
    const record = isAnswered
      ? [Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...known.split('.').map(Number)])]
      : [];
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...record]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: String(socket.address().port), asked, silenced, stop: () => socket.close() };
}
