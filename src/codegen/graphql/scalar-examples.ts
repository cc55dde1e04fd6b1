/** Values of scalars: those of the specification, and those that many schemas declare, by their names. */

/** A text has the name of what holds it. */
export const OF_SPECIFIED: Readonly<Record<string, string | number | boolean>> = {
  Int: 1,
  Float: 1.5,
  Boolean: true,
  ID: '1',
};

/**
 * @param name - of a scalar, or of a field or argument that holds a text
 * @returns a value that most servers take for it; undefined for a name that says nothing
 */
export function scalarExample(name: string): string | number | boolean | object | undefined {
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}

const BY_NAME: readonly (readonly [pattern: RegExp, value: string | number | boolean | object])[] = [
  [/date_?time|timestamp|instant/i, '2026-01-01T00:00:00Z'],
  [/date/i, '2026-01-01'],
  [/time/i, '00:00:00Z'],
  [/ur[il]/i, 'https://example.com/'],
  [/uuid|guid/i, '00000000-0000-4000-8000-000000000000'],
  [/e_?mail/i, 'ada@example.com'],
  [/json|object|map/i, {}],
  [/int|long|byte|short/i, 1],
  [/float|double|decimal|number/i, 1.5],
  [/bool/i, true],
];
