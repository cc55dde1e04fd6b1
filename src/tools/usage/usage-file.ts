/** Reads the files in which observers have counted the use of a contract, and adds their counts. */

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parsedJson } from '@concordat/runtime/parts';
import type { Usage } from '@concordat/runtime/observe';
import { CommandFailure, exitCodes } from '@concordat/runtime/terminal';

/** The use of parts, on the days and of the share of exchanges that were seen. */
export interface PartUse {
  readonly count: number;
  readonly days: number;
  readonly rate: number;
  /** By client, the most frequent first; absent if clients were not told apart. */
  readonly clients?: Readonly<Record<string, number>>;
}

/** The counts of several files. */
export class UsageTotal {
  readonly #parts = new Map<string, Usage['parts'][string][]>();
  #isOther = false;
  /** In their order. */
  readonly days: readonly string[];
  readonly rate: number;

  constructor(private readonly files: readonly Usage[]) {
    for (const [name, use] of files.flatMap((file) => Object.entries(file.parts))) {
      const known = this.#parts.get(name);
      if (known === undefined) this.#parts.set(name, [use]);
      else known.push(use);
    }
    this.days = [...new Set(files.flatMap(({ days }) => days))].sort();
    this.rate = Math.min(1, ...files.map(({ rate }) => rate));
  }

  get names(): readonly string[] {
    return [...this.#parts.keys()];
  }

  of(names: readonly string[]): PartUse {
    const uses = names.flatMap((name) => this.#parts.get(name) ?? []);
    const totals = new Map<string, number>();
    for (const [client, count] of uses.flatMap(({ clients = {} }) => Object.entries(clients)))
      totals.set(client, (totals.get(client) ?? 0) + count);
    const clients = [...totals].sort(([, one], [, other]) => other - one);
    return {
      count: uses.reduce((sum, { count }) => sum + count, 0),
      days: this.days.length,
      rate: this.rate,
      ...(clients.length > 0 && { clients: Object.fromEntries(clients) }),
    };
  }

  /** Notes whether the counts may be those of another API. @param operations - those of the contract, such as `GET /users` */
  compare(operations: readonly string[]): void {
    this.#isOther ||= operations.every((name) => !this.#parts.has(name));
  }

  /** What the counts do not say, one sentence each. */
  doubts(): readonly string[] {
    const sum = (of: 'unread' | 'dropped'): number => this.files.reduce((all, file) => all + file[of], 0);
    const other = 'No operation of the old version was counted: the usage may be that of another API.';
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
  const share =
    rate === 1 ? '' : `, of whose exchanges ${String(Number((rate * 100).toPrecision(3)))} % were seen`;
  return `in ${String(days)} ${days === 1 ? 'day' : 'days'}${share}`;
}

/** `used 4,211 times in 30 days by mobile/4.2`, or `not used in 30 days`. */
export function useText({ count, days, rate, clients = {} }: PartUse): string {
  const time = timeText(days, rate);
  if (count === 0) return `not used ${time}`;
  const all = Object.entries(clients);
  const named = all
    .slice(0, MOST_NAMED)
    .map(([client, own]) => (all.length === 1 ? client : `${client} (${own.toLocaleString('en')})`));
  const others = all.length > MOST_NAMED ? [`${String(all.length - MOST_NAMED)} more`] : [];
  const by = named.length === 0 ? '' : ` by ${new Intl.ListFormat('en').format([...named, ...others])}`;
  const about = rate === 1 ? '' : 'about ';
  return `used ${about}${count === 1 ? 'once' : `${count.toLocaleString('en')} times`} ${time}${by}`;
}

/**
 * @param paths - files, and folders with such files
 * @throws CommandFailure for a path without usage
 */
export function readUsage(paths: readonly string[]): UsageTotal {
  return new UsageTotal([...new Set(paths.flatMap(filesAt))].map(readFile));
}

function filesAt(path: string): readonly string[] {
  if (!existsSync(path)) throw new CommandFailure(`${path} does not exist`, exitCodes.usage);
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path).filter((name) => name.endsWith('.json'));
  if (files.length === 0) throw new CommandFailure(`${path} has no file of usage`, exitCodes.usage);
  return files.sort().map((name) => join(path, name));
}

function readFile(path: string): Usage {
  try {
    const usage: unknown = parsedJson(readFileSync(path, 'utf8'));
    if (isUsage(usage)) return usage;
  } catch {
    throw new CommandFailure(`${path} cannot be read`, exitCodes.usage);
  }
  throw new CommandFailure(`${path} is no file of usage, as observers write it`, exitCodes.usage);
}

function isUsage(value: unknown): value is Usage & object {
  if (!isObject(value)) return false;
  const { usage, days, rate, unread, dropped, parts } = value;
  if (usage !== 1 || !Array.isArray(days) || !days.every((day) => typeof day === 'string')) return false;
  if (typeof rate !== 'number' || rate < 0 || rate > 1) return false;
  return areCounts({ unread, dropped }) && isObject(parts) && Object.values(parts).every(isPart);
}

function isPart(part: unknown): boolean {
  return isObject(part) && areCounts({ count: part['count'] }) && areCounts(part['clients'] ?? {});
}

function areCounts(counts: unknown): boolean {
  return (
    isObject(counts) &&
    Object.values(counts).every((count) => Number.isSafeInteger(count) && Number(count) >= 0)
  );
}
