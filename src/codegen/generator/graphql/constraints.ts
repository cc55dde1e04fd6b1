/**
 * The constraints of arguments and input fields, which a schema states by `@constraint` as the package `graphql-constraint-directive` defines
 * it: read as keywords of JSON Schema, and compiled into a check of the arguments of each field.
 */

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  concatAST,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  parse,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { failureOf } from '@concordat/runtime';
import {
  type ConstraintChecks,
  type GraphqlInput,
  constraintDirective,
  isConstrained,
} from '@concordat/runtime/graphql';
import {
  type ValidatorRequest,
  type ValidatorsFile,
  compileValidators,
  loadedModule,
} from '../../checks/schemas/compile-validators.js';
import type { OpenApiDocument, Schema, SchemaObject } from '../../contract/schemas/document.js';
import type { Code } from '../../text/code.js';

export { type ConstraintChecks, type GraphqlInput };

const NAME = 'constraint';

const DEFINITION = `"The values that an argument or an input field takes. Others are refused before the field is resolved."
directive @${NAME}(
  minLength: Int, maxLength: Int, pattern: String, format: String
  min: Float, max: Float, exclusiveMin: Float, exclusiveMax: Float, multipleOf: Float
  minItems: Int, maxItems: Int
) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION`;

const TEXTS = ['String', 'ID'];
const NUMBERS = ['Int', 'Float'];

/** The keyword for each argument of the directive, and the types that it restricts; that of a list, unless it is about the list, those of its items. */
const ROWS: Readonly<Record<string, readonly [keyword: string, types: readonly string[] | 'list']>> = {
  minLength: ['minLength', TEXTS],
  maxLength: ['maxLength', TEXTS],
  pattern: ['pattern', TEXTS],
  format: ['format', TEXTS],
  min: ['minimum', NUMBERS],
  max: ['maximum', NUMBERS],
  exclusiveMin: ['exclusiveMinimum', NUMBERS],
  exclusiveMax: ['exclusiveMaximum', NUMBERS],
  multipleOf: ['multipleOf', NUMBERS],
  minItems: ['minItems', 'list'],
  maxItems: ['maxItems', 'list'],
};

const ORDERED = [
  ['minLength', 'maxLength'],
  ['min', 'max'],
  ['minItems', 'maxItems'],
] as const;

/** The document with a definition of the directive, if it uses the directive and defines none. */
export function withConstraintDefinition(document: DocumentNode): DocumentNode {
  let [isDefined, isUsed] = [false, false];
  visit(document, {
    DirectiveDefinition: ({ name }) => void (isDefined ||= name.value === NAME),
    Directive: ({ name }) => void (isUsed ||= name.value === NAME),
  });
  return isDefined || !isUsed ? document : concatAST([document, parse(DEFINITION)]);
}

/** The schema of what the constraints of an argument or input field say; undefined without any. */
export function constraintSchema({ astNode, type }: GraphqlInput): SchemaObject | undefined {
  const directive = constraintDirective(astNode);
  if (directive === undefined) return undefined;
  const keywords = (isOfList: boolean): SchemaObject =>
    Object.fromEntries(
      (directive.arguments ?? []).flatMap(({ name, value }) => {
        const [keyword, types] = ROWS[name.value] ?? [];
        const isMeant = keyword !== undefined && (types === 'list') === isOfList;
        return isMeant && value.kind !== Kind.NULL ? [[keyword, valueFromASTUntyped(value)]] : [];
      }),
    );
  const item = inLists(type, keywords(false));
  return isListType(getNullableType(type)) ? { ...item, ...keywords(true) } : item;
}

/** The schema of the values of a type, from that of the items in its lists. */
function inLists(type: GraphQLInputType, item: SchemaObject): SchemaObject {
  const inner = getNullableType(type);
  return isListType(inner) ? { items: inLists(inner.ofType, item) } : item;
}

/** The arguments and the input fields of a schema, by their paths: `Query.users.limit`, `NewUser.email`. */
export function inputsOf(schema: GraphQLSchema): ReadonlyMap<string, GraphqlInput> {
  const inputs = Object.values(schema.getTypeMap()).flatMap(
    (type): readonly (readonly [string, GraphqlInput])[] => {
      if (isInputObjectType(type))
        return Object.values(type.getFields()).map((field) => [type.name, field] as const);
      return fieldsOf(type).flatMap(([owner, { args }]) => args.map((each) => [owner, each] as const));
    },
  );
  return new Map(inputs.map(([owner, input]) => [`${owner}.${input.name}`, input]));
}

/** The fields of an object type with their paths; none of another type. */
function fieldsOf(type: GraphQLNamedType): readonly (readonly [string, GraphQLField<unknown, unknown>])[] {
  if (!isObjectType(type) || type.name.startsWith('__')) return [];
  return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field]);
}

/**
 * Compiles the checks of the arguments of fields that have constraints, each with the name `Type$field`.
 *
 * @returns undefined for a schema without constraints
 */
export function compileConstraints(
  schema: GraphQLSchema,
  banner?: Code,
): { readonly requests: ValidatorsFile; readonly faults: readonly GraphQLError[] } | undefined {
  const types = Object.values(schema.getTypeMap());
  const wanted = types.flatMap(fieldsOf).flatMap(([path, { args }]): readonly ValidatorRequest[] => {
    if (!args.some((each) => isConstrained(each))) return [];
    const name = path.replace('.', '$');
    const schema = { schema: { properties: propertiesOf(args) }, at: `#/${path}` };
    return [{ name, schema, direction: 'request', about: `the arguments of ${path}` }];
  });
  const faults = [...inputsOf(schema)].flatMap(([path, input]) =>
    faultsOf(input).map((message) => faultAt(path, input, message)),
  );
  faults.push(...types.flatMap((type) => ineffective(schema, type)));
  if (wanted.length + faults.length === 0) return undefined;
  const { requests, unsupported } = compileValidators(inputDocument(types), wanted, {
    ...(banner && { banner }),
  });
  for (const { at, message } of unsupported) {
    // `#/Query.users/properties/limit/minimum`, or `#/components/schemas/NewUser/properties/email/format`
    const path = at.replace(/^#\/(?:components\/schemas\/)?(.*?)\/properties\/([^/]+)\/.*$/, '$1.$2');
    const input = inputsOf(schema).get(path);
    if (input !== undefined)
      faults.push(faultAt(path, input, message.replace(/, so (?:that )?nothing checks it.*/, '')));
  }
  return { requests, faults };
}

/** The constraints of the types of inputs as component schemas. */
function inputDocument(types: readonly GraphQLNamedType[]): OpenApiDocument {
  const schemas = Object.fromEntries(
    types
      .filter(isInputObjectType)
      .map((type) => [type.name, { properties: propertiesOf(Object.values(type.getFields())) }]),
  );
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } };
}

function propertiesOf(inputs: readonly GraphqlInput[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    inputs
      .filter((input) => isConstrained(input))
      .map((input) => {
        const named = getNamedType(input.type);
        const isObject = isInputObjectType(named) && isConstrained({ ...input, astNode: undefined });
        const inner = isObject ? inLists(input.type, { $ref: `#/components/schemas/${named.name}` }) : {};
        return [input.name, { allOf: [constraintSchema(input) ?? {}, inner] }];
      }),
  );
}

/** The defaults that constraints refuse, at any depth: each request without a value would be refused. */
export async function refusedDefaults(schema: GraphQLSchema): Promise<readonly GraphQLError[]> {
  const given = [...inputsOf(schema)].flatMap(([path, input]) => {
    const literal = input.astNode?.defaultValue;
    if (literal === undefined || !isConstrained(input)) return [];
    return [{ path, input, value: { [input.name]: valueFromASTUntyped(literal) } }];
  });
  if (given.length === 0) return [];
  const wanted = given.map(({ path, input }, index): ValidatorRequest => {
    const schema = { schema: { properties: propertiesOf([input]) }, at: `#/${path}` };
    return { name: `default${index}`, schema, direction: 'request', about: `the default of ${path}` };
  });
  const { requests } = compileValidators(inputDocument(Object.values(schema.getTypeMap())), wanted, {});
  const checks = await loadedModule(requests.js);
  return given.flatMap(({ path, input, value }, index) => {
    const check = checks[`default${index}`];
    if (check === undefined || check(value)) return [];
    return [faultAt(path, input, `the default is refused: ${failureOf(check, value, '')}`)];
  });
}

/** The checks of {@link compileConstraints}, to be run at once. */
export async function constraintChecks(schema: GraphQLSchema): Promise<ConstraintChecks> {
  const compiled = compileConstraints(schema);
  return compiled === undefined ? {} : loadedModule(compiled.requests.js);
}

/** @param path - its schema coordinate, but with a point before the name of an argument */
function faultAt(path: string, { astNode }: Pick<GraphqlInput, 'astNode'>, message: string): GraphQLError {
  const nodes = [constraintDirective(astNode) ?? astNode?.defaultValue].filter((node) => node !== undefined);
  const coordinate = path.replace(/^(.*\..*)\.(.*)$/, '$1($2:)');
  return new GraphQLError(`@${NAME} of ${coordinate}: ${message}`, { nodes });
}

/** The constraints of results, and of arguments of an interface that a type does not repeat: only fields of objects are resolved. */
function ineffective(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLError[] {
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const types = isInterfaceType(type) ? schema.getImplementations(type).objects : [];
  return Object.values(type.getFields()).flatMap((field) => {
    const own = constraintDirective(field.astNode)
      ? [faultAt(`${type.name}.${field.name}`, field, 'a field has no constraints, only its arguments')]
      : [];
    const lacking = field.args
      .filter(({ astNode }) => constraintDirective(astNode))
      .flatMap((argument) => {
        const without = types.find(({ name }) => {
          const other = inputsOf(schema).get(`${name}.${field.name}.${argument.name}`);
          return !constraintDirective(other?.astNode);
        });
        const path = `${without?.name ?? ''}.${field.name}.${argument.name}`;
        return without ? [faultAt(path, argument, 'it is missing, and an interface has no effect')] : [];
      });
    return [...own, ...lacking];
  });
}

/** The arguments of the directive that do not fit the type, or each other. */
function faultsOf({ type, astNode }: GraphqlInput): readonly string[] {
  const said = constraintDirective(astNode)?.arguments ?? [];
  const given = new Map(said.map(({ name, value }) => [name.value, valueFromASTUntyped(value)]));
  const faults = [...given.keys()].flatMap((name) => {
    const types = ROWS[name]?.[1];
    if (types === undefined) return name === IGNORED ? [] : [`${name} is not supported`];
    const fits =
      types === 'list' ? isListType(getNullableType(type)) : types.includes(getNamedType(type).name);
    return fits ? [] : [`${name} does not fit the type ${String(type)}`];
  });
  const disordered = ORDERED.flatMap(([least, most]) =>
    Number(given.get(least)) > Number(given.get(most)) ? [`${least} is greater than ${most}`] : [],
  );
  return [...faults, ...disordered];
}

/** Names the types that another server makes for constrained values. */
const IGNORED = 'uniqueTypeName';
