/** Finds the parameters of a path segment that mixes them with text. */

/**
 * The parameters of a segment that mixes them with text, still percent-encoded; undefined for another segment. The text may be
 * percent-encoded in the path, as a literal may.
 */
export function valuesWithin(pattern: RegExp, segment: string): readonly string[] | undefined {
  const found = pattern.exec(segment);
  if (found !== null) return found.slice(1);
  const units = segment.includes('%') ? unitsOf(segment) : undefined;
  if (units === undefined) return undefined;
  const text = units.map(([unit]) => unit).join('');
  const places = new RegExp(pattern.source, `${pattern.flags}d`).exec(text)?.indices?.slice(1);
  return places?.map(([from, to] = [0, 0]) =>
    units
      .slice(from, to)
      .map(([, encoded]) => encoded)
      .join(''),
  );
}

/** The code units of a segment without its encoding, each with the text that encodes it; undefined for a segment that does not decode. */
function unitsOf(segment: string): readonly (readonly [unit: string, encoded: string])[] | undefined {
  try {
    return (segment.match(/%[0-7].|%[c-d].%..|%e.%..%..|%f.%..%..%..|[^]/gis) ?? []).flatMap((encoded) => {
      const [first = '', ...others] = decodeURIComponent(encoded).split('');
      // An encoded slash belongs to a value, and ends no segment.
      return [[first === '/' ? '\0' : first, encoded], ...others.map((unit) => [unit, ''] as const)] as const;
    });
  } catch {
    return undefined;
  }
}
