/** Prometheus' own checker of metrics, rules and queries, if it is installed. */

import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** Why promtool is not available; undefined when it is. */
const promtoolAbsence =
  spawnSync('promtool', ['--version']).status === 0 ? undefined : 'promtool is not installed';

/** A test that needs promtool: without it, it is skipped, and its title has the reason. */
export function itWithPromtool(title: string, test: () => Promise<void> | void): void {
  if (promtoolAbsence === undefined) it(title, test);
  else it.skip(`${title} (skipped: ${promtoolAbsence})`, test);
}

/** Runs promtool, which must find no fault. @returns its output */
export function promtool(parameters: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', parameters, { input, encoding: 'utf8' });
  expect(status, stdout + stderr).to.equal(0);
  return stdout + stderr;
}
