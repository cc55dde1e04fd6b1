/** Writes expressions that read and set a property of an object. */
import { type Code, accessor, code, stringLiteral } from '../text/code.js';
import type { Scope } from './scope.js';

/** The expression that reads an own property, or gives `undefined`. */
export function member(scope: Scope, object: Code, name: string): Code {
  // Every object inherits these names, and `__proto__` is an accessor.
  if (name in Object.prototype) return code`${scope.helper('own')}(${object}, ${stringLiteral(name)})`;
  return code`${object}${accessor(name)}`;
}

export function setMember(object: Code, name: string, value: Code): Code {
  if (name === '__proto__') {
    const property = code`{ value: ${value}, writable: true, enumerable: true, configurable: true }`;
    return code`Object.defineProperty(${object}, "__proto__", ${property});`;
  }
  return code`${object}${accessor(name)} = ${value};`;
}
