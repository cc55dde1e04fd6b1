/** Destroys the connection of a response when its handler says so. */

import type { ServerResponse } from 'node:http';

export function breakOffOn(signal: AbortSignal | undefined, outgoing: ServerResponse): void {
  if (signal?.aborted === true) outgoing.destroy();
  else signal?.addEventListener('abort', () => outgoing.destroy(), { once: true });
}
