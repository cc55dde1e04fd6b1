/** The options of a GraphQL schema: its files, its resolver signatures, and the plugins' options that these become. */

import { type DocumentNode, Kind } from 'graphql';
import { type ValueTypes, typeText } from '../../contract/model/value-types.js';
import { singleQuoted } from '../../text/code.js';
import { words } from '../../text/identifiers.js';

/** The path of a schema in SDL, or of a schema and the files that extend it, such as with `extend type Query`. */
export type SchemaFiles = string | readonly string[];

/**
 * Declared here, because the declarations of graphql-codegen compile only with `skipLibCheck`: consumers that import ours would
 * need that option too.
 */
export interface ResolverOptions {
  /** The type of the context: `./context.js#Context`. */
  readonly contextType?: string;
  /** The TypeScript types of the values of the schema's types, by name: `{ User: './model.js#User' }`. */
  readonly mappers?: Readonly<Record<string, string>>;
  /** Any other option of `@graphql-codegen/typescript-resolvers`. */
  readonly [option: string]: unknown;
}

/**
 * The options for the plugins. Scalars have the types of their formats, and no type of another module collides with one of the schema.
 *
 * @param values - types by `format`, or by the name of a scalar
 */
export function pluginOptions(
  schema: DocumentNode,
  options: ResolverOptions,
  values: ValueTypes,
): ResolverOptions {
  const { scalars = {} } = options;
  const changed = {
    // The order of the schema's author is kept.
    sort: false,
    useTypeImports: true,
    defaultScalarType: 'unknown',
    // The errors for a union of a function and an object name neither the field nor its type.
    makeResolverTypeCallable: true,
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
