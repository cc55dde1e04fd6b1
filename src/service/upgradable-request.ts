/** A request whose wish to change protocols counts only where the service speaks that protocol. */

import { IncomingMessage } from 'node:http';

/**
 * For `createServer`. Node hands over every connection that asks for an upgrade once anybody listens for them; a client
 * that merely offers HTTP/2 (`Upgrade: h2c`, as Java's does with each first request) would get no answer. A server may
 * ignore the wish (RFC 9110 §7.8), which is what Node does where `upgrade` is false.
 */
export class UpgradableRequest extends IncomingMessage {
  private asked = false;

  /** Set by Node's parser, and read by it when the headers are known. */
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
