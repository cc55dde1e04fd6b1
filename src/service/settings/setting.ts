/** The type of a setting: a row of the table that the service reads; tests compare the README with it. */

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
 * @throws SettingFault when it cannot be used
 */
export type Reader<Value> = (given: string | undefined, environment: Environment) => Value;

/** The other variables, for settings whose default or validity depends on them. */
export interface Environment {
  readonly isProduction: boolean;
  /** @returns undefined also for an empty variable */
  valueOf(name: string): string | undefined;
}

/** What is wrong with a setting, as the sentence that follows its name: `must be on or off, not maybe`. */
export class SettingFault extends Error {}
