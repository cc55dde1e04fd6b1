/** What a setting is: a row of the table that the service reads, its messages speak of, and the README is held against. */

/** One setting, read from one variable of the environment. */
export interface Setting<Value> {
  /** The variable's name. */
  readonly name: string;
  /** What holds when it is not given, in words. */
  readonly byDefault: string;
  readonly meaning: string;
  readonly read: Reader<Value>;
}

/**
 * Makes a setting's value of what was given, which is never empty.
 *
 * @throws SettingFault when it cannot be used
 */
export type Reader<Value> = (given: string | undefined, environment: Environment) => Value;

/** The other variables, for settings whose default or sense depends on them. */
export interface Environment {
  readonly isProduction: boolean;
  /** @returns undefined also for what is set to nothing */
  valueOf(name: string): string | undefined;
}

/** What is wrong with a setting, as the sentence that follows its name: `must be on or off, not maybe`. */
export class SettingFault extends Error {}
