/** Compiles the schemas of an OpenAPI 3.0 or 3.1 document into a module of checks that needs nothing installed. */
import type { Gap } from '../gap.js';
import { unitCompiler } from './ajv.js';
import { checkSource, Constants } from './check-source.js';
import { ContractSchemas } from './contract-schemas.js';
import { SUPPORTED_DIALECTS } from './dialect.js';
import type { OpenApiDocument, Schema } from './document.js';
import { dispatches, endlessUnits } from './endless.js';
import type { Direction } from './facts.js';
import { FunctionNames } from './names.js';
import { innerSchemas, referredUnits, type NormalSchema, type Unit } from './normal-schema.js';
import { Normaliser } from './normalise.js';
import { canonicalPointer } from './pointer.js';
import { validatorsFile, type ValidatorsFile, type WrittenCheck } from './validators-file.js';

/** Where a schema comes from: a place in the document, or a schema made for the purpose that stands for a place. */
export type SchemaSource = { readonly pointer: string } | { readonly schema: Schema; readonly at: string };

/** One check to compile. */
export interface ValidatorRequest {
  /** The export name, a JavaScript identifier that no other request has. */
  readonly name: string;
  readonly schema: SchemaSource;
  /** Which way the value travels: a request may not carry `readOnly` properties, a response no `writeOnly` ones. */
  readonly direction: Direction;
  /** What it checks, for the reader of the generated file. Default: the place of its schema. */
  readonly about?: string;
}

export interface CompileOptions {
  /** What the generated files call their contract: `openapi.yaml`. */
  readonly contract: string;
  /** Called after each function, with how many of how many are done. */
  readonly progress?: (done: number, total: number) => void;
}

/** The compiled checks. Requests and responses are two modules, so that a server loads the second only when it checks responses. */
export interface CompiledValidators {
  readonly requests: ValidatorsFile;
  readonly responses: ValidatorsFile;
  readonly gaps: readonly Gap[];
  /** The requested names that have no check, because their schema accepts everything. */
  readonly trivial: ReadonlySet<string>;
}

/**
 * Compiles checks for the schemas of a document (OpenAPI 3.0.3 and 3.1.1, JSON Schema 2020-12).
 *
 * A check returns true, or false with the failure in its `errors`. In requests, a check also inserts the defaults of
 * absent properties into the value.
 *
 * @param document bundled: every reference is a JSON Pointer into it. It is not changed.
 * @param wanted the checks to make; those whose schemas are equal share one function
 * @throws when a reference points nowhere, or the document is neither 3.0 nor 3.1
 * @example
 * const { requests } = compileValidators(document, [
 *   { name: 'newPet', schema: { pointer: '#/components/schemas/NewPet' }, direction: 'request' },
 * ], { contract: 'openapi.yaml' });
 * // requests.js exports newPet
 */
export function compileValidators(
  document: OpenApiDocument,
  wanted: readonly ValidatorRequest[],
  options: CompileOptions,
): CompiledValidators {
  const schemas = new ContractSchemas(document);
  const dialect = document.jsonSchemaDialect;
  if (dialect !== undefined && !SUPPORTED_DIALECTS.includes(dialect)) {
    schemas.gap('dialect', '#/jsonSchemaDialect', `the schema dialect ${dialect} is not supported`);
  }
  const normaliser = new Normaliser(schemas);
  const names = new FunctionNames(wanted.map(({ name }) => name));
  const trivial = new Set<string>();
  const roots = new Map<string, Root>();
  const exported: Exported[] = [];
  for (const { name, schema: source, direction, about } of wanted) {
    const place = 'pointer' in source ? canonicalPointer(source.pointer) : source.at;
    const schema = normaliser.root('pointer' in source ? place : source, direction);
    if (schema === true) {
      trivial.add(name);
      continue;
    }
    const exportedCheck = { name, about: about ?? place, direction };
    exported.push({
      ...exportedCheck,
      unit: referredOnly(schema) ?? rootUnit(schema, exportedCheck, roots).id,
    });
  }
  const exportNames = new Map(exported.map(({ unit, name }) => [unit, name]).reverse() as [string, string][]);
  const parts: Part[] = [
    ...normaliser.units.map((unit) => {
      const exportName = unit.at.startsWith('#/components/schemas/') ? undefined : exportNames.get(unit.id);
      const name = exportName === undefined ? names.forUnit(unit.at, unit.mode) : names.forExport(exportName);
      return { ...unit, name, about: aboutUnit(unit) };
    }),
    ...[...roots.values()].map((root) => ({ ...root, name: names.forExport(root.name) })),
  ];
  const checks = compiled(withoutEndless(reachable(parts, exported), schemas), options.progress);
  const nameOf = new Map(parts.map(({ id, name }) => [id, name]));
  const file = (direction: Direction): ValidatorsFile =>
    validatorsFile(
      options.contract,
      exported
        .filter((check) => check.direction === direction)
        .map(({ name, about, unit }) => ({ name, about, check: nameOf.get(unit) ?? name })),
      checks.functions,
      checks.constants,
    );
  return { requests: file('request'), responses: file('response'), gaps: schemas.gaps, trivial };
}

/** A requested schema that is no other's unit. */
interface Root {
  readonly id: string;
  readonly at: string;
  readonly name: string;
  readonly about: string;
  readonly schema: NormalSchema;
}

/** What becomes one function. */
type Part = Root;

interface Exported {
  readonly name: string;
  readonly about: string;
  readonly direction: Direction;
  readonly unit: string;
}

function rootUnit(
  schema: NormalSchema,
  { name, about }: { readonly name: string; readonly about: string },
  roots: Map<string, Root>,
): Root {
  const key = JSON.stringify(schema);
  let root = roots.get(key);
  if (root === undefined) roots.set(key, (root = { id: `r${roots.size}`, at: about, name, about, schema }));
  return root;
}

function referredOnly(schema: NormalSchema): string | undefined {
  if (typeof schema === 'boolean' || Object.keys(schema).length !== 1) return undefined;
  return typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined;
}

function aboutUnit({ at, mode }: Unit): string {
  const direction = mode.direction === 'both' ? '' : `, in a ${mode.direction}`;
  const base = mode.base ? ', as the schemas that extend it see it' : '';
  const defaults = mode.defaults ? '; inserts defaults' : '';
  return `${at}${direction}${base}${defaults}`;
}

/** The parts that the exported checks need, in the order in which they can be compiled. */
function reachable(parts: readonly Part[], exported: readonly Exported[]): readonly Part[] {
  const byId = new Map(parts.map((part) => [part.id, part]));
  const reached = new Set(exported.map(({ unit }) => unit));
  for (const id of reached) {
    const part = byId.get(id);
    if (part) for (const referred of referredUnits(part.schema)) reached.add(referred);
  }
  return parts.filter(({ id }) => reached.has(id));
}

function withoutEndless(parts: readonly Part[], schemas: ContractSchemas): readonly Part[] {
  const endless = new Set(endlessUnits(parts));
  for (const { at, schema } of endless) {
    const code = dispatches(schema) ? 'discriminator-inheritance' : 'endless-reference';
    schemas.gap(
      code,
      at,
      'the schema refers to itself for the same value, so that a check of it would never end',
    );
  }
  return parts.map((part) => (endless.has(part) ? { ...part, schema: true } : part));
}

function compiled(
  parts: readonly Part[],
  progress: CompileOptions['progress'],
): { readonly functions: ReadonlyMap<string, WrittenCheck>; readonly constants: Constants } {
  const ajv = unitCompiler({
    unevaluated: parts.some(({ schema }) =>
      hasKeyword(schema, ['unevaluatedProperties', 'unevaluatedItems']),
    ),
    ownProperties: parts.some(({ schema }) => namesInherited(schema)),
  });
  for (const { id, schema } of parts) ajv.addSchema(schema, id);
  const validates = parts.map(({ id }) => {
    const validate = ajv.getSchema(id);
    if (validate === undefined) throw new Error(`${id} was not compiled`);
    return validate;
  });
  const functionNames = new Map(
    parts.map(({ name }, index) => [String(validates[index]?.source?.validateName), name]),
  );
  const constants = new Constants();
  const functions = new Map<string, WrittenCheck>();
  for (const [index, { name, about }] of parts.entries()) {
    const validate = validates[index];
    if (validate)
      functions.set(name, { name, about, source: checkSource(validate, functionNames, constants) });
    progress?.(index + 1, parts.length);
  }
  return { functions, constants };
}

function hasKeyword(schema: NormalSchema, keywords: readonly string[]): boolean {
  if (typeof schema === 'boolean') return false;
  return (
    keywords.some((keyword) => keyword in schema) ||
    [...innerSchemas(schema)].some((inner) => hasKeyword(inner, keywords))
  );
}

/** True when a schema names a property that every object has without being given it, such as `constructor`. */
function namesInherited(schema: NormalSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const names = [
    ...Object.keys((schema['properties'] as object | undefined) ?? {}),
    ...((schema['required'] as string[] | undefined) ?? []),
  ];
  return names.some((name) => name in Object.prototype) || [...innerSchemas(schema)].some(namesInherited);
}
