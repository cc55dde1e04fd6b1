/** Starts a Koa application on a free port, and prints its URL. */

import type { AddressInfo } from 'node:net';
import type Koa from 'koa';

export function listen(app: Koa): void {
  const server = app.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}
