/** The rows of the table: what ours reached beside a peer, and whether that is enough. */

/** How the figures of a row are read. */
export interface Unit {
  readonly name: string;
  /** Whether less is better; the ratio is always ours to the peer's. */
  readonly isCost?: boolean;
}

export const perSecond: Unit = { name: '/s' };
export const milliseconds: Unit = { name: 'ms', isCost: true };
export const kibibytes: Unit = { name: 'KiB', isCost: true };

/**
 * The ratio that passes, and the one to aim for: the least of a rate, the most of a cost. A rate is judged by the CPU time per request where
 * that is known, which varies less: twice the rate is half of the time.
 */
export interface Target {
  readonly required: number;
  readonly aim?: number;
  /** Whether the ratios are given as those of the CPU times, the most of a cost. */
  readonly ofCpu?: true;
}

/** What is compared. Its name selects it: `read: core on node beside Fastify`. */
export interface Plan {
  readonly work: string;
  readonly ours: string;
  /** Undefined where only ours is measured. */
  readonly peer: string | undefined;
  /** Undefined when the ratio is only reported. */
  readonly target?: Target;
}

export interface Figure {
  /** The median of the rounds, in the unit of the row. */
  readonly median: number;
  /** Microseconds of the server's CPU time per request, where that is known. */
  readonly cpu?: number;
}

export interface Row extends Plan {
  readonly unit: string;
  readonly oursFigure: Figure;
  readonly peerFigure: Figure | undefined;
  readonly ratio: number | undefined;
  readonly verdict: 'aim reached' | 'reached' | 'missed' | undefined;
}

export function nameOf({ work, ours, peer }: Plan): string {
  return `${work}: ${ours}${peer === undefined ? '' : ` beside ${peer}`}`;
}

export function rowOf(plan: Plan, unit: Unit, oursFigure: Figure, peerFigure?: Figure): Row {
  const ratio = peerFigure && oursFigure.median / peerFigure.median;
  const cpuRatio = unit.isCost === true ? undefined : cpuRatioOf(oursFigure, peerFigure);
  const target = cpuRatio === undefined ? plan.target : targetOfCpu(plan.target);
  const isCost = unit.isCost === true || target?.ofCpu === true;
  const verdict = verdictOf(target, isCost, target?.ofCpu === true ? cpuRatio : ratio);
  return { ...plan, ...(target && { target }), unit: unit.name, oursFigure, peerFigure, ratio, verdict };
}

function targetOfCpu(target: Target | undefined): Target | undefined {
  if (target === undefined || target.ofCpu === true) return target;
  const { required, aim } = target;
  return { required: 1 / required, ...(aim !== undefined && { aim: 1 / aim }), ofCpu: true };
}

function cpuRatioOf(ours: Figure, peer: Figure | undefined): number | undefined {
  return ours.cpu === undefined || peer?.cpu === undefined ? undefined : ours.cpu / peer.cpu;
}

function verdictOf(target: Target | undefined, isCost: boolean, ratio: number | undefined): Row['verdict'] {
  if (target === undefined || ratio === undefined) return undefined;
  const reaches = (limit: number): boolean => (isCost ? ratio <= limit : ratio >= limit);
  if (target.aim !== undefined && reaches(target.aim)) return 'aim reached';
  return reaches(target.required) ? 'reached' : 'missed';
}

/** The whole table, as text. */
export function tableOf(rows: readonly Row[]): string {
  const head = [
    'work',
    'ours',
    'peer',
    'ours',
    'peer',
    'ratio',
    'CPU µs',
    'peer',
    'ratio',
    'target',
    'aim',
    'verdict',
  ];
  return aligned([head, ...rows.map(cellsOf)]);
}

function cellsOf(row: Row): readonly string[] {
  const { work, ours, peer, unit, oursFigure, peerFigure, ratio, target, verdict } = row;
  const amount = (figure: Figure | undefined): string =>
    figure === undefined ? '' : `${Math.round(figure.median).toLocaleString('en')} ${unit}`;
  const number = (value: number | undefined): string =>
    value === undefined || !Number.isFinite(value) ? '' : value.toFixed(value < 100 ? 2 : 0);
  const [own, other] = [oursFigure.cpu, peerFigure?.cpu];
  const figures = [amount(oursFigure), amount(peerFigure), number(ratio)];
  const ratios = [number(own), number(other), number(cpuRatioOf(oursFigure, peerFigure))];
  const sign = target?.ofCpu === true ? 'CPU ' : '';
  const limits = [target?.required, target?.aim].map((limit) => limit && `${sign}${number(limit)}`);
  return [
    work,
    ours,
    peer ?? '',
    ...figures,
    ...ratios,
    ...limits.map((limit) => limit || ''),
    verdict ?? '',
  ];
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  const isText = (column: number): boolean => column < 3 || column === 11;
  const padded = (cell: string, column: number): string =>
    isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
}
