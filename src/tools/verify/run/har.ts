/** Records the requests and the answers of a verification as an HTTP Archive (HAR 1.2), without secrets. */

import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { isSensitiveName, shapeOf, shapeOfNumber } from '@concordat/runtime/observe';
import { withoutPasswords, withoutSecrets } from '@concordat/runtime/observe';
import type { Exchange } from './server.js';

const { version } = createRequire(import.meta.url)('@concordat/tools/package.json') as {
  readonly version: string;
};

/** So much of a body is recorded, in characters. */
const MOST_TEXT = 100_000;

const HIDDEN = '…';

export class HarLog {
  readonly #entries: object[] = [];

  /** @param secrets - the texts of credentials, which are hidden wherever they are */
  add({ url, request, answer, started, milliseconds }: Exchange, secrets: Iterable<string>): void {
    const hide = hiding(secrets);
    const { method, headers, body } = request;
    // Browsers record the status 0 for a server that does not answer.
    const received = 'failure' in answer ? { status: 0, headers: {}, text: '' } : answer;
    const types = [headers['content-type'] ?? '', String(received.headers['content-type'] ?? '')] as const;
    const shownUrl = hide(hiddenAddress(url));
    const both = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
    const query = new URLSearchParams(shownUrl.replace(/^[^?]*/, ''));
    const sent = body !== undefined && hide(hiddenText(body, types[0]));
    const shown = hide(hiddenText(received.text, types[1]));
    this.#entries.push({
      startedDateTime: started.toISOString(),
      time: milliseconds,
      request: {
        ...both,
        method,
        url: shownUrl,
        headers: shownHeaders(headers, hide),
        queryString: [...query].map(([name, value]) => ({ name, value })),
        ...(sent !== false && { postData: { mimeType: types[0], params: [], text: sent } }),
        bodySize: Buffer.byteLength(body ?? ''),
      },
      response: {
        ...both,
        status: received.status,
        statusText: STATUS_CODES[received.status] ?? '',
        headers: shownHeaders(received.headers, hide),
        content: { size: Buffer.byteLength(received.text), mimeType: types[1], text: shown },
        redirectURL: '',
        bodySize: -1,
        ...('failure' in answer && { comment: hide(answer.failure) }),
      },
      cache: {},
      timings: { send: 0, wait: milliseconds, receive: 0 },
    });
  }

  /** The archive. */
  get text(): string {
    const log = { version: '1.2', creator: { name: 'concordat verify', version }, entries: this.#entries };
    return `${JSON.stringify({ log }, undefined, 1)}\n`;
  }
}

/** Hides credentials, and the words of those that have several, such as `Bearer …`. */
function hiding(secrets: Iterable<string>): (text: string) => string {
  const words = [...secrets].flatMap((secret) => [secret, ...secret.split(/[\s=;,]+/)]);
  const hidden = words.filter((word) => word.length >= 4 && !/^(?:bearer|basic|digest)$/i.test(word));
  return (text) => hidden.reduce((shown, word) => shown.replaceAll(word, HIDDEN), text);
}

function shownHeaders(headers: object, hide: (text: string) => string): readonly object[] {
  return Object.entries(headers).flatMap(([name, values]: [string, unknown]) =>
    [values].flat().map((value) => {
      const text = /location$/i.test(name) ? hiddenAddress(String(value)) : String(value);
      return { name, value: isSensitiveName(name) ? HIDDEN : hide(text) };
    }),
  );
}

/** A URL without passwords, and without the values of sensitive names in its path and its query. */
function hiddenAddress(address: string): string {
  const [path = '', query] = withoutPasswords(address).split(/\?(.*)/s);
  return withoutSecrets(path) + (query === undefined ? '' : `?${hiddenPairs(query)}`);
}

/** A query or a form without the values of sensitive names. */
function hiddenPairs(text: string): string {
  return text.replaceAll(/([^&=]+)=([^&]*)/g, (pair, name: string) =>
    isSensitiveName(name) ? `${name}=${encodeURIComponent(HIDDEN)}` : pair,
  );
}

/** A body without the values of sensitive names: of JSON, of lines and events with JSON, of forms, of XML and of parts. */
function hiddenText(text: string, mediaType: string): string {
  const whole = hiddenJson(text);
  if (whole !== undefined) return cut(whole);
  if (/^[^\s<{["]*=/.test(text)) return hiddenPairs(cut(text));
  const lines = cut(text).split('\n').map((line) => {
    const [, start = '', rest = ''] = /^((?:data: ?)?)(.*)$/s.exec(line) ?? [];
    return start + (hiddenJson(rest) ?? rest);
  }); // prettier-ignore
  return lines
    .join('\n')
    .replaceAll(MEMBER, (member, start: string, name: string) =>
      isSensitiveName(name) ? `${start}"${HIDDEN}"` : member,
    )
    .replaceAll(ELEMENT, (element, start: string, name: string, value: string) =>
      isSensitiveName(name) ? start + shapeOf(value) : element,
    )
    .replaceAll(mediaType.startsWith('multipart/') ? PART : /$^/g, (part, head: string, name: string) =>
      isSensitiveName(name) ? head + HIDDEN : part,
    );
}

/** A member of JSON that is malformed or cut, an element with text, and a part of a form with its name. */
const MEMBER = /("([^"\\]+)"\s*:\s*)(?:\[[^\]]*|"(?:[^"\\]|\\.)*"?)/g;
const ELEMENT = /(<([\w:.-]+)(?: [^<>]*)?>)([^<]+)/g;
const PART = /(\bname="([^"]*)"[^]*?\r\n\r\n)[^]*?(?=\r\n--)/g;

const cut = (text: string): string =>
  text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}${HIDDEN}` : text;

/** @returns undefined if the text is no JSON object or array; the text itself if it has nothing to hide */
function hiddenJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const shown: unknown = JSON.parse(text, (name, value: unknown) =>
      isSensitiveName(name) ? (JSON.parse(JSON.stringify(value), shaped) as unknown) : value,
    );
    const written = JSON.stringify(shown);
    // A text without secrets is recorded as it was sent, with its spaces and all digits.
    return written === JSON.stringify(JSON.parse(text)) ? text : written;
  } catch {
    return undefined;
  }
}

function shaped(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return shapeOf(value);
  return typeof value === 'number' ? shapeOfNumber(value) : value;
}
