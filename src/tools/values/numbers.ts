/** Makes numbers within bounds, of formats and steps. */

import { NUMBER_FORMATS, type NumberFormat, isMultiple } from '@concordat/runtime/parts';
import type { Draw, Source } from './choices.js';
import type { PlainPart } from './parts.js';

/** The numbers that all parts allow. */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly steps: readonly number[];
  readonly isWhole: boolean;
  readonly fits: (value: number) => boolean;
}

function rangeOf(parts: readonly PlainPart[], isInteger: boolean): Range {
  const formats = parts.flatMap(({ schema }) => formatOf(schema['format']) ?? []);
  const steps = [
    ...parts.flatMap(({ schema: { multipleOf } }) => (typeof multipleOf === 'number' ? [multipleOf] : [])),
    ...formats.flatMap(({ step }) => (step === 1 ? [] : [step])),
  ];
  const isWhole = isInteger || formats.some(({ step }) => step === 1);
  const bounds = (keyword: string): readonly number[] =>
    parts.flatMap(({ schema }) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []));
  const above = Math.max(-Infinity, ...bounds('exclusiveMinimum'));
  const below = Math.min(Infinity, ...bounds('exclusiveMaximum'));
  const least = Math.max(above, ...bounds('minimum'), ...formats.map((format) => format.least));
  const most = Math.min(below, ...bounds('maximum'), ...formats.map((format) => format.most));
  const fits = (value: number): boolean =>
    value >= least &&
    value <= most &&
    value > above &&
    value < below &&
    (!isWhole || Number.isInteger(value)) &&
    steps.every((step) => isMultiple(value, step));
  return { least, most, steps, isWhole, fits };
}

/** The numbers of a format; undefined if it does not restrict numbers. */
function formatOf(name: unknown): NumberFormat | undefined {
  const isNumeric = typeof name === 'string' && Object.hasOwn(NUMBER_FORMATS, name);
  return isNumeric ? NUMBER_FORMATS[name as keyof typeof NUMBER_FORMATS] : undefined;
}

/** Whether all parts allow a number. */
export function fitsRange(parts: readonly PlainPart[], value: number): boolean {
  return rangeOf(parts, false).fits(value);
}

/**
 * A number that all parts allow, near 1; undefined if none is found.
 *
 * @param nth - counts the numbers that should differ from each other, from 0
 */
export function typicalNumber(parts: readonly PlainPart[], isInteger: boolean, nth = 0): number | undefined {
  const { least, most, steps, fits } = rangeOf(parts, isInteger);
  const step = Math.max(isInteger ? 1 : 0, ...steps);
  const near = Math.min(Math.max(1, least), most);
  const count = near / step;
  const candidates =
    step === 0
      ? [near, near + 0.5, near - 0.5, (least + most) / 2]
      : [Math.round(count), Math.ceil(count), Math.floor(count) + 1, Math.ceil(count) - 1].map(
          (each) => each * step,
        );
  const typical = candidates.find(fits);
  if (typical === undefined || nth === 0) return typical;
  const away = nth * (step || 1);
  return [typical + away, typical - away, least + (typical - least) / (nth + 1)].find(fits) ?? typical;
}

/** The largest integer up to which a number holds all integers exactly. */
const MOST = Number.MAX_SAFE_INTEGER;

/** The maximum count of steps: such a multiple remains exact when it is divided by a power of ten. */
const MOST_STEPS = 2 ** 40;

/** The simplest is the number nearest to 0, a whole one if there is one. */
export function randomNumber(parts: readonly PlainPart[], isInteger: boolean): Draw<number> {
  const { least, most, steps, isWhole, fits } = rangeOf(parts, isInteger);
  if (steps.length > 0) {
    const multiples = multiplesOf(Math.max(...steps), least, most);
    return (source) => source.fitting(multiples, fits, () => `the multiples of ${steps.join(' and ')}`);
  }
  const wholes = wholesBetween(least, most, fits);
  if (isWhole) return wholes ?? (() => Math.floor(most));
  const thousandths = wholesBetween(least * 1000, most * 1000, (value) => fits(value / 1000));
  const any = doublesBetween(least, most);
  const kinds = [
    ...(wholes ? [wholes] : []),
    ...(thousandths ? [(source: Source) => thousandths(source) / 1000] : []),
  ];
  const [first, ...others] = [...kinds, any];
  return (source) =>
    source.fitting(source.oneOf([first, ...others]), fits, () => `the bounds ${least} and ${most}`);
}

/** The whole numbers in a range; undefined if there is none. @param fits - excludes an end */
function wholesBetween(
  least: number,
  most: number,
  fits: (value: number) => boolean,
): Draw<number> | undefined {
  const bottom = Math.max(-MOST, Math.ceil(least));
  const top = Math.min(MOST, Math.floor(most));
  const low = fits(bottom) ? bottom : bottom + 1;
  const high = fits(top) ? top : top - 1;
  return low > high ? undefined : (source) => wholeNumber(source, low, high);
}

/** The simplest is the number nearest to 0. */
function wholeNumber(source: Source, low: number, high: number): number {
  const origin = Math.min(Math.max(0, low), high);
  const isBelow = low < origin && (origin === high || source.upTo(1) === 1);
  return isBelow ? origin - source.upTo(origin - low) : origin + source.upTo(high - origin);
}

function multiplesOf(step: number, least: number, most: number): Draw<number> {
  const [, fraction = '', exponent = '0'] = /^\d(?:\.(\d+))?e(.+)$/.exec(step.toExponential()) ?? [];
  const places = fraction.length - Number(exponent);
  const scale = 10 ** Math.max(0, places);
  const whole = Math.round(step * scale);
  const first = Math.max(-MOST_STEPS, Math.ceil((least * scale) / whole));
  const last = Math.max(first, Math.min(MOST_STEPS, Math.floor((most * scale) / whole)));
  return (source) => positive((wholeNumber(source, first, last) * whole) / scale);
}

/** Numbers of every magnitude, on both sides of the number nearest to 0. */
function doublesBetween(least: number, most: number): Draw<number> {
  const [low, high] = [Math.max(-Number.MAX_VALUE, least), Math.min(Number.MAX_VALUE, most)];
  const origin = Math.min(Math.max(0, low), high);
  return (source) => {
    const end = source.oneOf(low < origin ? (origin < high ? [high, low] : [low]) : [high]);
    // Half of the halvings lead close to 0, where numbers are densest.
    const halvings = source.upTo(Math.max(8, Math.ceil(2 * Math.log2(Math.abs(end - origin)))));
    return positive(origin + (end - origin) * (source.upTo(2 ** 53) / 2 ** 53) * 2 ** -halvings);
  };
}

/** Replaces -0, which not all JSON parsers read alike. */
function positive(value: number): number {
  return value === 0 ? 0 : value;
}
