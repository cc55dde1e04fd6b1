/** Compiles the schemas of an OpenAPI document (3.0, 3.1 or 3.2) into modules of checks that have no dependencies. */

import type { Check } from '@concordat/runtime';
import { atPlace, type UnsupportedFeature } from '../../contract/problems/contract-problem.js';
import { type CheckModule, CheckModules } from '../compiler/check-modules.js';
import { WrittenChecks } from '../compiler/written-checks.js';
import { ContractSchemas, type SchemaOptions } from '../../contract/schemas/contract-schemas.js';
import { KNOWN_DIALECTS } from '../../contract/schemas/dialect.js';
import type { OpenApiDocument, Schema } from '../../contract/schemas/document.js';
import type { Direction } from './facts.js';
import {
  FunctionNames,
  finiteParts,
  reportEndless,
  type Part,
  reachableParts,
  type Root,
  sharedParts,
  type Unit,
} from './units.js';
import { Normaliser } from './normalise.js';
import { code, type Code, NOTHING } from '../../text/code.js';
import { SURPLUS_TYPE, surplusOf } from './surplus.js';
import { type NamedCheck, namedChecks } from './named-checks.js';

/** The source of a schema: a place in the document, or a schema that the generator made for a place. */
type SchemaSource = PlacedSchema | MadeSchema;

/** A schema of the document. */
interface PlacedSchema {
  /** Its place. */
  readonly pointer: string;
  /** The properties of its values that are files, or lists of files, and have no check. */
  readonly files?: readonly string[];
}

/** A schema that the generator made for a place. */
interface MadeSchema {
  readonly schema: Schema;
  readonly at: string;
  /** Whether its properties are parameters or headers, to which `readOnly` and `writeOnly` do not apply. */
  readonly isMessage?: true;
}

export interface ValidatorRequest {
  /** The export name: a JavaScript identifier, unique among the requests. */
  readonly name: string;
  readonly schema: SchemaSource;
  /** Requests must not have `readOnly` properties, responses no `writeOnly` ones. */
  readonly direction: Direction;
  /** Describes the check in the generated file. Default: the place of its schema. */
  readonly about?: string;
}

export interface CompileOptions extends SchemaOptions {
  /** The first line of each module. */
  readonly banner?: Code;
  /** The schemas of the document, with the same options; they get the unsupported features. */
  readonly schemas?: ContractSchemas;
  /** Called after each function that is written. */
  readonly progress?: (done: number, total: number) => void;
  /** Whether to find the checks of components too. Default: no. */
  readonly named?: boolean;
}

/** The compiled checks, in modules of their own: a server loads the checks of responses only when it checks its responses. */
interface CompiledValidators {
  readonly requests: ValidatorsFile;
  readonly responses: ValidatorsFile;
  /** The functions that omit undeclared members from responses. */
  readonly surplus: ValidatorsFile;
  /** The functions that several modules in TypeScript import; undefined if there are none. */
  readonly shared: Code | undefined;
  readonly unsupported: readonly UnsupportedFeature[];
  /** The requested names that have no check, because their schema accepts everything. */
  readonly trivial: ReadonlySet<string>;
  /** The checks of the components that the requested checks lead to. */
  readonly named: readonly NamedCheck[];
  /** The functions of the named checks that no module has. */
  readonly namedFunctions: Code;
}

/**
 * Compiles checks for the schemas of a document (OpenAPI 3.0, 3.1 and 3.2, JSON Schema 2020-12).
 *
 * A check returns a boolean, and carries a description that is used to explain failures. In requests, a check also inserts the
 * defaults of absent properties into the value.
 *
 * @param document is not changed; references are pointers into it
 * @param wanted the checks to make; checks with equal schemas share one function
 * @throws when a reference points nowhere, or the document is not OpenAPI 3.0, 3.1 or 3.2
 * @example const { requests } = compileValidators(document, [ { name: 'newPet', schema: { pointer: '#/components/schemas/NewPet'
 *   }, direction: 'request' }, ]); // requests.js exports newPet
 */
export function compileValidators(
  document: OpenApiDocument,
  wanted: readonly ValidatorRequest[],
  options: CompileOptions = {},
): CompiledValidators {
  const { schemas = new ContractSchemas(document, options) } = options;
  const dialect = document.jsonSchemaDialect;
  if (dialect !== undefined && !KNOWN_DIALECTS.has(dialect))
    schemas.unsupported('dialect', '#/jsonSchemaDialect', `the schema dialect ${dialect} is not supported`);
  const normaliser = new Normaliser(schemas);
  const trivial = new Set<string>();
  const roots: Root[] = [];
  for (const { name, schema: source, direction, about } of wanted) {
    const isOwn = 'pointer' in source;
    const node = isOwn ? schemas.at(source.pointer) : schemas.made(source.schema, source.at);
    const schema = atPlace(node.at, () =>
      isOwn
        ? normaliser.root(node, direction, source.files)
        : normaliser.made(node, direction, source.isMessage),
    );
    if (schema === true) trivial.add(name);
    else roots.push({ name, about: about ?? node.at, at: node.at, direction, schema });
  }
  const names = wanted.map(({ name }) => name);
  if (options.named) roots.push(...namedChecks(normaliser, schemas.components, roots, names));
  const { parts, partOf } = sharedParts(
    namedParts(normaliser.units, roots, [...names, ...roots.map(({ name }) => name)], document),
  );
  const exported = roots.map((root, index) => ({ ...root, part: partOf(rootId(root, index)) }));
  const ids = exported.map(({ part }) => part.id);
  const finite = finiteParts(reachableParts(parts, ids), schemas);
  reportEndless(schemas);
  const sent = exported
    .filter(({ direction, named }) => direction === 'response' && named === undefined)
    .map(({ name, part }) => ({ name, id: part.id }));
  const surplus = surplusOf(finite, sent, names);
  const checks = new WrittenChecks([...finite, ...surplus.checks], options.progress);
  const module = (direction: Direction): CheckModule => ({
    exported: exported
      .filter((root) => root.direction === direction && root.named?.isExported !== false)
      .map(({ name, part }) => ({ name, check: part.name })),
  });
  const named = exported.flatMap(({ name, direction, part, named: own }) =>
    own === undefined ? [] : [{ ...own, direction, name: own.isApart ? part.name : name }],
  );
  const calls = named.flatMap(({ isApart, name }) => (isApart ? [name] : []));
  const requests = module('request');
  const responses = module('response');
  const omitting = { exported: [], further: surplus.code };
  const apart = { exported: [], further: { text: () => NOTHING, calls, helpers: [] } };
  const modules = new CheckModules(checks, [requests, responses, omitting, apart]);
  const { banner = NOTHING } = options;
  const file = (own: CheckModule, types = CHECK_TYPE): ValidatorsFile => ({
    js: modules.script(banner, own),
    ts: modules.typed(code`${banner}${UNCHECKED}\n${types}`, own, code`Check`),
  });
  return {
    requests: file(requests),
    responses: file(responses),
    surplus: file(omitting, code`${CHECK_TYPE}${SURPLUS_TYPE}`),
    shared: modules.shared(code`${banner}${UNCHECKED}`),
    unsupported: schemas.unsupportedFeatures,
    trivial,
    named,
    namedFunctions: modules.typed(NOTHING, apart),
  };
}

/** Compiles and loads the checks of the schemas at some places. A schema that accepts everything has no check. */
export async function checksAt(
  document: OpenApiDocument,
  places: readonly string[],
  direction: Direction,
  options: CompileOptions,
): Promise<ReadonlyMap<string, (value: unknown) => boolean>> {
  if (places.length === 0) return new Map();
  const wanted = places.map((pointer, index) => ({ name: `check${index}`, schema: { pointer }, direction }));
  const { requests, responses } = compileValidators(document, wanted, options);
  const { js } = direction === 'request' ? requests : responses;
  const checks = await loadedModule(js);
  const found = places.flatMap((place, index) => {
    const check = checks[`check${index}`];
    return check === undefined ? [] : [[place, check] as const];
  });
  return new Map(found);
}

/** Loads a module of checks. */
export async function loadedModule(js: Code): Promise<Readonly<Record<string, Check>>> {
  const url = `data:text/javascript;base64,${Buffer.from(js).toString('base64')}`;
  return (await import(url)) as Readonly<Record<string, Check>>;
}

/** The id of the unit that a requested check refers to, or a new id. */
function rootId({ schema }: Root, index: number): string {
  if (typeof schema === 'object' && Object.keys(schema).length === 1 && typeof schema['$ref'] === 'string')
    return schema['$ref'];
  return `r${index}`;
}

/**
 * Every unit, and every requested check that is not a unit, with the name of its function.
 *
 * @param exported - the names of all checks, including those that accept everything and have no function here
 */
function namedParts(
  units: readonly Unit[],
  roots: readonly Root[],
  exported: readonly string[],
  document: unknown,
): readonly Part[] {
  const names = new FunctionNames(exported, document);
  const asked = new Map<string, Root>();
  for (const [index, root] of roots.entries()) {
    const id = rootId(root, index);
    if (!asked.has(id)) asked.set(id, root);
  }
  const unitIds = new Set(units.map(({ id }) => id));
  return [
    ...units.map((unit): Part => {
      // A component always has its own name; a schema inside an operation has the name of the requested check.
      const root = asked.get(unit.id);
      const isComponent = unit.at.startsWith('#/components/schemas/');
      const name =
        root === undefined || isComponent ? names.forUnit(unit.at, unit.mode) : names.forExport(root.name);
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

/** The text of a module: as JavaScript, to be run at once, and as TypeScript, to be written. */
export interface ValidatorsFile {
  readonly js: Code;
  readonly ts: Code;
}

/** The functions have no types inside, and checking those of a large contract would take seconds at each compilation. */
const UNCHECKED = code`// @ts-nocheck\n`;

/** A copy of the type in the runtime's contract: these files import no package. */
const CHECK_TYPE = code`/** A compiled JSON Schema check. */
export interface Check {
  (value: unknown): boolean;
  /** A description of the check, built on demand, from which failures are explained. */
  readonly schema?: () => unknown;
}
`;
