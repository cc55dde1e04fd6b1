/** Writes expressions that read and set a property of an object. */
import { accessor } from '../text/names.js';
import type { Scope } from './scope.js';

/** The expression that reads an own property, or gives `undefined`. */
export function member(scope: Scope, object: string, name: string): string {
  // Every object inherits these names, and `__proto__` is an accessor.
  if (name in Object.prototype) return `${scope.helper('own')}(${object}, ${JSON.stringify(name)})`;
  return `${object}${accessor(name)}`;
}

export function setMember(object: string, name: string, code: string): string {
  if (name === '__proto__') {
    const property = `{ value: ${code}, writable: true, enumerable: true, configurable: true }`;
    return `Object.defineProperty(${object}, "__proto__", ${property});`;
  }
  return `${object}${accessor(name)} = ${code};`;
}
