/** Whether servers do the same work: they answer the same to the same requests, and refuse the same ones. */

import { isDeepStrictEqual } from 'node:util';

/** A request that is sent to every server before they are measured. */
export interface Probe {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What every server must answer. */
  readonly status: number;
  /** Of GraphQL: an answer with errors and without data, whatever its status. */
  readonly hasErrors?: boolean;
}

/** A server by its name. */
export interface Probed {
  readonly name: string;
  readonly url: string;
  /** Whether it refuses requests; bare servers do not. */
  readonly checks: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The characters of an answer that an error shows: a list has thousands. */
const SHOWN = 500;

/** These differ by server and by connection, and are no part of what the contract says. */
const OF_SERVERS = new Set(['connection', 'content-length', 'date', 'keep-alive']);

/**
 * The same status, headers and body, with as many bytes. The order of keys is free, and so are times, request ids and the
 * parameters of media types, which some frameworks add on their own.
 *
 * @param compareHeaders - false where each framework has headers of its own, as for GraphQL
 * @throws an error that names the server and the difference
 */
export async function requireSameAnswers(
  servers: readonly Probed[],
  probes: readonly Probe[],
  compareHeaders = true,
): Promise<void> {
  for (const probe of probes) {
    let expected: Answer | undefined;
    for (const { name, url, checks } of servers) {
      const isRefusal = probe.status >= 400 || probe.hasErrors === true;
      if (isRefusal && !checks) continue;
      const answer = await answerOf(url, probe);
      const fail = (what: string): never => {
        throw new Error(
          `${name}, ${JSON.stringify(probe)}: ${what}, ${JSON.stringify(answer).slice(0, SHOWN)}`,
        );
      };
      if (probe.hasErrors === true) {
        if (!/"errors":\s*\[/.test(answer.text) || /"data":\s*\{/.test(answer.text)) fail('no errors');
        continue;
      }
      if (answer.status !== probe.status) fail(`status ${String(answer.status)}`);
      if (isRefusal) continue;
      expected ??= answer;
      const { headers, text } = expected;
      if (compareHeaders && !isDeepStrictEqual(answer.headers, headers)) {
        fail(`other headers than ${JSON.stringify(headers)}`);
      }
      const isSame = isDeepStrictEqual(JSON.parse(answer.text), JSON.parse(text));
      if (!isSame || answer.text.length !== text.length) fail(`another body than ${text}`);
    }
  }
}

async function answerOf(url: string, { path, method = 'GET', headers, body }: Probe): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  });
  const relevant = [...response.headers].filter(([name]) => !OF_SERVERS.has(name));
  return {
    status: response.status,
    headers: Object.fromEntries(relevant.map(([name, value]) => [name, comparable(name, value)])),
    text: withoutTimes((await response.text()).trim()),
  };
}

function comparable(name: string, value: string): string {
  if (name === 'x-request-id') return '';
  return name === 'content-type' ? (value.split(';', 1)[0] ?? '') : value;
}

/** Replaces times by one of the same length. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => '0'.repeat(time.length));
}
