/** Makes numbers within bounds, and multiples of a step. */

import fc from 'fast-check';
import { type NumberFormat, NUMBER_FORMATS } from '../contract/formats.js';
import { isMultiple } from '../failures/json-value.js';
import { type Parts, boundOf } from './conjunction.js';

/** The largest integer up to which a number holds all integers exactly. */
const MOST = Number.MAX_SAFE_INTEGER;

/** The maximum count of steps: such a multiple remains exact when it is divided by a power of ten. */
const MOST_STEPS = 2 ** 40;

export function numbers(parts: Parts, isInteger: boolean): fc.Arbitrary<number> {
  const formats = parts.flatMap(({ format }) => numbersOfFormat(format) ?? []);
  const bounds = [...parts, ...formats.map(({ least, most }) => ({ minimum: least, maximum: most }))];
  const low = bound(bounds, 'Min', Math.max) ?? {};
  const high = bound(bounds, 'Max', Math.min) ?? {};
  const own = parts.flatMap(({ multipleOf }) => (typeof multipleOf === 'number' ? [multipleOf] : []));
  const steps = [...own, ...formats.flatMap(({ step }) => (step === 1 ? [] : [step]))];
  const isWhole = isInteger || formats.some(({ step }) => step === 1);
  if (steps.length > 0) return multiples(steps, isWhole, low, high);
  if (isWhole) {
    const [least, most] = [-MOST, MOST];
    const min = Math.max(least, low.isExcluded ? Math.floor(low.at) + 1 : Math.ceil(low.at ?? least));
    const max = Math.min(most, high.isExcluded ? Math.ceil(high.at) - 1 : Math.floor(high.at ?? most));
    return integers(min, max);
  }
  return fc
    .double({
      noNaN: true,
      noDefaultInfinity: true,
      ...(low.at !== undefined && { min: low.at, minExcluded: low.isExcluded }),
      ...(high.at !== undefined && { max: high.at, maxExcluded: high.isExcluded }),
    })
    .map(withoutMinusZero);
}

/** The numbers of a format; undefined if it does not restrict numbers. */
function numbersOfFormat(name: unknown): NumberFormat | undefined {
  const isNumeric = typeof name === 'string' && Object.hasOwn(NUMBER_FORMATS, name);
  return isNumeric ? NUMBER_FORMATS[name as keyof typeof NUMBER_FORMATS] : undefined;
}

type Bound =
  | { readonly at: number; readonly isExcluded: boolean }
  | { readonly at?: never; readonly isExcluded?: never };

function bound(parts: Parts, side: 'Min' | 'Max', choose: typeof Math.max): Bound | undefined {
  const included = boundOf(parts, `${side.toLowerCase()}imum`, choose);
  const excluded = boundOf(parts, `exclusive${side}imum`, choose);
  if (excluded !== undefined && choose(excluded, included ?? excluded) === excluded)
    return { at: excluded, isExcluded: true };
  return included === undefined ? undefined : { at: included, isExcluded: false };
}

function integers(min: number, max: number): fc.Arbitrary<number> {
  if (min > max) return fc.constant(max);
  return fc.integer({ min, max });
}

/** Replaces -0, which not all JSON parsers read alike. */
function withoutMinusZero(value: number): number {
  return value === 0 ? 0 : value;
}

function multiples(
  steps: readonly number[],
  isInteger: boolean,
  low: Bound,
  high: Bound,
): fc.Arbitrary<number> {
  const step = Math.max(...steps);
  const places = /e-(\d+)$/.exec(step.toExponential())?.[1];
  const fraction = /\.(\d+)/.exec(step.toExponential())?.[1] ?? '';
  const scale = 10 ** Math.max(0, Number(places ?? 0) + fraction.length);
  const whole = Math.round(step * scale);
  const first =
    low.at === undefined ? -MOST_STEPS : Math.max(-MOST_STEPS, Math.ceil((low.at * scale) / whole));
  const last =
    high.at === undefined ? MOST_STEPS : Math.min(MOST_STEPS, Math.floor((high.at * scale) / whole));
  return integers(first, last)
    .map((count) => withoutMinusZero((count * whole) / scale))
    .filter((value) => {
      const isWithin = !(low.isExcluded && value <= low.at) && !(high.isExcluded && value >= high.at);
      return (
        isWithin && (!isInteger || Number.isInteger(value)) && steps.every((each) => isMultiple(value, each))
      );
    });
}
