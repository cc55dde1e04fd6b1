/** Writes a request as a curl command for a POSIX shell, or as a websocat command for a request over WebSocket. */

import type { WireRequest } from '../../running/message.js';
import { addressOf } from './send-request.js';

/**
 * @param secrets - the texts that must not be shown, each with the name of the shell variable that replaces it
 */
export function curlLine(
  base: string,
  request: WireRequest,
  secrets: ReadonlyMap<string, string> = new Map(),
): string {
  const { method, headers, body } = request;
  const { 'sec-websocket-protocol': protocol, ...others } = headers;
  if (protocol !== undefined) return websocatLine(base, { ...request, headers: others }, protocol, secrets);
  const quoted = (text: string): string => quotedText(text, secrets);
  // `-g` sends brackets in a query instead of reading ranges; `--path-as-is` sends dot segments in a path.
  const words = ['curl', '-sSig', '--path-as-is', ...(method === 'HEAD' ? ['-I'] : ['-X', quoted(method)])];
  words.push(quoted(addressOf(base, request)));
  for (const [name, value] of Object.entries(headers)) words.push('-H', `${name}:\\ ${quoted(value)}`);
  if (body !== undefined) {
    // By default, curl declares a body as a form.
    if (!('content-type' in headers)) words.push('-H', 'content-type:');
    words.push('--data-binary', quotedText(body));
  }
  return words.join(' ');
}

/** Pauses between messages, because the first must be answered before the others. `-n` keeps the connection open to show answers. */
function websocatLine(
  base: string,
  request: WireRequest,
  protocol: string,
  secrets: ReadonlyMap<string, string>,
): string {
  const inJson = [...secrets].map(([text, name]) => [JSON.stringify(text).slice(1, -1), name] as const);
  const all = new Map([...secrets, ...inJson]);
  const messages = (request.body ?? '').split('\n').map((line) => `printf '%s\\n' ${quotedText(line, all)}`);
  const said = messages.length === 1 ? messages.join('') : `{ ${messages.join('; sleep 1; ')}; }`;
  const words = [said, '|', 'websocat', '-n', '--protocol', protocol];
  for (const [name, value] of Object.entries(request.headers))
    words.push(`-H=${quotedText(`${name}: ${value}`, secrets)}`);
  words.push(quotedText(addressOf(base, request).replace(/^http/, 'ws')));
  return words.join(' ');
}

/** Quotes one word for the shell, and replaces each secret in it by its variable. A secret may contain any character. */
function quotedText(text: string, secrets: ReadonlyMap<string, string> = new Map()): string {
  const found = [...secrets].find(([secret]) => text.includes(secret));
  if (found !== undefined) {
    const [secret, variable] = found;
    const pieces = text.split(secret).map((piece) => (piece === '' ? '' : quotedText(piece, secrets)));
    return pieces.join(`"$${variable}"`);
  }
  return /^[\w:/.=%+,@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
