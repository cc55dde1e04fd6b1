/** Compares the parts of a contract with those that were used. */

import { PART_KINDS, type PartKind, declaredParts, operationParts } from '@concordat/runtime/parts';
import { type Finding, type Report, usageFailure } from '@concordat/runtime/terminal';
import type { RunningContract } from '../running/running-contract.js';
import type { Place } from '../running/wire-request.js';
import { type UsageTotal, timeText } from './usage-file.js';

/** The lowest percentage of each kind of parts. */
type Minima = Readonly<Partial<Record<PartKind, number>>>;

export interface Coverage {
  readonly contract: string;
  readonly days: readonly string[];
  readonly rate: number;
  readonly kinds: Readonly<Record<PartKind, { readonly used: number; readonly total: number }>>;
  /** The parts that were not used, except those within others of them, each with the place of its operation. */
  readonly unused: readonly {
    readonly kind: PartKind;
    readonly name: string;
    readonly operation: string;
    readonly place: Place;
  }[];
}

/** @param file - the name of the contract */
export function coverageOf(
  file: string,
  { contract, responseChecks, model, place }: RunningContract,
  usage: UsageTotal,
): Coverage {
  const none = PART_KINDS.map((kind) => [kind, { used: 0, total: 0 }]);
  const kinds = Object.fromEntries(none) as Record<PartKind, { used: number; total: number }>;
  const unused: Coverage['unused'][number][] = [];
  for (const { id, pointer } of model.operations) {
    const operation = contract.operations[id];
    const parts = operation && operationParts(operation, responseChecks);
    for (const { kind, name, within } of parts === undefined ? [] : declaredParts(parts)) {
      kinds[kind].total += 1;
      if (usage.has(name)) kinds[kind].used += 1;
      else if (within === undefined || usage.has(within))
        unused.push({ kind, name, operation: String(parts?.name), place: place(pointer) });
    }
  }
  return { contract: file, days: usage.days, rate: usage.rate, kinds, unused };
}

/** @param text - `operations=100,statuses=80` @throws CommandFailure for a text that is no such list */
export function minimaOf(text: string | undefined): Minima {
  const pairs = (text?.split(',') ?? []).map((each): readonly [PartKind, number] => {
    const [, given, percentage] = /^([a-z-]+)=(\d{1,3}(?:\.\d+)?)$/.exec(each) ?? [];
    const name = PART_KINDS.find((kind) => kind === given);
    if (name !== undefined && Number(percentage) <= 100) return [name, Number(percentage)];
    throw usageFailure(
      `--min, or coverage.min of codegen.ts, has ${JSON.stringify(each)}, but needs a kind and a percentage up to 100, such as statuses=80; the kinds are ${PART_KINDS.join(', ')}`,
    );
  });
  return Object.fromEntries(pairs);
}

/** A sentence for each kind of which less was used than it must. */
export function shortfalls({ kinds }: Coverage, minima: Minima): readonly string[] {
  return PART_KINDS.flatMap((name) => {
    const { used, total } = kinds[name];
    const { [name]: least = 0 } = minima;
    if (used * 100 >= least * total) return [];
    return [`${percent(used, total)} % of the ${name} are used, less than ${least} %`];
  });
}

/** Rounded down, so that 100 means all. */
const percent = (used: number, total: number): number => Math.floor((used * 100) / total);

export const coverageTitle = ({ contract, days, rate }: Coverage): string =>
  `Used of ${contract} ${timeText(days.length, rate)}`;

/** For the bars of a page. */
export const sharesOf = ({ kinds }: Coverage): NonNullable<Report['shares']> =>
  PART_KINDS.map((name) => ({ name, part: kinds[name].used, whole: kinds[name].total }));

export function coverageText(coverage: Coverage): string {
  const { kinds, unused } = coverage;
  const rows = Object.entries(kinds).map(([name, { used, total }]) => {
    const share = total === 0 ? '' : `${String(percent(used, total)).padStart(6)} %`;
    return `${name.padEnd(12)} ${`${used} of ${total}`.padStart(14)}${share}`;
  });
  const text = `${coverageTitle(coverage)}:\n\n${rows.join('\n')}`;
  return unused.length === 0
    ? text
    : [`${text}\n\nNot used:`, ...unused.map(({ name }) => `  ${name}`)].join('\n');
}

/** The unused parts, each at the line of its operation, and what is less than it must be. */
export function coverageFindings(
  { contract: file, unused }: Coverage,
  missing: readonly string[],
  tags: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly Finding[] {
  return [
    ...missing.map((message): Finding => {
      return { rule: 'used-too-little', level: 'error', message, about: file, place: { file } };
    }),
    ...unused.map(({ kind, name, operation: about, place }): Finding => {
      const message = `${name.slice(about.length + 1) || 'the operation'} is not used`;
      return { rule: 'not-used', level: 'note', message, about, place, kind, tags: tags.get(about) };
    }),
  ];
}
