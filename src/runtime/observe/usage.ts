/** Counts which parts of a contract exchanges use, in bounded memory, and writes the counts into a file. */

import type { RequestHeaders } from '../http/message.js';
import { isPlainText, isSensitiveName } from './harmless.js';

export interface UsageOptions {
  /** The request header that has the name of the client, such as `x-client`; all clients are `unnamed` when not given. */
  readonly client?: string;
}

/** The counts of one process, as its file has them. The counts of several processes are added. */
export interface Usage {
  /** The version of this form. */
  readonly usage: 1;
  /** The days (UTC) on which it counted, such as `2026-11-24`. */
  readonly days: readonly string[];
  /** The share of the exchanges that it saw, for which the counts are made up. */
  readonly rate: number;
  /** Bodies whose members could not be counted. */
  readonly unread: number;
  /** Uses of parts that were not counted, because there were too many parts. */
  readonly dropped: number;
  /** By the name of the part, then by that of the client: the number of exchanges that used it at least once. */
  readonly parts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const MOST_PARTS = 20_000;
const MOST_CLIENTS = 50;
const LONGEST_CLIENT = 60;

export class UsageTable {
  /** By part, then by client. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #clients = new Set<string>();
  readonly #days = new Set<string>();
  readonly #header: string | undefined;
  #unread = 0;
  #dropped = 0;
  #file: string | undefined;

  /** @throws if the header is none, or has secrets */
  constructor(
    { client }: UsageOptions,
    private readonly rate: number,
  ) {
    this.#header = client?.toLowerCase();
    if (client === undefined) return;
    // `mobile` means a number elsewhere, and a kind of client here.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(client) || isSensitiveName(client.replace(/mobile|phone/i, '')))
      throw new Error(`usage.client must be the name of a header without secrets, not ${client}`);
  }

  note(names: Iterable<string>, { headers }: { readonly headers: RequestHeaders }, isUnread: boolean): void {
    if (isUnread) this.#unread += 1;
    this.#days.add(new Date().toISOString().slice(0, 10));
    const client = this.#clientOf(this.#header === undefined ? undefined : headers[this.#header]);
    for (const name of new Set(names)) {
      const known = this.#counts.get(name);
      if (known === undefined && this.#counts.size >= MOST_PARTS) this.#dropped += 1;
      else if (known === undefined) this.#counts.set(name, new Map([[client, 1]]));
      else known.set(client, (known.get(client) ?? 0) + 1);
    }
  }

  /** A name that may be a secret is not kept, nor one after too many others. */
  #clientOf(header: RequestHeaders[string] = 'unnamed'): string {
    const name = String(header);
    if (this.#clients.has(name)) return name;
    const isKept = name.length <= LONGEST_CLIENT && isPlainText(name) && this.#clients.size < MOST_CLIENTS;
    if (isKept) this.#clients.add(name);
    return isKept ? name : 'other';
  }

  /** A copy of the counts. */
  usage(): Usage {
    const sorted = [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1));
    const parts = sorted.map(([name, counts]) => {
      const clients = [...counts].map(([client, count]) => [client, Math.round(count / this.rate)] as const);
      return [name, Object.fromEntries(clients)] as const;
    });
    return {
      usage: 1,
      days: [...this.#days].sort(),
      rate: this.rate,
      unread: this.#unread,
      dropped: this.#dropped,
      parts: Object.fromEntries(parts),
    };
  }

  /** Writes the counts since the start into a file of this table's own in a folder. @returns its path */
  async write(folder: string): Promise<string> {
    // An import would keep this module from runtimes that do not have Node's.
    const { mkdir, rename, writeFile } = process.getBuiltinModule('node:fs/promises');
    await mkdir(folder, { recursive: true });
    this.#file ??= `${crypto.randomUUID()}.json`;
    const path = `${folder}/${this.#file}`;
    // A reader never sees the beginning of a file.
    await writeFile(`${path}.new`, `${JSON.stringify(this.usage())}\n`);
    await rename(`${path}.new`, path);
    return path;
  }
}
