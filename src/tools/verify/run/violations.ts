/** The violations of a run, each recorded once, with the number of requests that show it and a command that repeats it. */

import { shellWords } from 'concordat/contract';
import type { WireRequest } from '../../running/wire-request.js';
import type { Finding, Violation } from './verify-report.js';
import { addressOf, type Answer } from './server.js';

/** A request that breaks a rule. */
interface Evidence {
  readonly request: WireRequest;
  readonly answer: Answer;
}

/** A text that must not be shown. */
export interface Secret {
  readonly text: string;
  /** The shell variable that replaces it. */
  readonly variable: string;
  /** Where requests have it. */
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
}

interface ViolationOptions {
  readonly url: string;
  /** Rules that only warn, everywhere or in one operation: `valid-refused`, `valid-refused at listUsers`. */
  readonly warn: readonly string[];
  readonly secrets: readonly Secret[];
}

export class Violations {
  readonly #found = new Map<string, Violation & { count: number }>();

  constructor(private readonly options: ViolationOptions) {}

  get all(): readonly Violation[] {
    return [...new Set(this.#found.values())];
  }

  /** Counts a request for the violation with one of the keys. @returns false if there is none yet */
  count(...keys: readonly string[]): boolean {
    const known = keys.map((key) => this.#found.get(key)).find((each) => each !== undefined);
    if (known !== undefined) known.count += 1;
    return known !== undefined;
  }

  /** Adds another key for a violation. */
  alias(key: string, known: string): void {
    const violation = this.#found.get(known);
    if (violation !== undefined) this.#found.set(key, violation);
  }

  /**
   * @param places - the names of the place in `warn`, such as an operationId
   * @param before - the requests that led to it
   */
  add(
    key: string,
    { rule, message, isUncertain = false }: Finding,
    sent: Pick<Violation, 'operation' | 'about'> & { readonly places: readonly string[] },
    { request, answer }: Evidence,
    before: readonly Evidence[] = [],
  ): Violation {
    const { operation, about, places } = sent;
    const { url, warn, secrets } = this.options;
    const lines = [...before.map((each) => each.request), request];
    const isOfPlace = places.some((place) => warn.includes(`${rule} at ${place}`));
    const violation = {
      rule,
      isWarning: isUncertain || warn.includes(rule) || isOfPlace,
      ...{ operation, about, message, count: 1, request },
      curl: lines.map((each) => curlLine(url, each, secrets)),
      ...('status' in answer && { answer: { status: answer.status, text: answer.text.slice(0, 300) } }),
    };
    this.#found.set(key, violation);
    return violation;
  }
}

export function curlLine(base: string, given: WireRequest, secrets: readonly Secret[] = []): string {
  const request = secrets.reduce(withMark, given);
  const { method, headers, body } = request;
  const { 'sec-websocket-protocol': protocol, ...others } = headers;
  if (protocol !== undefined) return websocatLine(base, { ...request, headers: others }, protocol, secrets);
  // `-g` sends brackets in a query instead of reading ranges; `--path-as-is` sends dot segments in a path.
  const words = ['curl', '-sSig', '--path-as-is'];
  words.push(...(method === 'HEAD' ? ['-I'] : ['-X', shellWords(method)]));
  words.push(quotedText(addressOf(base, request)));
  for (const [name, value] of Object.entries(headers)) words.push('-H', `${name}:\\ ${quotedText(value)}`);
  if (body !== undefined) {
    // By default, curl declares a body as a form.
    if (!('content-type' in headers)) words.push('-H', 'content-type:');
    words.push('--data-binary', shellWords(body));
  }
  return words.join(' ');
}

/** Pauses between messages, because the first must be answered before the others. `-n` keeps the connection open to show answers. */
function websocatLine(
  base: string,
  request: WireRequest,
  protocol: string,
  secrets: readonly Secret[],
): string {
  // The first message has the headers too.
  const marked = secrets.reduce((body, { text, variable, name }) => {
    const member = `${JSON.stringify(name)}:`;
    return body.replaceAll(member + JSON.stringify(text), `${member}"${MARK}${variable}${MARK}"`);
  }, request.body ?? '');
  const messages = marked.split('\n').map((line) => `printf '%s\\n' ${quotedText(line)}`);
  const said = messages.length === 1 ? messages.join('') : `{ ${messages.join('; sleep 1; ')}; }`;
  const words = [said, '|', 'websocat', '-n', '--protocol', protocol];
  for (const [name, value] of Object.entries(request.headers))
    words.push(`-H=${quotedText(`${name}: ${value}`)}`);
  words.push(quotedText(addressOf(base, request).replace(/^http/, 'ws')));
  return words.join(' ');
}

/** Encloses the variable of a secret. No URL and no header has this character. */
const MARK = '\u{F0000}';

/** So long a text is no word that something else has by chance, so that it is hidden wherever it is. */
const LONG_SECRET = 16;

/** The request with a mark in place of a secret. A short one, such as `a`, is only replaced where it is sent. */
function withMark(request: WireRequest, { text, variable, in: place, name }: Secret): WireRequest {
  const encoded = encodeURIComponent(text);
  const mark = MARK + variable + MARK;
  const hidden = (shown: string): string =>
    text.length < LONG_SECRET ? shown : shown.replaceAll(text, mark).replaceAll(encoded, mark);
  const markedPairs = (pairs: string, separator: string): string => {
    const marked = pairs.split(separator).map((pair) => {
      const [start = ''] = /^[^=]*=/.exec(pair) ?? [];
      const isSent = start === `${encodeURIComponent(name)}=` || start === `${name}=`;
      return isSent && [text, encoded].includes(pair.slice(start.length)) ? start + mark : hidden(pair);
    });
    return marked.join(separator);
  };
  const headers = Object.entries(request.headers).map(([header, value]) => {
    const isSent = place === 'header' && header.toLowerCase() === name.toLowerCase();
    // After the name of a scheme, if it has one.
    if (isSent && ` ${value}`.endsWith(` ${text}`))
      return [header, value.slice(0, value.length - text.length) + mark];
    return [header, place === 'cookie' && header === 'cookie' ? markedPairs(value, '; ') : hidden(value)];
  });
  return {
    ...request,
    path: hidden(request.path),
    query: place === 'query' ? markedPairs(request.query, '&') : hidden(request.query),
    headers: Object.fromEntries(headers) as WireRequest['headers'],
  };
}

/** Quotes one word for the shell, with variables in place of its marks. A secret may contain any character. */
function quotedText(text: string): string {
  const words = text.split(MARK).map((piece, index) => {
    return index % 2 === 1 ? `"$${piece}"` : piece === '' ? '' : shellWords(piece);
  });
  return words.join('');
}
