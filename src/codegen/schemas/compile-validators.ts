/** Compiles the schemas of an OpenAPI 3.0 or 3.1 document into a module of checks that needs nothing installed. */
import type { UnsupportedFeature } from '../problems/unsupported-feature.js';
import { WrittenChecks } from '../compiler/written-checks.js';
import { ContractSchemas, type SchemaOptions } from './contract-schemas.js';
import type { OpenApiDocument, Schema } from './document.js';
import type { Direction } from './facts.js';
import { FunctionNames } from './names.js';
import type { NormalSchema, Unit } from './normal-schema.js';
import { Normaliser } from './normalise.js';
import { finiteParts, reachableParts, sharedParts, type Part } from './parts.js';
import { canonicalPointer } from '../text/pointer.js';
import { validatorsFile, type ValidatorsFile } from './validators-file.js';

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

export interface CompileOptions extends SchemaOptions {
  /** What the generated files call their contract: `openapi.yaml`. */
  readonly contract: string;
  /** Called after each step, with how many of how many are done. */
  readonly progress?: (done: number, total: number) => void;
}

/** The compiled checks. Requests and responses are two modules, so that a server loads the second only when it checks responses. */
export interface CompiledValidators {
  readonly requests: ValidatorsFile;
  readonly responses: ValidatorsFile;
  readonly gaps: readonly UnsupportedFeature[];
  /** The requested names that have no check, because their schema accepts everything. */
  readonly trivial: ReadonlySet<string>;
}

/**
 * Compiles checks for the schemas of a document (OpenAPI 3.0.3 and 3.1.1, JSON Schema 2020-12).
 *
 * A check answers with a boolean, and describes itself so that failures can be told. In requests, a check also inserts
 * the defaults of absent properties into the value.
 *
 * @param document it is not changed; references lead into it, or into one of the `remotes`
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
  const schemas = new ContractSchemas(document, options);
  const dialect = document.jsonSchemaDialect;
  if (dialect !== undefined && !schemas.knowsDialect(dialect)) {
    schemas.gap('dialect', '#/jsonSchemaDialect', `the schema dialect ${dialect} is not supported`);
  }
  const normaliser = new Normaliser(schemas);
  const trivial = new Set<string>();
  const roots: Root[] = [];
  for (const { name, schema: source, direction, about } of wanted) {
    const place = 'pointer' in source ? canonicalPointer(source.pointer) : source.at;
    const schema = normaliser.root('pointer' in source ? place : source, direction);
    if (schema === true) trivial.add(name);
    else roots.push({ name, about: about ?? place, at: place, direction, schema });
  }
  const { parts, partOf } = sharedParts(namedParts(normaliser.units, roots));
  const exported = roots.map((root, index) => ({ ...root, part: partOf(rootId(root, index)) }));
  const needed = reachableParts(
    parts,
    exported.map(({ part }) => part.id),
  );
  const checks = new WrittenChecks(finiteParts(needed, schemas), options.progress);
  const file = (direction: Direction): ValidatorsFile => {
    const names = exported
      .filter((root) => root.direction === direction)
      .map(({ name, about, part }) => ({ name, about, check: part.name }));
    return validatorsFile(options.contract, names, checks);
  };
  return { requests: file('request'), responses: file('response'), gaps: schemas.gaps, trivial };
}

/** A requested check. */
interface Root {
  readonly name: string;
  readonly about: string;
  readonly at: string;
  readonly direction: Direction;
  readonly schema: NormalSchema;
}

/** The part that a requested check is: the unit that its schema refers to, or a part of its own. */
function rootId({ schema }: Root, index: number): string {
  if (typeof schema === 'object' && Object.keys(schema).length === 1 && typeof schema['$ref'] === 'string') {
    return schema['$ref'];
  }
  return `r${index}`;
}

/** Every unit and every requested check that is none, with the name of its function. */
function namedParts(units: readonly Unit[], roots: readonly Root[]): readonly Part[] {
  const names = new FunctionNames(roots.map(({ name }) => name));
  const asked = new Map<string, Root>();
  for (const [index, root] of roots.entries()) {
    const id = rootId(root, index);
    if (!asked.has(id)) asked.set(id, root);
  }
  const unitIds = new Set(units.map(({ id }) => id));
  return [
    ...units.map((unit): Part => {
      // A component has one name whoever asks for it; a schema inside an operation is called by what asks for it.
      const root = asked.get(unit.id);
      const isComponent = unit.at.startsWith('#/components/schemas/');
      const name =
        root === undefined || isComponent
          ? names.forUnit(unit.at, unit.mode, root?.name)
          : names.forExport(root.name);
      return { ...unit, name, about: aboutUnit(unit) };
    }),
    ...[...asked]
      .filter(([id]) => !unitIds.has(id))
      .map(([id, root]) => ({ ...root, id, name: names.forExport(root.name) })),
  ];
}

function aboutUnit({ at, mode }: Unit): string {
  const direction = mode.direction === 'both' ? '' : `, in a ${mode.direction}`;
  const base = mode.base ? ', as the schemas that extend it see it' : '';
  const defaults = mode.defaults ? '; inserts defaults' : '';
  return `${at}${direction}${base}${defaults}`;
}
