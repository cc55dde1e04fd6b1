/** Reads the logs, the metrics and the answers of a service for what may never be there: defects, warnings of Node and secrets. */

import { type Answer, type Call, Fault } from '../calls.js';

/** What a client may see in place of an answer when the connection to the database broke while a write was committed. */
export const UNKNOWN_OUTCOME = 'Whether this was stored is not known';

/** Texts that are secrets wherever they are. */
const secretPatterns: readonly RegExp[] = [
  /eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{20,}/, // a token
  /\$argon2\w*\$/,
  /whsec_\w+/,
];

const tokenPaths = /^\/api\/auth\/(?:login|refresh)/;

interface Line {
  readonly level?: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly status?: number;
  readonly cause?: string;
}

const ERROR = 50;

/** A server that is late, as all are on a busy machine. */
const late = /no answer within|did not answer|timeout/i;

export class Watch {
  /** Whether the database, the broker or the provider was out of order: then the log has lines about that. */
  hadOutage = false;
  #fault: string | undefined;
  readonly #secrets = new Set<string>();
  /** The last lines, for the report of a failure. */
  readonly lines: string[] = [];

  /** Adds a text that may be in no log and no metric. */
  keep(secret: string): void {
    this.#secrets.add(secret);
  }

  readonly line = (text: string): void => {
    this.lines.push(text);
    if (this.lines.length > 60) this.lines.shift();
    this.#requireNoSecret('the log', text, secretPatterns);
    const line = parsed(text);
    if (line === undefined) this.#note(`a line of the log is no JSON: ${text}`);
    else if (late.test(line.cause ?? '')) return;
    else if (line.err !== undefined) this.#note(`the log has an unexpected error: ${text}`);
    else if ((line.level ?? 0) >= ERROR && !this.hadOutage) this.#note(`the log has an error: ${text}`);
    else if (line.status === 500 && !this.hadOutage) this.#note(`a request was answered 500: ${text}`);
  };

  readonly error = (text: string): void => {
    this.#note(`the service wrote to standard error: ${text}`);
  };

  readonly metrics = (text: string): void => {
    this.#requireNoSecret('a metric', text, secretPatterns);
    const [, rejections] = /^service_unhandled_rejections_total (\d+)$/m.exec(text) ?? [];
    if (rejections !== '0') this.#note(`there are ${String(rejections)} unhandled rejections`);
  };

  answer({ path }: Call, { status, text, body }: Answer): void {
    if (status === 500 && !(this.hadOutage && text.includes(UNKNOWN_OUTCOME)))
      this.#note(`answered 500 ${text.slice(0, 300)}`);
    const { key } = path === '/api/keys' && status === 201 ? (body as { readonly key: string }) : {};
    if (key !== undefined) this.keep(key);
    const [token, ...others] = secretPatterns;
    const patterns = tokenPaths.test(path) || token === undefined ? others : [token, ...others];
    this.#requireNoSecret(`the answer of ${path}`, text, patterns, false);
  }

  /** @throws {@link Fault} for the first thing that should not have been */
  check(): void {
    if (this.#fault !== undefined) throw new Fault(this.#fault);
  }

  #requireNoSecret(place: string, text: string, patterns: readonly RegExp[], isOutput = true): void {
    const found = patterns.find((pattern) => pattern.test(text));
    if (found !== undefined) this.#note(`${place} has a secret (${String(found)}): ${text.slice(0, 2000)}`);
    if (!isOutput) return;
    for (const secret of this.#secrets) {
      if (text.includes(secret)) this.#note(`${place} has the secret ${secret}: ${text.slice(0, 2000)}`);
    }
  }

  #note(fault: string): void {
    this.#fault ??= fault;
  }
}

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
