/** Writes the type `Resolvers`, which requires a resolver for every field that graphql-js cannot resolve by itself. */

import ts from 'typescript';

/** The type aliases of `graphql.ts`, as the plugins write them, by name. */
export type Aliases = ReadonlyMap<string, ts.TypeAliasDeclaration>;

/** A member of a type, such as `user?: Resolver<…>`. */
export type Member = ts.PropertySignature & { readonly type: ts.TypeReferenceNode };

/** A part of the text that becomes an interface: the values of a GraphQL type whose fields refer to other models. */
export interface Model {
  readonly type: string;
  readonly name: string;
  readonly body: string;
  /** The map of types that its fields refer to. */
  readonly reference: string;
  readonly start: number;
  readonly end: number;
}

export type Models = ReadonlyMap<ts.Node, Model>;

export function membersOf(alias: ts.TypeAliasDeclaration | undefined): readonly Member[] {
  return propertiesOf(alias).filter(
    (member): member is Member => member.type !== undefined && ts.isTypeReferenceNode(member.type),
  );
}

export function propertiesOf(alias: ts.TypeAliasDeclaration | undefined): readonly ts.PropertySignature[] {
  return alias !== undefined && ts.isTypeLiteralNode(alias.type)
    ? alias.type.members.filter(ts.isPropertySignature)
    : [];
}

/** The type of all resolvers, and one for those of each type of the schema. */
export function requiredResolvers(all: ts.TypeAliasDeclaration, aliases: Aliases, models: Models): string {
  const parameters = all.typeParameters?.map((parameter) => parameter.getText()).join(', ') ?? '';
  const required: string[] = [];
  const typesOf = (map: string): ReadonlyMap<string, ts.TypeNode | undefined> =>
    new Map(propertiesOf(aliases.get(map)).map(({ name, type }) => [name.getText(), type]));
  const values = { parents: typesOf('ResolversParentTypes'), results: typesOf('ResolversTypes'), models };
  const members = membersOf(all).map((member) => {
    const name = member.name.getText();
    // The resolvers of scalars and enums have no fields.
    if (member.type.typeArguments === undefined) return `  ${name}: ${member.type.getText()};`;
    const signatures = member.type.typeName.getText();
    required.push(`/** The resolvers of \`${name}\`. */
export type Required${signatures}<${parameters}> = ${requiredType(member, aliases.get(signatures), values)};
`);
    return `  ${name}: Required${signatures}<ContextType>;`;
  });
  const text = required.join('\n');
  return `${text.includes('RequiredFields<') ? FIELDS_OF_MODELS : ''}${REQUIRING}
${text}
type AllResolvers<${parameters}> = {\n${members.join('\n')}\n};

/** Every resolver that the schema needs. */
export type Resolvers<${parameters}> = Requiring<AllResolvers<ContextType>, RequiredTypes<AllResolvers<ContextType>>>;`;
}

/** The types of the values that resolvers get and return, by the name of the GraphQL type. */
interface Values {
  readonly parents: ReadonlyMap<string, ts.TypeNode | undefined>;
  readonly results: ReadonlyMap<string, ts.TypeNode | undefined>;
  readonly models: Models;
}

/**
 * The resolvers of a type, of which some are required. Only a model of the team needs the compiler to compare types: comparing the
 * types that the plugin writes exceeds its depth for schemas with some fifty types.
 */
function requiredType(
  { name, type }: Member,
  declaration: ts.TypeAliasDeclaration | undefined,
  { parents, results, models }: Values,
): string {
  const signatures = type.getText();
  const fields = membersOf(declaration);
  if (fields.every((field) => field.type.typeName.getText() === 'TypeResolveFn')) return signatures;
  const parent = parents.get(name.getText());
  // The parent of a root field. `Required<…>` would replace the name of the type in errors.
  if (parent?.getText() === 'Record<PropertyKey, never>')
    return `Requiring<${signatures}, keyof ${signatures}>`;
  const own = type.typeName.getText().replace(/Resolvers$/, '');
  const valueOf = (node: ts.TypeNode | undefined): string | undefined => {
    const model = node && models.get(node);
    if (model !== undefined) return model.type === own ? model.name : undefined;
    return node?.getText() === own ? own : undefined;
  };
  const result = results.get(name.getText());
  const wrapped = result && ts.isTypeReferenceNode(result) ? result.typeArguments?.[0] : undefined;
  if (valueOf(parent) === undefined || valueOf(parent) !== valueOf(wrapped))
    return `Requiring<${signatures}, RequiredFields<${signatures}, ResolversParentTypes['${name.getText()}']>>`;
  const withArguments = fields
    .filter((field) => field.type.typeName.getText() === 'Resolver' && field.type.typeArguments?.length === 4)
    .map((field) => `'${field.name.getText()}'`);
  return withArguments.length === 0 ? signatures : `Requiring<${signatures}, ${withArguments.join(' | ')}>`;
}

// Without a resolver, graphql-js takes the parent's property of the field's name, and calls it if it is a function
// (`defaultFieldResolver`). The plugin types the parent of a root field as `Record<PropertyKey, never>`.
const FIELDS_OF_MODELS = `
/** A property from which graphql-js resolves a field without a resolver: a value of its type, or a method that returns one. */
type DefaultSource<Field> = Extract<Field, (...parameters: never) => unknown> extends
  (parent: never, args: infer Args, ...others: never) => infer Result
  ? Nullish<Result> | ((...parameters: never) => Nullish<Result>) extends infer Source
    ? Args extends Record<PropertyKey, never> ? Source : Extract<Source, (...parameters: never) => unknown>
    : never
  : never;
type Nullish<Result> = null extends Result ? Result | undefined : Result;

/** The fields that need a resolver, because the parent has no value for them. */
type RequiredFields<Fields, Parent> = {
  [Name in keyof Fields]-?: Name extends '__isTypeOf' | '__resolveReference' ? never
    : PropertyKey extends keyof Parent ? Name
    : Name extends keyof Parent ? (Parent[Name] extends DefaultSource<Fields[Name]> ? never : Name)
    : Name;
}[keyof Fields];
`;

const REQUIRING = `
/** The members, of which some are required. */
type Requiring<Members, Names> = {
  [Name in keyof (Partial<Members> & Required<Pick<Members, Extract<Names, keyof Members>>>)]: Required<Members>[Name];
};

/** The types with a field that needs a resolver. */
type RequiredTypes<Types> = { [Name in keyof Types]: Record<never, never> extends Types[Name] ? never : Name }[keyof Types];
`;
