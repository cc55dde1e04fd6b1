/** Destroys the connection of a response when the handler's signal aborts. */

import type { ServerResponse } from 'node:http';

export function breakOffOn(signal: AbortSignal | undefined, outgoing: ServerResponse): void {
  if (signal?.aborted === true) outgoing.destroy();
  else signal?.addEventListener('abort', () => outgoing.destroy(), { once: true });
}
