/** The settings of the service, read from the environment and checked before anything starts. */

export interface Settings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/**
 * Reads the settings. An empty setting counts as unset.
 *
 * @throws an error with a line for each setting that is wrong
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const valueOf = (name: string, fallback: string): string => environment[name] || fallback;
  const port = valueOf('PORT', '3000');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`PORT must be a number from 0 to 65535, not ${port}`);
  }
  return { host: valueOf('HOST', '127.0.0.1'), port: Number(port) };
}
