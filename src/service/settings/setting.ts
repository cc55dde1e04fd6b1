/** The rows of the table of settings, which tests compare with the README, and the readers that several rows share. */

/** One setting, read from one variable of the environment. */
export interface Setting<Value> {
  /** The variable's name. */
  readonly name: string;
  /** A description of the default. */
  readonly byDefault: string;
  readonly meaning: string;
  readonly read: Reader<Value>;
}

/**
 * Turns the text of a setting, which is never empty, into its value.
 *
 * @throws SettingFault when the text is invalid
 */
export type Reader<Value> = (given: string | undefined, environment: Environment) => Value;

/** The other variables, for settings whose default or validity depends on them. */
export interface Environment {
  readonly isProduction: boolean;
  /** @returns undefined also for an empty variable */
  valueOf(name: string): string | undefined;
}

/** A fault of a setting. The message continues a sentence that begins with its name: `must be on or off, not maybe`. */
export class SettingFault extends Error {}

/**
 * Warnings for variables that are one typing error away from a setting, such as `RATE_LIMTI`, and are ignored.
 *
 * @param names - the names of the settings
 */
export function slipWarnings(
  variables: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): readonly string[] {
  const given = Object.keys(variables).filter((variable) => variables[variable] && !names.includes(variable));
  return given.flatMap((variable) => {
    const meant = names.find((name) => isOneSlip(variable, name));
    return meant === undefined ? [] : [`${variable} is ignored: the setting is ${meant}`];
  });
}

/** Whether two texts differ by one letter (added, omitted or replaced), or by the order of two neighbouring letters. */
function isOneSlip(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one, other].map((text) => text.slice(start, text.length - end));
  if (left === undefined || right === undefined) return false;
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === `${right[1]}${right[0]}`);
}

/** Reads a text unchanged. */
export function text(): Reader<string | undefined> {
  return (given) => given;
}

/** A setting that is a whole number, with both ends included. Without a default, it is off. */
export function integer<Default extends number | undefined>(
  name: string,
  meaning: string,
  { from, to, byDefault }: { readonly from: number; readonly to: number; readonly byDefault: Default },
): Setting<number | Default> {
  return {
    name,
    byDefault: byDefault === undefined ? 'off' : `\`${String(byDefault)}\``,
    meaning,
    read: (given) => {
      if (given === undefined) return byDefault;
      const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (value >= from && value <= to) return value;
      throw new SettingFault(`must be a number from ${String(from)} to ${String(to)}, not ${given}`);
    },
  };
}

/** Reads one of a few words, each with its value. */
export function choice<Value>(
  values: Readonly<Record<string, Value>>,
  fallback: string | ((environment: Environment) => string),
): Reader<Value> {
  return (given, environment) => {
    const word = given ?? (typeof fallback === 'string' ? fallback : fallback(environment));
    const value = Object.hasOwn(values, word) ? values[word] : undefined;
    if (value !== undefined) return value;
    throw new SettingFault(`must be ${Object.keys(values).join(' or ')}, not ${word}`);
  };
}

type OnOff = 'on' | 'off';

/** A setting that is `on` or `off`. @param inProduction - the default when NODE_ENV=production, if it differs */
export function toggle(
  name: string,
  meaning: string,
  byDefault: OnOff,
  inProduction: OnOff = byDefault,
): Setting<boolean> {
  const exception = inProduction === byDefault ? '' : `; \`${inProduction}\` when \`NODE_ENV=production\``;
  return {
    name,
    byDefault: `\`${byDefault}\`${exception}`,
    meaning,
    read: choice({ on: true, off: false }, ({ isProduction }) => (isProduction ? inProduction : byDefault)),
  };
}
