/** Finds numbers within bounds, of formats and steps. */

import { NUMBER_FORMATS, type NumberFormat, isMultiple } from '@concordat/runtime/parts';
import type { PlainPart } from './parts.js';

/** The numbers that all parts allow. */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly steps: readonly number[];
  readonly isWhole: boolean;
  readonly fits: (value: number) => boolean;
}

export function rangeOf(parts: readonly PlainPart[], isInteger: boolean): Range {
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
  const isInside = (value: number) => value >= least && value <= most && value > above && value < below;
  const fits = (value: number): boolean =>
    isInside(value) &&
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
  const counts = [Math.round(count), Math.ceil(count), Math.floor(count) + 1, Math.ceil(count) - 1];
  const free = [near, near + 0.5, near - 0.5, (least + most) / 2];
  const typical = (step === 0 ? free : counts.map((each) => each * step)).find(fits);
  if (typical === undefined || nth === 0) return typical;
  const away = nth * (step || 1);
  return [typical + away, typical - away, least + (typical - least) / (nth + 1)].find(fits) ?? typical;
}
