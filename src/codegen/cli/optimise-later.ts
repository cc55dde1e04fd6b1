/** Keeps V8 from optimising functions that a program soon stops calling. */

import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 wait eight times as long before it optimises a function. A command runs for seconds, and would spend a quarter of its CPU time
 * on optimising. V8 has this flag in Node 20 only, and complains on the standard error about flags that it does not know.
 */
export function optimiseLater(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');
}
