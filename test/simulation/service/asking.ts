/** Sends requests over real connections, which may break. */

import { send } from '../../support/send.js';
import type { Answer, Call } from '../calls.js';

/** @returns undefined if the connection broke before the end of the answer */
export async function answerOf(
  url: string,
  { method, path, headers = {}, body }: Call,
  credentials: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  const type = body !== undefined && { 'content-type': 'application/json' };
  try {
    const answer = await send(url, {
      method,
      path,
      headers: { ...type, ...credentials, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const { status, text } = answer;
    const isJson = answer.headers['content-type']?.includes('json') === true && text !== '';
    const all = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return { status, headers: new Headers(all), body: isJson ? JSON.parse(text) : undefined, text };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
