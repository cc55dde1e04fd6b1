/** Turns the options of the resolver signatures into those of the plugins: names the types of scalars, and imports types in place. */

import { type DocumentNode, Kind } from 'graphql';
import { singleQuoted } from '../../text/code.js';
import { words } from '../../text/identifiers.js';
import { type ValueTypes, typeText } from '../../contract/model/value-types.js';
import type { ResolverOptions } from './resolver-options.js';

/** The types of the other contract that those of a schema may refer to. */
export interface OtherTypes {
  /** Types by `format`, or by the name of a scalar. */
  readonly values?: ValueTypes | undefined;
}

/** The options for the plugins. Scalars have the types of their formats, and no type of another module collides with one of the schema. */
export function pluginOptions(
  schema: DocumentNode,
  options: ResolverOptions,
  { values = {} }: OtherTypes,
): ResolverOptions {
  const { scalars = {} } = options;
  const changed = {
    ...options,
    // The option may also be the name of a module.
    ...(typeof scalars === 'object' && { scalars: { ...scalarTypes(schema, values), ...scalars } }),
  };
  return Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [name, OF_TYPES.has(name) ? inPlace(value) : value]),
  );
}

/** The options that name types of other modules. */
const OF_TYPES = new Set(words('mappers defaultMapper contextType rootValueType scalars'));

function inPlace(value: unknown): unknown {
  if (typeof value === 'string') return importedInPlace(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inPlace(each)]));
}

/**
 * `./models.js#User` as `import('./models.js').User`: an import of its own would collide with the type `User` of the schema. A text
 * with `as`, which gives the import a name, is kept.
 */
function importedInPlace(text: string): string {
  return text.replace(
    /^(\\?#)?([^#\\]+)#([\w$]+(?:\.[\w$]+|\[(?:'[^']*'|"[^"]*")\])*(?:<.*>)?)$/s,
    (_, internal: string | undefined, from: string, type: string) =>
      `import(${singleQuoted((internal === undefined ? '' : '#') + from)}).${type}`,
  );
}

/** The types of scalars: that of the scalar's own name, or of a format that differs in spelling only, as `date-time` from `DateTime`. */
function scalarTypes(schema: DocumentNode, values: ValueTypes): Readonly<Record<string, string>> {
  const bare = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();
  const formats = new Map(Object.entries(values).map(([format, type]) => [bare(format), type]));
  const exact = new Map(Object.entries(values));
  const types = schema.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.SCALAR_TYPE_DEFINITION) return [];
    const name = definition.name.value;
    const type = exact.get(name) ?? formats.get(bare(name));
    return type === undefined ? [] : [[name, typeText(type)] as const];
  });
  return Object.fromEntries(types);
}
