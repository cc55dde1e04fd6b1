/** The violations of a run, each recorded once, with the number of requests that show it and a command that repeats it. */

import { shellWords } from 'concordat/contract';
import type { WireRequest } from '../../running/wire-request.js';
import type { Finding, Violation } from './verify-report.js';
import { addressOf, type Answer } from './server.js';

/** A request that breaks a rule. */
export interface Evidence {
  readonly request: WireRequest;
  readonly answer: Answer;
}

export interface ViolationOptions {
  readonly url: string;
  /** Rules that only warn, everywhere or in one operation: `valid-refused`, `valid-refused at listUsers`. */
  readonly warn: readonly string[];
  /** The texts that must not be shown, each with the name of the shell variable that replaces it. */
  readonly secrets: ReadonlyMap<string, string>;
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
    { rule, message }: Finding,
    {
      operation,
      about,
      places,
    }: Pick<Violation, 'operation' | 'about'> & { readonly places: readonly string[] },
    { request, answer }: Evidence,
    before: readonly Evidence[] = [],
  ): Violation {
    const { url, warn, secrets } = this.options;
    const lines = [...before.map((each) => each.request), request];
    const violation = {
      rule,
      isWarning: warn.includes(rule) || places.some((place) => warn.includes(`${rule} at ${place}`)),
      operation,
      about,
      message,
      count: 1,
      request,
      curl: lines.map((each) => curlLine(url, each, secrets)),
      ...('status' in answer && { answer: { status: answer.status, text: answer.text.slice(0, 300) } }),
    };
    this.#found.set(key, violation);
    return violation;
  }
}

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
  return shellWords(text);
}
