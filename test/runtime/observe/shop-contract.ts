/** The contract of the observed application, and the exchanges that tests send. */

import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { runContract } from '../../../src/tools/running/running-contract.js';
import { type ObserveOptions, type Observer, observe } from '../../../src/runtime/observe/index.js';

export const shopContract = runContract(fileURLToPath(new URL('shop.openapi.yaml', import.meta.url)));

/** An observer of the shop; errors of its own fail the test. */
export async function shopObserver(options: Partial<ObserveOptions> = {}): Promise<Observer> {
  const { contract, responseChecks } = await shopContract;
  const report = (error: unknown): void => {
    throw error;
  };
  return observe({ contract, responseChecks, report, ...options });
}

/** Sends bytes on a connection of their own, and reads all that comes until the server closes it. The date is removed. */
export async function rawAnswer(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const pieces: Buffer[] = [];
  await new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    socket.on('data', (piece) => pieces.push(piece));
    socket.once('close', resolve);
    socket.once('error', reject);
  });
  return Buffer.concat(pieces)
    .toString('latin1')
    .replace(/^date: .*$/im, 'date: removed');
}

/** A request as it is sent. A list of pieces is sent chunked. */
export function rawRequest(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string | readonly string[],
): string {
  const all = {
    host: 'localhost',
    connection: 'close',
    ...(typeof body === 'string' && { 'content-length': String(Buffer.byteLength(body)) }),
    ...(typeof body === 'object' && { 'transfer-encoding': 'chunked' }),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const chunks =
    typeof body === 'object'
      ? [...body.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`), '0\r\n\r\n'].join('')
      : (body ?? '');
  return `${line} HTTP/1.1\r\n${head.join('')}\r\n${chunks}`;
}
