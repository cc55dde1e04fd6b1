/** Small pieces of the generated `values.js`. */

import type { Conversion } from './conversion.js';

export type Way = 'decode' | 'encode';

/** The call that converts an expression. */
export function call(way: Way, conversion: Conversion, value: string, exact: string): string {
  const isExact = way === 'decode' && conversion.isExact;
  return `${functionName(way, conversion)}(${value}${isExact ? `, ${exact}` : ''})`;
}

/** The name of the function that converts. */
export function functionName(way: Way, { kind, name }: Conversion): string {
  return `${kind === 'function' ? way : way === 'decode' ? 'to' : 'from'}${name}`;
}

/** The expression of a property; names that every object inherits are looked up as own properties. */
export function own(object: string, name: string): string {
  if (!(name in Object.prototype)) return `${object}${accessor(name)}`;
  const text = JSON.stringify(name);
  return `(Object.hasOwn(${object}, ${text}) ? ${object}[${text}] : undefined)`;
}

/** The expression of a property of what may be absent. */
export function optional(object: string, name: string): string {
  const text = accessor(name);
  return `${object}?.${text.startsWith('.') ? text.slice(1) : text}`;
}

/** The statement that gives an object a property. */
export function setOwn(object: string, name: string, value: string): string {
  // The copy has an own property of this name already, so that even `__proto__` is set and not inherited.
  return `${object}${accessor(name)} = ${value};`;
}

function accessor(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
