/** Compares the parts of a contract with those that were used. */

import {
  type ContractPart,
  PART_KINDS,
  type PartKind,
  declaredParts,
  operationParts,
} from '@concordat/runtime/parts';
import { type Finding, usageFailure } from '@concordat/runtime/terminal';
import type { RunningContract } from '../running/running-contract.js';
import { type UsageTotal, timeText } from './usage-file.js';

/** The lowest percentage of each kind of parts. */
type Minima = Readonly<Partial<Record<PartKind, number>>>;

export interface Coverage {
  readonly contract: string;
  readonly days: readonly string[];
  readonly rate: number;
  readonly kinds: Readonly<Record<PartKind, { readonly used: number; readonly total: number }>>;
  /** The parts that were not used, except those within others of them. */
  readonly unused: readonly (Pick<ContractPart, 'kind' | 'name'> & { readonly operation: string })[];
  /** The parts that were used, and that the contract does not have; none of a choice of operations. */
  readonly unknown: readonly string[];
}

/** @param file - the name of the contract @param isWhole - whether it has all its operations */
export function coverageOf(
  file: string,
  { contract, responseChecks }: Pick<RunningContract, 'contract' | 'responseChecks'>,
  usage: UsageTotal,
  isWhole: boolean,
): Coverage {
  const used = new Set(usage.names);
  const counts = new Map(PART_KINDS.map((kind) => [kind, { used: 0, total: 0 }]));
  const known = new Set<string>();
  const unused: Coverage['unused'][number][] = [];
  for (const operation of Object.values(contract.operations)) {
    const parts = operationParts(operation, responseChecks);
    for (const { kind, name, within } of declaredParts(parts)) {
      known.add(name);
      const count = counts.get(kind);
      if (count !== undefined) count.total += 1;
      if (count !== undefined && used.has(name)) count.used += 1;
      if (!used.has(name) && (within === undefined || used.has(within)))
        unused.push({ kind, name, operation: parts.name });
    }
  }
  return {
    contract: file,
    days: usage.days,
    rate: usage.rate,
    kinds: Object.fromEntries(counts) as Coverage['kinds'],
    unused,
    unknown: usage.names.filter((name) => isWhole && !known.has(name)),
  };
}

/** @param text - `operations=100,statuses=80` @throws CommandFailure for a text that is no such list */
export function minimaOf(text: string | undefined): Minima {
  const pairs = (text?.split(',') ?? []).map((each): readonly [PartKind, number] => {
    const [, given, percentage] = /^([a-z-]+)=(\d{1,3}(?:\.\d+)?)$/.exec(each) ?? [];
    const name = PART_KINDS.find((kind) => kind === given);
    if (name !== undefined && Number(percentage) <= 100) return [name, Number(percentage)];
    throw usageFailure(
      `--min has ${JSON.stringify(each)}, but needs a kind and a percentage up to 100, such as statuses=80; the kinds are ${PART_KINDS.join(', ')}`,
    );
  });
  return Object.fromEntries(pairs);
}

/** What the report does not say, one sentence each. */
export function doubtsOf({ contract, unknown }: Coverage, usage: UsageTotal): readonly string[] {
  const [first] = unknown;
  if (first === undefined) return usage.doubts();
  const others = `${contract} does not have ${String(unknown.length)} of the counted parts, such as ${first}.`;
  return [...usage.doubts(), others];
}

/** A sentence for each kind of which less was used than it must. */
export function shortfalls({ kinds }: Coverage, minima: Minima): readonly string[] {
  return PART_KINDS.flatMap((name) => {
    const { used, total } = kinds[name];
    const { [name]: least = 0 } = minima;
    if (used * 100 >= least * total) return [];
    return [`${String(percent(used, total))} % of the ${name} are used, less than ${String(least)} %`];
  });
}

/** Rounded down, so that 100 means all. */
function percent(used: number, total: number): number {
  return Math.floor((used * 100) / total);
}

export function coverageText({ contract, days, rate, kinds, unused }: Coverage): string {
  const rows = Object.entries(kinds).map(([name, { used, total }]) => {
    const share = total === 0 ? '' : `${String(percent(used, total)).padStart(6)} %`;
    return `${name.padEnd(12)} ${`${String(used)} of ${String(total)}`.padStart(14)}${share}`;
  });
  return [
    `Used of ${contract} ${timeText(days.length, rate)}:`,
    rows.join('\n'),
    ...(unused.length === 0 ? [] : [['Not used:', ...unused.map(({ name }) => `  ${name}`)].join('\n')]),
  ].join('\n\n');
}

/** The unused parts, each at the line of its operation, and what is less than it must be. */
export function coverageFindings(
  { contract: file, unused }: Coverage,
  missing: readonly string[],
  { model, place }: Pick<RunningContract, 'model' | 'place'>,
): readonly Finding[] {
  const places = new Map(
    model.operations.map(({ method, path, pointer }) => [`${method} ${path}`, place(pointer)]),
  );
  return [
    ...missing.map((message): Finding => ({
      rule: 'used-too-little',
      level: 'error',
      message,
      about: file,
      place: { file },
    })),
    ...unused.map(({ name, operation: about }): Finding => {
      const message = `${name.slice(about.length + 1) || 'the operation'} is not used`;
      return { rule: 'not-used', level: 'note', message, about, place: places.get(about) };
    }),
  ];
}
