/** Writes bytes to the service as a client may that is no good HTTP client, and reads what comes. */
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

/** @param allowHalfOpen - whether it stays open on this side when the service has closed its own */
export async function openSocket(url: string, allowHalfOpen = false): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen });
  socket.on('error', () => undefined); // the service may reset it
  await once(socket, 'connect');
  return socket;
}

/** A request without a body. @param headers - lines beside `Host`, which is the service's own unless given */
export function requestText(
  target: string,
  { method = 'GET', host = ['Host: localhost'], headers = [] }: RequestLines = {},
): string {
  return [`${method} ${target} HTTP/1.1`, ...host, ...headers, '', ''].join('\r\n');
}

interface RequestLines {
  readonly method?: string;
  readonly host?: readonly string[];
  readonly headers?: readonly string[];
}

/** Sends bytes on a new connection. @returns all that is received until the service closes its side */
export async function exchange(url: string, bytes: string): Promise<string> {
  const socket = await openSocket(url);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

/** The status and the JSON body of an answer as it was received. */
export function readAnswer(received: string): {
  readonly status: number;
  readonly headers: string;
  readonly body: unknown;
} {
  const [headers = '', text = ''] = received.split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers, body: text === '' ? undefined : JSON.parse(text) };
}
