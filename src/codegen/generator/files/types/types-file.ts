/** Writes `openapi.ts`: the types of every schema, operation and component, by openapi-typescript. */

import {
  type GlobalContext,
  type OpenAPI3,
  type OpenAPITSOptions,
  astToString,
  resolveRef,
  scanDiscriminators,
  stringToAST,
  transformSchema,
  transformSchemaObject,
} from 'openapi-typescript';
import ts from 'typescript';
import type { OpenApiDocument, Schema, SchemaObject } from '../../../contract/schemas/document.js';
import type { ContractModel } from '../../../contract/model/model.js';
import { type Code, code } from '../../../text/code.js';
import { printedTypes } from '../../../text/parsed-code.js';
import { type ValueTypes, leafOf } from '../../../contract/model/value-types.js';
import { ITEMS, prepareDocument } from './prepared-document.js';
import { moveFurtherMethods, withFurtherMethods, withSchemaNames } from './type-nodes.js';

interface TypesOptions {
  /** Path items of callbacks, typed among the webhooks because openapi-typescript does not write callbacks. */
  readonly callbacks?: ContractModel['callbackItems'];
  readonly schemas?: Readonly<Record<string, Schema>>;
  readonly values?: ValueTypes;
}

/** The text of `openapi.ts`, and the names of its types by component. A property with a default is optional, except in the types `…WithDefaults` that handlers get. */
export function typesFile(
  document: OpenApiDocument,
  banner: Code,
  { callbacks, schemas, values = {} }: TypesOptions = {},
): { readonly text: Code; readonly names: ReadonlyMap<string, string> } {
  const whole = structuredClone({
    ...document,
    webhooks: { ...document.webhooks, ...callbacks },
    components: { ...document.components, schemas: { ...document.components?.schemas, ...schemas } },
  });
  // openapi-typescript may modify its input.
  const copy = structuredClone(whole);
  prepareDocument(copy, whole);
  moveFurtherMethods(copy);
  const nodes = typeNodes(copy as unknown as OpenAPI3, (...given) => ownType(values, ...given));
  const named = withSchemaNames(withFurtherMethods(nodes), Object.keys(copy.components.schemas));
  const text = astToString([...named.nodes]).replace(WITH_REQUIRED, WITH_REQUIRED_OF_UNIONS);
  return { text: code`${banner}\n${printedTypes(text)}`, names: named.names };
}

/**
 * The declarations of a document. The main function of openapi-typescript is avoided: it would bundle the document again, and
 * so replace a reference to a part that is no component by nested copies of that part.
 */
function typeNodes(
  document: OpenAPI3,
  transform: GlobalContext['transform'],
): ReturnType<typeof transformSchema> {
  const silent = { silent: true };
  const context: Omit<GlobalContext, 'redoc'> = {
    ...DEFAULTS,
    transform,
    discriminators: scanDiscriminators(document, silent),
    injectFooter: [],
    resolve: ($ref) => resolveRef(document, $ref, silent),
  };
  // Only the main function of openapi-typescript reads `redoc`, the configuration of its bundler.
  return transformSchema(document, context as GlobalContext);
}

/** The default values of openapi-typescript's other options. */
const DEFAULTS = {
  additionalProperties: false,
  alphabetize: false,
  arrayLength: false,
  conditionalEnums: false,
  dedupeEnums: false,
  defaultNonNullable: false,
  emptyObjectsUnknown: false,
  enum: false,
  enumValues: false,
  excludeDeprecated: false,
  exportType: false,
  generatePathParams: false,
  immutable: false,
  makePathsEnum: false,
  pathParamsAsTypes: false,
  postTransform: undefined,
  propertiesRequiredByDefault: false,
  readWriteMarkers: false,
  rootTypes: false,
  rootTypesKeepCasing: false,
  rootTypesNoSchemaPrefix: false,
  silent: true,
  transformProperty: undefined,
} as const;

/** A type node that openapi-typescript writes instead of its own for a schema. */
type TypeNode = Extract<ReturnType<NonNullable<OpenAPITSOptions['transform']>>, { kind: unknown }>;

const WITH_REQUIRED = /^type WithRequired<[^}]*};$/m;

// A type that may be null has no keys, and its null has no members.
const WITH_REQUIRED_OF_UNIONS =
  'type WithRequired<T, K extends PropertyKey> = T extends object ? T & { [P in K & keyof T]-?: T[P] } : T;';

/** The type of a sequence, or of values that are converted; the types of other schemas are left to openapi-typescript. */
function ownType(
  values: ValueTypes,
  ...[schema, options]: Parameters<NonNullable<OpenAPITSOptions['transform']>>
): TypeNode | undefined {
  const { [ITEMS]: item } = schema as SchemaObject;
  if (item !== undefined) {
    const type = transformSchemaObject(item as typeof schema, options);
    return ts.factory.createTypeReferenceNode('AsyncIterable', [type]);
  }
  const leaf = leafOf(values, schema);
  if (leaf === undefined) return undefined;
  const text = leaf.nullable ? code`${leaf.type} | null` : leaf.type;
  const [statement] = stringToAST(`type T = ${text};`) as readonly { readonly type?: TypeNode }[];
  if (statement?.type === undefined) throw new Error(`${text} is not a type`);
  return statement.type;
}
