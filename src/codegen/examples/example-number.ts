/** Makes numbers that schemas accept. */

import type { SchemaObject } from '../load/openapi.js';

/** The range of numbers that schemas allow, both ends included. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** A number in the range of all schemas, near 1; undefined where the range has none. */
export function exampleNumber(schemas: readonly SchemaObject[], isInteger: boolean): number | undefined {
  const { least, most } = numberRange(schemas, isInteger);
  const steps = schemas.flatMap(({ multipleOf }) => (typeof multipleOf === 'number' ? [multipleOf] : []));
  const step = Math.max(isInteger ? 1 : 0, ...steps);
  const near = Math.min(Math.max(1, least), most);
  const value = step === 0 ? near : multipleNear(near, step, least);
  return value >= least && value <= most ? value : undefined;
}

/** The smallest multiple from the number on, else the largest below it. */
function multipleNear(near: number, step: number, least: number): number {
  const above = Math.ceil(near / step) * step;
  const below = Math.floor(near / step) * step;
  return below >= least && below === near ? below : above;
}

/** The bounds of 2020-12; in 3.0 the exclusive ones are flags of the others. */
export function numberRange(schemas: readonly SchemaObject[], isInteger: boolean): NumberRange {
  const step = isInteger ? 1 : 0.5;
  const least = schemas.flatMap((schema) => bounds(schema, 'minimum', 'exclusiveMinimum', step));
  const most = schemas.flatMap((schema) => bounds(schema, 'maximum', 'exclusiveMaximum', -step));
  return { least: Math.max(-Infinity, ...least), most: Math.min(Infinity, ...most) };
}

function bounds(
  schema: SchemaObject,
  included: 'minimum' | 'maximum',
  excluded: 'exclusiveMinimum' | 'exclusiveMaximum',
  step: number,
): readonly number[] {
  const bound = schema[included];
  const exclusive = schema[excluded];
  return [
    ...(bound === undefined ? [] : [exclusive === true ? bound + step : bound]),
    ...(typeof exclusive === 'number' ? [exclusive + step] : []),
  ];
}
