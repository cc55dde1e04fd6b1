/** Gives the scalars of a schema the types that a team names in `values`. */

import type { ValueTypes } from '../values/value-types.js';
import type { ResolverOptions } from './resolver-options.js';

/** The options of the resolver signatures, with the types of scalars; those of the option `scalars` come first. */
export function withScalarTypes(options: ResolverOptions, values: ValueTypes = {}): ResolverOptions {
  const { scalars = {} } = options;
  const named = Object.entries(values).map(([name, type]) => [
    name,
    typeof type === 'string' ? type : `${type.from}#${type.type}`,
  ]);
  // The option may also be the name of a module.
  if (named.length === 0 || typeof scalars !== 'object' || scalars === null) return options;
  return { ...options, scalars: { ...Object.fromEntries(named), ...scalars } };
}
