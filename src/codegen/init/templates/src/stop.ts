/** Stops the server on SIGTERM and SIGINT: open requests are answered first, and the process then ends by itself. */

interface Closable {
  close(): unknown;
}

/** The time until answers that have no end, such as streams of events, are cut off. */
const LIMIT_MS = 10_000;

/** @param parts - stops accepting connections: the server, or the application that closes it */
export function stopOnSignals(
  server: Closable & { closeIdleConnections?(): void },
  parts: readonly Closable[],
): void {
  const stop = () => {
    for (const part of parts) void part.close();
    // A connection that is kept alive becomes idle when its last request is answered.
    setInterval(() => server.closeIdleConnections?.(), 100).unref();
    setTimeout(() => process.exit(), LIMIT_MS).unref();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
