/** Reads `x-lenient: { fallback }`, which makes a numeric parameter accept any text. */

import type { Coercion } from 'concordat';
import type { ParameterModel } from './model.js';
import type { ParameterObject, Schema, SchemaObject } from '../load/openapi.js';
import type { Located, Reader } from './reader.js';
import { joinPointer } from '../text/pointer.js';
import { words } from '../text/names.js';

/** The keywords allowed beside `x-lenient`: it honours them, or they restrict nothing. Others could still refuse a value. */
const HONOURED = new Set(
  words('$ref type minimum maximum default title description example examples deprecated'),
);

/**
 * Reads the replacement of values that the schema refuses; undefined for a parameter that is not lenient. A lenient
 * parameter that could still fail is a fault.
 *
 * @param resolved - the parameter's schema after following its reference
 */
export function readLeniency(
  reader: Reader,
  parameter: Located<ParameterObject>,
  resolved: SchemaObject,
  coercion: Coercion,
): Pick<ParameterModel, 'lenient'> {
  const lenient = parameter.value['x-lenient'];
  if (lenient === undefined) return {};
  const fault = (message: string): Pick<ParameterModel, 'lenient'> => {
    reader.fault('invalid-leniency', joinPointer(parameter.at, 'x-lenient'), message);
    return {};
  };
  if (typeof lenient !== 'object' || lenient === null || !('fallback' in lenient)) {
    return fault('say { fallback: <number> }');
  }
  if (!('type' in coercion) || (coercion.type !== 'integer' && coercion.type !== 'number')) {
    return fault('only an integer or a number can be lenient');
  }
  if (parameter.value.required === true) return fault('a lenient parameter cannot be required');
  const others = unhonoured(parameter.value.schema, resolved);
  if (others.length > 0) return fault(`cannot honour ${others.join(', ')}`);
  const { minimum = -Infinity, maximum = Infinity } = resolved;
  const { fallback } = lenient;
  const fits = typeof fallback === 'number' && fallback >= minimum && fallback <= maximum;
  if (!fits || (coercion.type === 'integer' && !Number.isInteger(fallback))) {
    return fault('the fallback must fit the schema');
  }
  if (coercion.type === 'integer' && maximum !== Infinity && !Number.isInteger(maximum)) {
    return fault('the maximum must be an integer, because larger values become it');
  }
  return {
    lenient: {
      fallback,
      ...(resolved.minimum !== undefined && { minimum }),
      ...(resolved.maximum !== undefined && { maximum }),
    },
  };
}

/** The keywords of a parameter's schema that could refuse a value that leniency accepts. */
function unhonoured(own: Schema | undefined, resolved: SchemaObject): readonly string[] {
  // A range beside a reference would have to be merged with the range of its target.
  const beside = typeof own === 'object' && own.$ref !== undefined ? Object.keys(own) : [];
  const ranges = beside.filter((keyword) => keyword === 'minimum' || keyword === 'maximum');
  const keywords = [...beside, ...Object.keys(resolved)];
  return [
    ...new Set([...ranges, ...keywords.filter((each) => !HONOURED.has(each) && !each.startsWith('x-'))]),
  ];
}
