/** A request class that ignores `Upgrade` headers for protocols that the service does not support. */

import { IncomingMessage } from 'node:http';

/**
 * For `createServer`. Once a server has a listener for `upgrade`, Node gives it every connection that asks for any upgrade. A
 * client that merely offers HTTP/2 (`Upgrade: h2c`, as Java's client does on its first request) would then get no answer. A
 * server may ignore the header (RFC 9110 §7.8), and Node does so when `upgrade` is false.
 */
export class UpgradableRequest extends IncomingMessage {
  private asked = false;

  /** Node's parser sets this, and reads it back once the headers are parsed. */
  get upgrade(): boolean {
    return this.asked && (this.method === 'CONNECT' || isWebSocket(this.headers.upgrade));
  }

  set upgrade(asked: boolean) {
    this.asked = asked;
  }
}

function isWebSocket(protocol: string | undefined): boolean {
  return protocol?.toLowerCase() === 'websocket';
}
