/** Puts Media Type Objects in the place of references to them, which OpenAPI 3.2 allows in every `content`. */

import { isReference } from './openapi.js';
import { resolvePointer } from '../text/pointer.js';

const REFERENCE = /^#\/components\/mediaTypes\//;

/**
 * Replaces the references, in place.
 *
 * @param moved - called with each object and the place that it is now used from as well
 */
export function withMediaTypes(document: object, moved: (target: object, from: string) => void): void {
  const replace = (value: unknown, key: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      const found = key === 'content' ? targetOf(document, member, moved) : undefined;
      if (found !== undefined) Object.assign(value, { [name]: found });
      replace(found ?? member, name);
    }
  };
  replace(document, '');
}

function targetOf(
  document: object,
  value: unknown,
  moved: (target: object, from: string) => void,
): object | undefined {
  const seen = new Set<string>();
  let target = value;
  while (isReference(target) && REFERENCE.test(target.$ref) && !seen.has(target.$ref)) {
    const place = target.$ref;
    seen.add(place);
    target = resolvePointer(document, place);
    if (typeof target === 'object' && target !== null && !isReference(target)) moved(target, place);
  }
  return seen.size > 0 && typeof target === 'object' && target !== null ? target : undefined;
}
