/** Writes `openapi.ts`: the types of every schema, operation and component, by openapi-typescript. */

import {
  type GlobalContext,
  type OpenAPI3,
  type OpenAPITSOptions,
  addJSDocComment,
  astToString,
  createRef,
  resolveRef,
  scanDiscriminators,
  stringToAST,
  transformSchemaObject,
  tsModifiers,
} from 'openapi-typescript';
import ts from 'typescript';
import { visitObjects } from '../../../contract/schemas/document-structure.js';
import {
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
  isObject,
} from '../../../contract/schemas/document.js';
import { atPlace } from '../../../contract/problems/contract-problem.js';
import type { ContractModel } from '../../../contract/model/model.js';
import { type Code, code } from '../../../text/code.js';
import { freeName, pascalCase } from '../../../text/identifiers.js';
import { printedTypes } from '../../../text/parsed-code.js';
import { joinPointer, pointerTokens } from '../../../text/pointer.js';
import { type ValueTypes, leafOf } from '../../../contract/schemas/value-types.js';
import { clientTypes, schemaTypes } from './client-types.js';
import { ITEMS, prepareDocument } from './prepared-document.js';

interface TypesOptions {
  /** Path items of callbacks, typed among the webhooks because openapi-typescript does not write callbacks. */
  readonly callbacks?: ContractModel['callbackItems'];
  readonly schemas?: Readonly<Record<string, Schema>>;
  readonly values?: ValueTypes;
  /** Whether to write the types of paths and operations. */
  readonly clientTypes?: boolean | undefined;
}

/** The text of `openapi.ts`, and the names of its types by component. A property with a default is optional, except in the types `…WithDefaults` that handlers get. */
export function typesFile(
  document: OpenApiDocument,
  banner: Code,
  { callbacks, schemas, values = {}, clientTypes: forClients }: TypesOptions = {},
): { readonly text: Code; readonly names: ReadonlyMap<string, string> } {
  const whole = structuredClone({
    ...document,
    webhooks: { ...document.webhooks, ...callbacks },
    components: { ...document.components, schemas: { ...document.components?.schemas, ...schemas } },
  });
  // openapi-typescript may modify its input.
  const prepared = structuredClone(whole);
  prepareDocument(prepared, whole);
  const names = aliasNames(Object.keys(prepared.components.schemas), values);
  const copy = withStandIns(prepared) as typeof prepared;
  const standing = new Map([...names].map(([name, alias]) => [withStandIns(name) as string, alias]));
  const named = withNamedSchemas(copy, standing);
  const context = contextOf(named as unknown as OpenAPI3, values);
  // Both add declarations to the context, which transformSchema writes.
  const aliases = [...standing].map(([component, name]) =>
    atPlace(joinPointer('#/components/schemas', component), () =>
      aliasOf(name, named[name] as TypedSchema, context),
    ),
  );
  const nodes = forClients ? clientTypes(copy, named, context) : schemaTypes(named, context);
  const text = shorter(astToString([...nodes, ...aliases]).replace(WITH_REQUIRED, WITH_REQUIRED_OF_UNIONS));
  return { text: code`${banner}\n${printedTypes(withoutStandIns(text))}`, names };
}

/** The text with the indentation of the other files, and without that of comments; a comment begins with the description itself. */
function shorter(text: string): string {
  return text
    .replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
    .replaceAll(/^( *\*) {5}/gm, '$1 ')
    .replaceAll(/\/\*\*(\n *\*)? @description (?=[^@\s])/g, '/**$1 ');
}

/** Characters that make openapi-typescript decode or split a name, each with its substitute: a character that no document has. */
const STAND_INS = [
  ['%', '\ufdd0'],
  ['#', '\ufdd1'],
] as const;

/**
 * A copy of a value in which names and texts have stand-ins.
 *
 * @param arePointers - whether texts are references, of whose steps the decoded ones have stand-ins
 */
function withStandIns(value: unknown, arePointers = false): unknown {
  if (typeof value === 'string') {
    if (arePointers && value.startsWith('#/'))
      return joinPointer('#', ...pointerTokens(value).map((each) => String(withStandIns(each))));
    return STAND_INS.reduce((text, [own, other]) => text.replaceAll(own, other), value);
  }
  if (Array.isArray(value)) return value.map((each: unknown) => withStandIns(each));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    withStandIns(name),
    withStandIns(member, arePointers || name === '$ref' || name === 'mapping'),
  ]);
  return Object.fromEntries(entries);
}

/** @param text - as the compiler prints it, which escapes what is beyond ASCII in texts */
function withoutStandIns(text: string): string {
  return STAND_INS.reduce(
    (whole, [own, other]) =>
      whole
        .replaceAll(new RegExp(`\\\\u${other.codePointAt(0)?.toString(16)}`, 'gi'), own)
        .replaceAll(other, own),
    text,
  );
}

/**
 * The context of a document. The main function of openapi-typescript, which makes it of options, is avoided: it would bundle the document
 * again, and so replace a reference to a part that is no component by nested copies of that part.
 */
function contextOf(document: OpenAPI3, values: ValueTypes): GlobalContext {
  const silent = { silent: true };
  const context: Partial<GlobalContext> = {
    ...silent,
    transform: (...given) => ownType(values, ...given),
    discriminators: scanDiscriminators(document, silent),
    injectFooter: [],
    resolve: ($ref) => resolveRef(document, $ref, silent),
  };
  // An option that is not there is off.
  return context as GlobalContext;
}

/** Names that no component may take: types of TypeScript that the written types use, and a type that openapi-typescript declares. */
const TAKEN = ['AsyncIterable', 'Omit', 'Record', 'WithRequired'];

/** An identifier in PascalCase for each component. A name that is such an identifier is kept. */
function aliasNames(components: readonly string[], values: ValueTypes): ReadonlyMap<string, string> {
  const stems = components.map((name): readonly [string, string] => {
    const stem = pascalCase(name);
    return [name, /^\p{L}/u.test(stem) ? stem : `Schema${stem}`];
  });
  const exactFirst = stems.toSorted(([a, aStem], [b, bStem]) => Number(b === bStem) - Number(a === aStem));
  const taken = new Set([...TAKEN, ...Object.values(values).filter((each) => typeof each === 'string')]);
  const byName = new Map(exactFirst.map(([name, stem]) => [name, freeName(stem, taken)]));
  return new Map(components.map((name) => [name, byName.get(name) ?? name]));
}

/**
 * The document with each component schema at its root, by the name of its type, and references to that place: openapi-typescript
 * writes `Room` for `#/Room`, and an editor then shows this name instead of the whole type. Changes the references of the document.
 */
function withNamedSchemas(
  document: OpenApiDocument & { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } },
  names: ReadonlyMap<string, string>,
): OpenApiDocument & Readonly<Record<string, unknown>> {
  const named = (reference: unknown) => {
    if (typeof reference !== 'string' || !reference.startsWith('#/components/')) return reference;
    const name = names.get(pointerTokens(reference)[2] ?? '');
    return name === undefined ? reference : `#/${name}`;
  };
  visitObjects(document, 'document', (value, kind) => {
    if (kind !== 'schema') return;
    if ('$ref' in value) Object.assign(value, { $ref: named(value['$ref']) });
    const { discriminator } = value;
    if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return;
    const mapping = Object.entries(discriminator['mapping']).map(([tag, each]) => [tag, named(each)]);
    Object.assign(discriminator, { mapping: Object.fromEntries(mapping) as unknown });
  });
  const { components } = document;
  const entries = [...names].map(([name, alias]) => ({ name, alias, schema: components.schemas[name] }));
  const references = entries.map(({ name, alias }) => [name, { $ref: `#/${alias}` }] as const);
  return {
    ...document,
    components: { ...components, schemas: Object.fromEntries(references) },
    ...Object.fromEntries(entries.map(({ alias, schema }) => [alias, schema])),
  };
}

type TypedSchema = Parameters<typeof transformSchemaObject>[0];

/** The exported type of a schema at the root of the document. */
function aliasOf(name: string, schema: TypedSchema, ctx: GlobalContext): ts.Node {
  const type = transformSchemaObject(schema, { path: createRef([name]), schema, ctx });
  const exported = tsModifiers({ export: true });
  const alias = ts.factory.createTypeAliasDeclaration(exported, name, undefined, type);
  // Any node may have a comment.
  addJSDocComment(schema, alias as ts.Node as ts.PropertySignature);
  return alias;
}

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
