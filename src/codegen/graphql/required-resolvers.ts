/** Makes `graphql.ts` require a resolver for every field that graphql-js cannot resolve by itself. */

import type { CodegenPlugin, Types } from '@graphql-codegen/plugin-helpers';

/** The type of all resolvers, as typescript-resolvers writes it, with one line per type of the schema. */
const ALL_RESOLVERS = /^export type Resolvers(<ContextType = .*>) = \{\n((?: {2}.*\n)*)\};$/m;
const RESOLVERS_OF_TYPE = /^( {2}(\w+))\??: (\w+<ContextType>);$/gm;

// Without a resolver, graphql-js takes the parent's property of the field's name, and calls it if it is a function
// (`defaultFieldResolver`). The plugin types the parent of a root field as `Record<PropertyKey, never>`.
const HELPERS = `
/** What graphql-js resolves a field from without a resolver: a value of its type, or a method that gives one. */
type DefaultSource<Field> = Extract<Field, (...parameters: never) => unknown> extends
  (parent: never, args: infer Args, ...others: never) => infer Result
  ? Nullish<Result> | ((...parameters: never) => Nullish<Result>) extends infer Source
    ? Args extends Record<PropertyKey, never> ? Source : Extract<Source, (...parameters: never) => unknown>
    : never
  : never;
type Nullish<Result> = null extends Result ? Result | undefined : Result;

/** The resolvers of a type. One can be left out only where the parent has what the field is resolved from. */
type RequiredResolvers<Fields, Parent> = Fields & Required<Pick<Fields, {
  [Name in keyof Fields]-?: Name extends '__isTypeOf' | '__resolveReference' ? never
    : PropertyKey extends keyof Parent ? Name
    : Name extends keyof Parent ? (Parent[Name] extends DefaultSource<Fields[Name]> ? never : Name)
    : Name;
}[keyof Fields]>>;

/** A type can be left out where none of its fields needs a resolver. */
type RequiredTypes<Types> =
  & { [Name in keyof Types as Record<never, never> extends Types[Name] ? never : Name]: Types[Name] }
  & { [Name in keyof Types as Record<never, never> extends Types[Name] ? Name : never]?: Types[Name] };
`;

/** @throws when the plugin's options rename its types */
function requireResolvers(text: string): string {
  if (!ALL_RESOLVERS.test(text)) {
    throw new Error('the resolver signatures have no type Resolvers: leave its name to the generator');
  }
  return text.replace(ALL_RESOLVERS, (_, parameters: string, lines: string) => {
    const types = lines
      .replaceAll(RESOLVERS_OF_TYPE, "$1: RequiredResolvers<$3, ResolversParentTypes['$2']>;")
      // The resolvers of scalars have no fields.
      .replaceAll(/^( {2}\w+)\?: /gm, '$1: ');
    return `${HELPERS}
/** Every resolver that the schema needs. */
export type Resolvers${parameters} = RequiredTypes<{\n${types}}>;`;
  });
}

/** The plugin typescript-resolvers, with {@link requireResolvers} applied to its output. */
export function withRequiredResolvers({ plugin, ...others }: CodegenPlugin): CodegenPlugin {
  return {
    ...others,
    async plugin(...parameters: Parameters<CodegenPlugin['plugin']>): Promise<Types.PluginOutput> {
      const output = await plugin(...parameters);
      return typeof output === 'string'
        ? requireResolvers(output)
        : { ...output, content: requireResolvers(output.content) };
    },
  };
}
