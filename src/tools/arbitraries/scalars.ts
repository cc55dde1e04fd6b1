/** Makes arbitraries of numbers and texts, of lists by their lengths, and of values that are checked afterwards. */

import { expression, formatTest } from '@concordat/runtime/parts';
import fc from 'fast-check';
import { formatValues } from '../values/format-values.js';
import { rangeOf } from '../values/numbers.js';
import { type PlainPart, countsOf } from '../values/parts.js';
import { fitsText, textOfLength, textsIn, variedText } from '../values/texts.js';

/** The number of refused values in a row before an attempt gives up. */
const PATIENCE = 5_000;

/** The values that fit. Other than those of `filter`, they come to an end if none does. @param what - names the rule, for the error then */
export function fitting<T>(
  values: fc.Arbitrary<T>,
  fits: (value: T) => boolean,
  what: () => string,
): fc.Arbitrary<T> {
  return new Fitting(values, fits, what);
}

class Fitting<T> extends fc.Arbitrary<T> {
  constructor(
    private readonly values: fc.Arbitrary<T>,
    private readonly fits: (value: T) => boolean,
    private readonly what: () => string,
  ) {
    super();
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    for (let left = PATIENCE; left > 0; left -= 1) {
      const found = this.values.generate(random, bias);
      if (this.fits(found.value)) return found;
    }
    throw new Error(`none of ${PATIENCE} values fits ${this.what()}: write an arbitrary of your own`);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.values.canShrinkWithoutContext(value) && this.fits(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.values.shrink(value, context).filter((smaller) => this.fits(smaller.value));
  }
}

/** The bounds of a length. */
export interface Lengths {
  readonly minLength: number;
  readonly maxLength: number;
}

/** fast-check has no greater length. */
const MOST = 2 ** 31 - 1;

/** Values of a length: mostly short, and sometimes as long as possible. @param longest - the greatest maximum that is reached */
export function sized<T>(
  least: number,
  most: number,
  longest: number,
  make: (lengths: Lengths) => fc.Arbitrary<T>,
): fc.Arbitrary<T> {
  const mostly = make({ minLength: least, maxLength: Math.max(least, Math.min(most, MOST)) });
  if (least >= most || most > longest) return mostly;
  const exactly = new Greatest(least, most).chain((length) => make({ minLength: length, maxLength: length }));
  return fc.oneof({ weight: 5, arbitrary: mostly }, { weight: 1, arbitrary: exactly });
}

/** The greatest of several whole numbers. It shrinks to all of them. */
class Greatest extends fc.Arbitrary<number> {
  readonly #numbers: fc.Arbitrary<number>;

  constructor(
    min: number,
    private readonly max: number,
  ) {
    super();
    this.#numbers = fc.integer({ min, max });
  }

  override generate(): fc.Value<number> {
    return new fc.Value(this.max, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is number {
    return this.#numbers.canShrinkWithoutContext(value);
  }

  override shrink(value: number, context: unknown): fc.Stream<fc.Value<number>> {
    return this.#numbers.shrink(value, context);
  }
}

/** The largest integer up to which a number holds all integers exactly. */
const MOST_EXACT = Number.MAX_SAFE_INTEGER;

/** The maximum count of steps: such a multiple remains exact when it is divided by a power of ten. */
const MOST_STEPS = 2 ** 40;

/** The simplest is the number nearest to 0, a whole one if there is one. */
export function numbersOf(parts: readonly PlainPart[], isInteger: boolean): fc.Arbitrary<number> {
  const { least, most, steps, isWhole, fits } = rangeOf(parts, isInteger);
  const ofSteps = (): string => `the multiples of ${steps.join(' and ')}`;
  if (steps.length > 0) return fitting(multiplesOf(Math.max(...steps), least, most), fits, ofSteps);
  const wholes = wholesBetween(least, most);
  if (isWhole && wholes === undefined) return fc.constant(Math.floor(most));
  const thousandths = isWhole ? undefined : wholesBetween(least * 1000, most * 1000);
  const [low, high] = [Math.max(-Number.MAX_VALUE, least), Math.min(Number.MAX_VALUE, most)];
  const any = fc.double({ min: low, max: Math.max(low, high), noNaN: true, noDefaultInfinity: true });
  const numbers = fc.oneof(
    { withCrossShrink: true },
    ...(wholes === undefined ? [] : [wholes]),
    ...(thousandths === undefined ? [] : [thousandths.map((each) => each / 1000)]),
    ...(isWhole ? [] : [any]),
  );
  return fitting(numbers.map(positive), fits, () => `the bounds ${least} and ${most}`);
}

/** The whole numbers in a range; undefined if there is none. */
function wholesBetween(least: number, most: number): fc.Arbitrary<number> | undefined {
  const [min, max] = [Math.max(-MOST_EXACT, Math.ceil(least)), Math.min(MOST_EXACT, Math.floor(most))];
  return min > max ? undefined : fc.integer({ min, max });
}

function multiplesOf(step: number, least: number, most: number): fc.Arbitrary<number> {
  const [, fraction = '', exponent = '0'] = /^\d(?:\.(\d+))?e(.+)$/.exec(step.toExponential()) ?? [];
  const places = fraction.length - Number(exponent);
  const scale = 10 ** Math.max(0, places);
  const whole = Math.round(step * scale);
  const min = Math.max(-MOST_STEPS, Math.ceil((least * scale) / whole));
  const max = Math.max(min, Math.min(MOST_STEPS, Math.floor((most * scale) / whole)));
  return fc.integer({ min, max }).map((each) => positive((each * whole) / scale));
}

/** Replaces -0, which not all JSON parsers read alike. */
const positive = (value: number): number => (value === 0 ? 0 : value);

/** Any character of Unicode but surrogates. The unit `binary` of fast-check would be the same, and write a list of all of them. */
const unicode = fc
  .nat({ max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));

/** Most often a printable character of ASCII. */
const anyCharacter = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: unicode },
);

/** The formats whose texts no pattern describes. */
const OF_FORMATS: ReadonlyMap<string, fc.Arbitrary<string>> = new Map([
  ['char', anyCharacter],
  ['http-date', fc.nat().map((seconds) => new Date(seconds * 1000).toUTCString())],
]);

/** The greatest maximum length for which texts of exactly that length are made. */
const LONGEST = 1_000;

export function textsOf(parts: readonly PlainPart[]): fc.Arbitrary<string> {
  const { least, most } = countsOf(parts, 'Length');
  const [patterns, formats] = [textsIn(parts, 'pattern'), textsIn(parts, 'format')];
  const [format] = formats.flatMap((each) => {
    const pattern = formatValues(each)?.random;
    return OF_FORMATS.get(each) ?? (pattern === undefined ? [] : textsOfPattern(`^(?:${pattern})$`, least));
  });
  const [pattern] = patterns.map((each) => textsOfPattern(each, least));
  const plain = sized(least, most, LONGEST, (lengths) => fc.string({ unit: anyCharacter, ...lengths }));
  // Of a format and a pattern, either may be so narrow that hardly any text of the other has it.
  const made = [format, pattern].filter((each) => each !== undefined);
  const hasTest = parts.some(({ schema }) => formatTest(schema, 'string') !== undefined);
  const isTested = patterns.length > 0 || hasTest;
  if (made.length === 0 && !isTested) return plain;
  // No UTF-8 has a lone surrogate.
  return fitting(
    fc.oneof(...(made.length === 0 ? [plain] : made)).map((text) => textOfLength(least, Infinity, text)),
    (text) => fitsText(parts, text) && !/\p{Surrogate}/u.test(text),
    () => [...patterns.map((each) => `the pattern ${each}`), ...formats].join(' and '),
  );
}

const known = new Map<string, fc.Arbitrary<string>>();

/** The texts of a pattern, which is read once. @param least - the minimum length, up to which repetitions go */
function textsOfPattern(pattern: string, least: number): fc.Arbitrary<string> {
  const size = least > 100 ? 'large' : least > 10 ? 'medium' : 'small';
  const key = `${size} ${pattern}`;
  const texts = known.get(key) ?? matching(pattern, size);
  known.set(key, texts);
  return texts;
}

function matching(pattern: string, size: fc.Size): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(expression(pattern), { size });
  } catch {
    // Of look-around and references fast-check makes no texts, and these do not shrink.
    return fc.nat().map((seed) => variedText(pattern, seed) ?? '');
  }
}
