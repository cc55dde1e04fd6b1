/** Writes how a property of an object is read and set. */
import type { FunctionScope } from './function-scope.js';

/** The expression that reads a property; it is `undefined` where the object has none of its own. */
export function member(scope: FunctionScope, object: string, name: string): string {
  // Every object inherits these, and `__proto__` is an accessor.
  if (name in Object.prototype) return `${scope.helper('own')}(${object}, ${JSON.stringify(name)})`;
  return `${object}${isIdentifier(name) ? `.${name}` : `[${JSON.stringify(name)}]`}`;
}

/** The statement that gives an object a property. */
export function setMember(object: string, name: string, code: string): string {
  if (name === '__proto__') {
    const property = `{ value: ${code}, writable: true, enumerable: true, configurable: true }`;
    return `Object.defineProperty(${object}, "__proto__", ${property});`;
  }
  return `${object}${isIdentifier(name) ? `.${name}` : `[${JSON.stringify(name)}]`} = ${code};`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}
