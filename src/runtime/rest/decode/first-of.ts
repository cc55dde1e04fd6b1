/** Several shapes for one text: the first that takes it wins. */
import type { Coercion } from '../../contract.js';
import { Mismatch } from './mismatch.js';

export type AnyOf = Extract<Coercion, { anyOf: readonly Coercion[] }>;

/**
 * Compiles the alternatives, arrays and objects before scalars, since a string would take any text.
 *
 * @param compile compiles one alternative; its function gives undefined when the source holds nothing for it
 */
export function firstOf<Source>(
  { anyOf }: AnyOf,
  compile: (alternative: Coercion) => (source: Source) => unknown,
): (source: Source) => unknown {
  const ordered = [...anyOf.filter(hasParts), ...anyOf.filter((alternative) => !hasParts(alternative))];
  const attempts = ordered.map(compile);
  const reason = `must be ${[...new Set(anyOf.flatMap(typeNames))].join(',')}`;
  return (source) => {
    let last: Mismatch | undefined;
    for (const attempt of attempts) {
      const value = attempt(source);
      if (value instanceof Mismatch) last = value;
      else if (value !== undefined) return value;
    }
    return last && new Mismatch(reason, last.text);
  };
}

/** Whether some alternative is an array or an object. */
export function hasParts(coercion: Coercion): boolean {
  if ('anyOf' in coercion) return coercion.anyOf.some(hasParts);
  return coercion.type === 'array' || coercion.type === 'object';
}

function typeNames(coercion: Coercion): readonly string[] {
  if ('anyOf' in coercion) return coercion.anyOf.flatMap(typeNames);
  return typeof coercion.type === 'string' ? [coercion.type] : coercion.type;
}
