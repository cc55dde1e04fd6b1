/** Runs checks side by side, prints a line for each, and counts those that failed. */

/** One check: its purpose, in a line, and its work, which throws when it fails. */
export interface Check {
  readonly title: string;
  readonly run: () => Promise<unknown>;
}

/** The outcome of all checks. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** As many as a small machine has cores; npm itself waits for the registry most of the time. */
const AT_ONCE = 2;

/** Runs all checks, even after failures. */
export async function runChecks(checks: readonly Check[]): Promise<Tally> {
  const waiting = [...checks];
  let passed = 0;
  let failed = 0;
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const start = performance.now();
      const problem = await check.run().then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${check.title} (${seconds} s)`);
      if (problem === undefined) passed += 1;
      else {
        failed += 1;
        console.log(problem.trimEnd().replaceAll(/^/gm, '       '));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { passed, failed };
}
