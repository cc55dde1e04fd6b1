/** Starts a server of `node:http` on a free port, and prints its URL. */

import { createServer } from 'node:http';

export function listen(server) {
  const listening = server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${listening.address().port}`);
  });
}

/** Whether the server was started with `service`: it then has what a service has around its contract. */
export const isService = process.argv[2] === 'service';

/** @param listener - of requests of `node:http` */
export async function listenWith(listener) {
  if (!isService) return listen(createServer(listener));
  const { watched } = await import('./service/watched.js');
  return listen(createServer(watched(listener)));
}
