/**
 * The constraints of arguments and input fields, which a schema states by `@constraint` as the package `graphql-constraint-directive` defines
 * it: read as keywords of JSON Schema, and compiled into a check of the arguments of each field.
 */

import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
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
import type { Schema, SchemaObject } from '../../contract/schemas/document.js';
import type { Code } from '../../text/code.js';
import { joinPointer } from '../../text/pointer.js';

export { type ConstraintChecks, type GraphqlInput, constraintDirective };

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

/**
 * Compiles the checks of the arguments of fields that have constraints, each with the name `Type$field`.
 *
 * @returns undefined for a schema without constraints
 */
export function compileConstraints(
  schema: GraphQLSchema,
  banner?: Code,
): { readonly requests: ValidatorsFile; readonly faults: readonly GraphQLError[] } | undefined {
  const reader = new ConstraintReader(schema);
  const { wanted, schemas } = reader;
  if (wanted.length + reader.faults.length === 0) return undefined;
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } };
  const { requests, unsupported } = compileValidators(document, wanted, { ...(banner && { banner }) });
  const faults = unsupported.flatMap(({ at, message }) => {
    const place = reader.places.find(({ pointer }) => at.startsWith(`${pointer}/`));
    return place === undefined
      ? []
      : [faultAt(place, message.replace(/, so that nothing checks it.*|, so nothing checks it.*/, ''))];
  });
  return { requests, faults: [...reader.faults, ...faults] };
}

/** The checks of {@link compileConstraints}, to be run at once. */
export async function constraintChecks(schema: GraphQLSchema): Promise<ConstraintChecks> {
  const compiled = compileConstraints(schema);
  return compiled === undefined ? {} : loadedModule(compiled.requests.js);
}

/** An input with its schema coordinate, such as `Mutation.addUser(name:)`, and the place of its schema. */
interface Place {
  readonly coordinate: string;
  readonly pointer: string;
  readonly node: ASTNode | undefined;
}

function faultAt({ coordinate, node }: Omit<Place, 'pointer'>, message: string): GraphQLError {
  return new GraphQLError(`@${NAME} of ${coordinate}: ${message}`, {
    nodes: node === undefined ? [] : [node],
  });
}

/** Reads the schemas of the arguments of all fields, and of the input objects in them. */
class ConstraintReader {
  readonly faults: GraphQLError[] = [];
  readonly places: Place[] = [];
  readonly wanted: ValidatorRequest[] = [];
  readonly schemas: Record<string, Schema> = {};

  constructor(schema: GraphQLSchema) {
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const { name, args, astNode } of Object.values(type.getFields())) {
        const coordinate = `${type.name}.${name}`;
        const node = constraintDirective(astNode);
        if (node)
          this.faults.push(faultAt({ coordinate, node }, 'a field has no constraints, only its arguments'));
        const at = joinPointer('#', coordinate);
        const properties = this.#properties(
          args,
          `${at}/properties`,
          (argument) => `${coordinate}(${argument}:)`,
        );
        if (!args.some((each) => isConstrained(each))) continue;
        if (isInterfaceType(type)) {
          this.#requireRepeated(schema.getImplementations(type).objects, name, args);
          continue;
        }
        const about = `the arguments of ${coordinate}`;
        this.wanted.push({
          name: `${type.name}$${name}`,
          schema: { schema: { properties }, at },
          direction: 'request',
          about,
        });
      }
    }
  }

  /** Only the fields of objects are resolved, so an argument of an interface has the constraints that these repeat. */
  #requireRepeated(types: readonly GraphQLObjectType[], field: string, args: readonly GraphqlInput[]): void {
    for (const { name, astNode } of args) {
      const node = constraintDirective(astNode);
      const lacking = types.find(
        (type) =>
          !constraintDirective(type.getFields()[field]?.args.find((each) => each.name === name)?.astNode),
      );
      if (node === undefined || lacking === undefined) continue;
      const coordinate = `${lacking.name}.${field}(${name}:)`;
      this.faults.push(faultAt({ coordinate, node }, 'it is missing, and an interface has no effect'));
    }
  }

  #properties(
    inputs: readonly GraphqlInput[],
    at: string,
    coordinateOf: (name: string) => string,
  ): Record<string, Schema> {
    return Object.fromEntries(
      inputs
        .filter((input) => isConstrained(input))
        .map((input) => {
          const place = {
            coordinate: coordinateOf(input.name),
            pointer: `${at}/${input.name}`,
            node: constraintDirective(input.astNode),
          };
          this.places.push(place);
          this.faults.push(...faultsOf(input).map((message) => faultAt(place, message)));
          const named = getNamedType(input.type);
          const inner = isInputObjectType(named) ? inLists(input.type, this.#object(named)) : {};
          return [input.name, { allOf: [constraintSchema(input) ?? {}, inner] }];
        }),
    );
  }

  #object(type: GraphQLInputObjectType): SchemaObject {
    const $ref = joinPointer('#/components/schemas', type.name);
    if (this.schemas[type.name] === undefined) {
      // An input object may contain itself.
      this.schemas[type.name] = true;
      const fields = Object.values(type.getFields());
      const properties = this.#properties(fields, `${$ref}/properties`, (name) => `${type.name}.${name}`);
      this.schemas[type.name] = { properties };
    }
    return { $ref };
  }
}

/** The arguments of the directive that do not fit the type, or each other. */
function faultsOf({ type, astNode }: GraphqlInput): readonly string[] {
  const given = new Map(
    constraintDirective(astNode)?.arguments?.map(({ name, value }) => [
      name.value,
      valueFromASTUntyped(value),
    ]),
  );
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
