/** Promises that an operation has begun and may abandon: without a handler, the rejection of any would end the process. */

import { isThenable } from '../../http/message.js';

const ignore = (): void => undefined;

/**
 * Handles the rejections of a promise, of the items of a list, or of the properties of an object. Code that awaits them gets
 * them too.
 *
 * @returns the same value
 */
export function disown<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isThenable(value)) value.then(undefined, ignore);
  else if (Array.isArray(value)) {
    for (const each of value as unknown[]) if (isThenable(each)) each.then(undefined, ignore);
  } else {
    for (const name of Object.keys(value)) {
      // A getter would begin more work.
      const each: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
      if (isThenable(each)) each.then(undefined, ignore);
    }
  }
  return value;
}
