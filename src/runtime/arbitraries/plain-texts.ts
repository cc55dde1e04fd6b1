/** Makes texts of any characters. */

import fc from 'fast-check';

/** The greatest maximum length for which texts of exactly that length are made. */
const LONGEST = 1_000;

const CODE_POINTS = 0x110000;
const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character of Unicode; it shrinks to `a`. fast-check's own unit takes seconds to start. */
export const characters = fc.nat({ max: CODE_POINTS - SURROGATES.count - 1 }).map((index) => {
  const code = (index + 0x61) % (CODE_POINTS - SURROGATES.count);
  return String.fromCodePoint(code < SURROGATES.from ? code : code + SURROGATES.count);
});

/** Texts of printable ASCII characters, or of any characters. */
export function plain(minLength: number, maxLength: number | undefined): fc.Arbitrary<string> {
  const limits = { minLength, ...(maxLength !== undefined && { maxLength }) };
  const anyLength = [
    { weight: 3, arbitrary: fc.string(limits) },
    { weight: 2, arbitrary: fc.string({ ...limits, unit: characters }) },
  ];
  if (maxLength === undefined || maxLength > LONGEST)
    return fc.oneof({ withCrossShrink: true }, ...anyLength);
  const full = fc.string({ minLength: maxLength, maxLength, unit: characters });
  return fc.oneof({ withCrossShrink: true }, ...anyLength, { weight: 1, arbitrary: full });
}
