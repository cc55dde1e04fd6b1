/** Makes a handler of a service that runs elsewhere, by sending requests to its URL. */

import type { HttpHandler } from '@concordat/runtime';
import { CommandFailure } from '@concordat/runtime/terminal';

/** Reads the contract of a running service, which may have another version than this program. */
export async function readDocument(url: string): Promise<Readonly<Record<string, unknown>>> {
  const address = addressOf(url, '/openapi.json');
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`it answered ${String(response.status)}`);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new CommandFailure(`No contract at ${address}: ${reasonOf(error)}. Is the service running there?`);
  }
}

/** Makes a handler that sends requests to a service, and answers 503 when the service cannot be reached. */
export function remoteService(url: string): HttpHandler {
  return async (request) => {
    const { method, path, query, headers, signal } = request;
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    );
    const isEmpty = method === 'GET' || method === 'HEAD';
    const body = isEmpty ? undefined : await request.readBody(Infinity);
    try {
      const response = await fetch(addressOf(url, query === '' ? path : `${path}?${query}`), {
        method,
        // fetch sets this header itself.
        headers: sent.filter(([name]) => name !== 'content-length'),
        // Redirects are not followed, because the credential is for this service only.
        redirect: 'manual',
        signal,
        ...(body !== undefined && { body }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        ...(response.body !== null && { body: response.body }),
      };
    } catch (error) {
      const sentence = `The service at ${url} cannot be reached: ${reasonOf(error)}`;
      return {
        status: 503,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ error: sentence }),
      };
    }
  };
}

function addressOf(url: string, path: string): string {
  const base = url.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw new CommandFailure(`--url must be a URL, not ${url}`);
  return base + path;
}

/** The reason of a failed fetch, which only the cause of its error contains. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
