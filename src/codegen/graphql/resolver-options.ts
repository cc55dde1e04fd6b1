/** The options of the resolver signatures, with the types of other modules that they name. */

import { type DocumentNode, Kind } from 'graphql';
import { singleQuoted } from '../text/code.js';
import { words } from '../text/identifiers.js';
import { type ValueTypes, typeText } from '../values/value-types.js';

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

/** The options that resolver signatures need under strict compiler settings. */
export const RESOLVER_DEFAULTS: ResolverOptions = {
  useTypeImports: true,
  defaultScalarType: 'unknown',
  // The errors for a union of a function and an object name neither the field nor its type.
  makeResolverTypeCallable: true,
};

/** Keeps the order that the schema's author chose. */
export const SCHEMA_CONFIG = { sort: false } as const;

/** The types of the other contract that those of a schema may refer to. */
export interface OtherTypes {
  /** Types by `format`, or by the name of a scalar. */
  readonly values?: ValueTypes | undefined;
  /** Whether `openapi.ts` has `Readable`, the type of what an operation answers. Default: it does not. */
  readonly hasReadable?: (() => Promise<boolean>) | undefined;
}

/** The options for the plugins: scalars have the types of their formats, and types of other modules cannot collide with those of the schema. */
export async function pluginOptions(
  schema: DocumentNode,
  options: ResolverOptions,
  { values = {}, hasReadable }: OtherTypes,
): Promise<ResolverOptions> {
  const { scalars = {}, mappers = {} } = options;
  const models = Object.values(mappers).filter((text) => OF_OPENAPI.test(text));
  const isReadable = models.length > 0 && (await hasReadable?.()) === true;
  const readable = (text: string): string =>
    isReadable && OF_OPENAPI.test(text) ? `import('./openapi.js').Readable<${importedInPlace(text)}>` : text;
  const changed = {
    ...options,
    mappers: Object.fromEntries(Object.entries(mappers).map(([type, text]) => [type, readable(text)])),
    // The option may also be the name of a module.
    ...(typeof scalars === 'object' && { scalars: { ...scalarTypes(schema, values), ...scalars } }),
  };
  return Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [name, OF_TYPES.has(name) ? inPlace(value) : value]),
  );
}

const OF_OPENAPI = /^\.\/openapi\.js#/;

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

/** The types of the schema's scalars: that of the scalar's own name, or of a format that differs in spelling only, as `DateTime` from `date-time`. */
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
