/** Reads the files in which observers have counted the use of a contract, and adds their counts. */

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parsedJson } from '@concordat/runtime/parts';
import type { Usage } from '@concordat/runtime/observe';
import { usageFailure } from '@concordat/runtime/terminal';

/** The use of parts, on the days and of the share of exchanges that were seen. */
export interface PartUse {
  readonly count: number;
  readonly days: number;
  readonly rate: number;
  /** By client, the most frequent first; those without a name are `unnamed`. */
  readonly clients: Readonly<Record<string, number>>;
}

/** The counts of several files. */
export class UsageTotal {
  /** By part, then by client. */
  readonly #parts = new Map<string, Map<string, number>>();
  readonly days: readonly string[];
  readonly rate: number;
  #isOther = false;

  constructor(private readonly files: readonly Usage[]) {
    for (const [name, clients] of files.flatMap(({ parts }) => Object.entries(parts))) {
      const totals = this.#parts.get(name) ?? new Map<string, number>();
      this.#parts.set(name, totals);
      for (const [client, count] of Object.entries(clients))
        totals.set(client, (totals.get(client) ?? 0) + count);
    }
    this.days = [...new Set(files.flatMap(({ days }) => days))].sort();
    this.rate = Math.min(1, ...files.map(({ rate }) => rate));
  }

  has(name: string): boolean {
    return this.#parts.has(name);
  }

  of(names: readonly string[]): PartUse {
    const totals = new Map<string, number>();
    for (const [client, count] of names.flatMap((name) => [...(this.#parts.get(name) ?? [])]))
      totals.set(client, (totals.get(client) ?? 0) + count);
    const clients = [...totals].sort(([, one], [, other]) => other - one);
    const count = clients.reduce((sum, [, own]) => sum + own, 0);
    return { count, days: this.days.length, rate: this.rate, clients: Object.fromEntries(clients) };
  }

  /** Notes whether the counts may be those of another API. @param operations - those of the contract, such as `GET /users` */
  compare(operations: readonly string[]): void {
    this.#isOther ||= operations.every((name) => !this.has(name));
  }

  /** A sentence for each reason why the counts may be too low or of another API. */
  doubts(): readonly string[] {
    const sum = (of: 'unread' | 'dropped'): number => this.files.reduce((all, file) => all + file[of], 0);
    const other = 'No operation of the contract was counted: the usage may be that of another API.';
    const counts = [
      [sum('unread'), 'bodies could not be read, so their members are not counted.'] as const,
      [sum('dropped'), 'uses are not counted, because there were too many parts.'] as const,
    ].flatMap(([count, rest]) => (count === 0 ? [] : [`${count.toLocaleString('en')} ${rest}`]));
    return this.#isOther ? [other, ...counts] : counts;
  }
}

/** The most clients that a text names. */
const MOST_NAMED = 3;

/** `in 30 days`, and which share of them was seen. */
export function timeText(days: number, rate: number): string {
  const share = rate === 1 ? '' : `, of whose exchanges ${Number((rate * 100).toPrecision(3))} % were seen`;
  return `in ${days} ${days === 1 ? 'day' : 'days'}${share}`;
}

/** `used 4,211 times in 30 days by mobile/4.2`, or `not used in 30 days`. */
export function useText({ count, days, rate, clients }: PartUse): string {
  const time = timeText(days, rate);
  if (count === 0) return `not used ${time}`;
  const all = Object.entries(clients);
  const [[only] = [], ...others] = all;
  const named = all.slice(0, MOST_NAMED).map(([client, own]) => `${client} (${own.toLocaleString('en')})`);
  const more = all.length > MOST_NAMED ? [`${all.length - MOST_NAMED} more`] : [];
  const names = others.length === 0 ? String(only) : new Intl.ListFormat('en').format([...named, ...more]);
  const times = count === 1 ? 'once' : `${count.toLocaleString('en')} times`;
  return `used ${rate === 1 ? '' : 'about '}${times} ${time}${names === 'unnamed' ? '' : ` by ${names}`}`;
}

/**
 * @param paths - files, and folders with such files
 * @throws CommandFailure for a path without usage
 */
export function readUsage(paths: readonly string[]): UsageTotal {
  return new UsageTotal([...new Set(paths.flatMap(filesAt))].map(readFile));
}

function filesAt(path: string): readonly string[] {
  if (!existsSync(path)) throw usageFailure(`${path} does not exist`);
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path).filter((name) => name.endsWith('.json'));
  if (files.length === 0) throw usageFailure(`${path} has no file of usage`);
  return files.sort().map((name) => join(path, name));
}

function readFile(path: string): Usage {
  try {
    const usage: unknown = parsedJson(readFileSync(path, 'utf8'));
    if (isUsage(usage)) return usage;
  } catch {
    throw usageFailure(`${path} cannot be read`);
  }
  throw usageFailure(`${path} is no file of usage, as observers write it`);
}

function isUsage(value: unknown): value is Usage & object {
  if (!isObject(value)) return false;
  const { usage, days, rate, unread, dropped, parts } = value;
  if (usage !== 1 || !Array.isArray(days) || !days.every((day) => typeof day === 'string')) return false;
  if (typeof rate !== 'number' || rate < 0 || rate > 1) return false;
  return isObject(parts) && [{ unread, dropped }, ...Object.values(parts)].every(areCounts);
}

const areCounts = (counts: unknown): boolean =>
  isObject(counts) &&
  Object.values(counts).every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
