/** Compares the schema from a server's introspection with its contract. */

import {
  type GraphQLSchema,
  type IntrospectionQuery,
  buildClientSchema,
  getIntrospectionQuery,
  isInputObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  print,
  printType,
  visit,
} from 'graphql';

/** Descriptions are not compared. */
export function introspectionQuery(schema: GraphQLSchema): string {
  const oneOf = Object.values(schema.getTypeMap()).some((type) => isInputObjectType(type) && type.isOneOf);
  return getIntrospectionQuery({ descriptions: false, inputValueDeprecation: true, oneOf });
}

/** @returns the first difference; undefined if there is none */
export function introspectionProblem(schema: GraphQLSchema, data: unknown): string | undefined {
  let introspected: GraphQLSchema;
  try {
    introspected = buildClientSchema(data as IntrospectionQuery);
  } catch (error) {
    return `introspection returns no schema: ${error instanceof Error ? error.message : String(error)}`;
  }
  const [wanted, given] = [textsOf(schema), textsOf(introspected)];
  for (const name of new Set([...wanted.keys(), ...given.keys()])) {
    const [own, other] = [wanted.get(name), given.get(name)];
    if (own === other) continue;
    if (other === undefined) return `introspection lacks ${name}`;
    if (own === undefined) return `introspection has ${name}, which the schema does not have`;
    const lineIn = (one: string, another: string) => one.split('\n').find((each) => !another.includes(each));
    const line = lineIn(other, own) ?? lineIn(own, other);
    return `introspection returns another ${name}: ${(line ?? other).trim()}`;
  }
  return undefined;
}

/** The definition of each type by its name, and the names of the root types. */
function textsOf(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const sorted = lexicographicSortSchema(schema);
  const roots = [sorted.getQueryType(), sorted.getMutationType(), sorted.getSubscriptionType()];
  const texts = new Map([['the root types', roots.map((type) => type?.name ?? '').join(' ')]]);
  for (const [name, type] of Object.entries(sorted.getTypeMap())) {
    if (name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    const definition = visit(parse(printType(type), { noLocation: true }), {
      StringValue: (_, key) => (key === 'description' ? null : undefined),
      Directive: ({ name: { value } }) => (value === 'oneOf' || value === 'deprecated' ? undefined : null),
    });
    texts.set(name, print(definition));
  }
  return texts;
}
