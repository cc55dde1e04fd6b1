/** The changes between two GraphQL schemas: found by GraphQL Inspector, proved by documents and results. */

import { type Change as Found, CriticalityLevel, diff } from '@graphql-inspector/core';
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import type { Json } from '@concordat/runtime';
import {
  type ConstraintChecks,
  type ContractProblem,
  constraintChecks,
  constraintSchema,
  inputsOf,
  readSchema,
} from 'concordat/contract';
import type { Change, GraphqlWitness, Severity, Verdict, VersionName } from '../change/change.js';
import type { Place } from '../../running/wire-request.js';
import { brokenConstraint } from '../../values/graphql/broken-constraint.js';
import { inputVariants } from '../../values/graphql/sample-values.js';
import { compareSchemas } from '../schemas/compare-schemas.js';
import { Documents } from './documents.js';
import { objectionTo, resultsOf } from './results.js';

/** Descriptions are not part of messages, and a deprecation is reported once, by its own change. */
const IGNORED = /DESCRIPTION|^DIRECTIVE_USAGE_.*_(?:ADDED|REMOVED)$/;

const SEVERITIES: Readonly<Record<CriticalityLevel, Severity>> = {
  [CriticalityLevel.Breaking]: 'breaking',
  [CriticalityLevel.Dangerous]: 'dangerous',
  [CriticalityLevel.NonBreaking]: 'safe',
};

interface SchemaVersion {
  readonly name: VersionName;
  readonly file: string;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly constraints: ConstraintChecks;
}

interface GraphqlDiff {
  readonly changes: readonly Change[];
  /** The faults of the old schema, which is compared as far as it can be read. */
  readonly oldFaults?: readonly ContractProblem[];
}

/**
 * Compares two schemas in SDL.
 *
 * @throws ContractError when one is not a schema, or the new one has faults
 */
export async function diffGraphql(oldFile: string, newFile: string): Promise<GraphqlDiff> {
  const oldFaults: ContractProblem[] = [];
  const old = await load('old', oldFile, ({ problems }) => oldFaults.push(...problems));
  const next = await load('new', newFile);
  const found = await diff(old.schema, next.schema);
  const reverse = new Map((await diff(next.schema, old.schema)).map((change) => [keyOf(change), change]));
  const lone = new Set(
    found.filter(({ type }) => /^TYPE_(?:ADDED|REMOVED)$/.test(String(type))).map(({ path }) => path),
  );
  const changes: Change[] = [];
  for (const change of found) {
    const { path = '', message } = change;
    const type = String(change.type);
    // The members of an added or removed type are reported with the type.
    const isInside = path.includes('.') && lone.has(path.slice(0, path.indexOf('.')));
    // No document uses this directive, and what it says of inputs is compared below.
    if (IGNORED.test(type) || isInside || /^@constraint\b/.test(path)) continue;
    changes.push({
      kind: type.toLowerCase().replaceAll('_', '-'),
      message,
      operations: [],
      old: placeOf(old, path),
      new: placeOf(next, path),
      client: await verdictOf(change, old, next),
      server: await verdictOf(reverse.get(inverse(keyOf(change))), next, old),
    });
  }
  const all = [...changes, ...(await constraintChanges(old, next))];
  return { changes: all, ...(oldFaults.length > 0 && { oldFaults }) };
}

/** The changes of the constraints of arguments and input fields that both versions have. */
async function constraintChanges(old: SchemaVersion, next: SchemaVersion): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const after = inputsOf(next.schema);
  for (const [path, input] of inputsOf(old.schema)) {
    const changed = after.get(path);
    const [before, now] = [constraintSchema(input), changed && constraintSchema(changed)];
    if (changed === undefined || (before ?? now) === undefined) continue;
    const site = { old: [{ schema: before ?? true, at: path }], new: [{ schema: now ?? true, at: path }] };
    const tried = [input, changed].flatMap((each) => [...inputVariants(each, '')].map(({ value }) => value));
    const prove = async (from: SchemaVersion, to: SchemaVersion): Promise<Verdict> => {
      const witness = await witnessOf([path], from, to, tried);
      return witness === undefined ? UNPROVEN : { severity: 'breaking', witness };
    };
    for (const { kind, name, text, effect } of compareSchemas(site, path, 'request', () => false)) {
      changes.push({
        kind,
        message: `${name}${text}`,
        operations: [],
        old: placeOf(old, path),
        new: placeOf(next, path),
        client: effect === 'wider' ? SAFE : await prove(old, next),
        server: effect === 'narrower' ? SAFE : await prove(next, old),
      });
    }
  }
  return changes;
}

const SAFE: Verdict = { severity: 'safe' };
const UNPROVEN: Verdict = { severity: 'dangerous', reason: 'no document proves that it is breaking' };

async function load(
  name: VersionName,
  file: string,
  tolerated?: Parameters<typeof readSchema>[2],
): Promise<SchemaVersion> {
  const schema = await readSchema(file, [], tolerated);
  const constraints = await constraintChecks(schema);
  return { name, file, schema, documents: new Documents(schema), constraints };
}

/** Only these details name the member of a union, or the interface of a type, that is added or removed. */
interface Details {
  readonly removedUnionMemberTypeName?: string;
  readonly addedUnionMemberTypeName?: string;
  readonly removedInterfaceName?: string;
  readonly addedInterfaceName?: string;
}

function keyOf({ type, path = '', meta }: Found): string {
  const details = meta as Details;
  const member = details.removedUnionMemberTypeName ?? details.addedUnionMemberTypeName;
  const parent = details.removedInterfaceName ?? details.addedInterfaceName;
  return [String(type), path, member, parent].join(' ');
}

function inverse(key: string): string {
  return key.replace(/ADDED|REMOVED/, (word) => (word === 'ADDED' ? 'REMOVED' : 'ADDED'));
}

/** The verdict for clients of the version `from` and a server of the version `to`. */
async function verdictOf(
  change: Found | undefined,
  from: SchemaVersion,
  to: SchemaVersion,
): Promise<Verdict> {
  if (change === undefined) return SAFE;
  const { level, reason } = change.criticality;
  const severity = SEVERITIES[level];
  const explained = reason === undefined ? {} : { reason };
  if (severity !== 'breaking') return { severity, ...(severity === 'dangerous' && explained) };
  const witness = await witnessOf(coordinatesOf(change, from.schema), from, to);
  return witness === undefined ? UNPROVEN : { severity, witness };
}

/** The coordinates that a document must use to show the change: the one at the path, then the part around it. */
function coordinatesOf({ type, path = '', meta }: Found, schema: GraphQLSchema): readonly string[] {
  const { removedUnionMemberTypeName: member, removedInterfaceName: removed } = meta as Details;
  const kind = String(type);
  if (kind === 'UNION_MEMBER_REMOVED') return [`${path}.${String(member)}`];
  if (kind === 'OBJECT_TYPE_INTERFACE_REMOVED') return [`${String(removed)}.${path}`];
  if (!kind.startsWith('SCHEMA_')) return [path, path.slice(0, Math.max(0, path.lastIndexOf('.')))];
  const roots = [schema.getMutationType(), schema.getSubscriptionType(), schema.getQueryType()];
  return roots.flatMap((root) => root?.name ?? []);
}

async function witnessOf(
  coordinates: readonly string[],
  from: SchemaVersion,
  to: SchemaVersion,
  tried: readonly Json[] = [],
): Promise<GraphqlWitness | undefined> {
  for (const document of coordinates.flatMap((coordinate) => [...from.documents.for(coordinate, tried)])) {
    const parsed = parse(document);
    if (refusalOf(from, parsed) !== undefined) continue;
    const refusal = refusalOf(to, parsed);
    if (refusal !== undefined) return { document, takenBy: from.name, refusedBy: to.name, refusal };
  }
  const [coordinate = ''] = coordinates;
  for (const document of to.documents.answering(coordinate)) {
    const parsed = parse(document);
    if (refusalOf(from, parsed) !== undefined) continue;
    for await (const data of resultsOf(to.schema, parsed, coordinate)) {
      if ((await objectionTo(to.schema, parsed, data)) !== undefined) continue;
      const refusal = await objectionTo(from.schema, parsed, data);
      if (refusal !== undefined) return { document, data, takenBy: to.name, refusedBy: from.name, refusal };
    }
  }
  return undefined;
}

/** The reason that a schema refuses a document. Validation does not report an operation whose root type is missing in the schema. */
function refusalOf({ schema, constraints }: SchemaVersion, document: DocumentNode): string | undefined {
  const [error] = validate(schema, document);
  if (error !== undefined) return error.message;
  for (const definition of document.definitions) {
    const isOperation = definition.kind === Kind.OPERATION_DEFINITION;
    if (isOperation && !schema.getRootType(definition.operation))
      return `The schema has no ${definition.operation} type.`;
  }
  return brokenConstraint(schema, constraints, document, undefined, true);
}

/** The place of a coordinate, or of the nearest part around it that the schema has. */
function placeOf({ file, schema }: SchemaVersion, pointer: string): Place {
  const [name = '', member = '', argument = ''] = pointer.split('.');
  const type = schema.getType(name);
  const directive = schema.getDirective(name.replace(/^@/, ''));
  const field =
    isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
      ? type.getFields()[member]
      : undefined;
  const value = isEnumType(type) ? type.getValue(member) : undefined;
  const found =
    field !== undefined && 'args' in field ? field.args.find((each) => each.name === argument) : undefined;
  const line = (found ?? field ?? value ?? type ?? directive)?.astNode?.loc?.startToken.line;
  return { file, pointer, ...(line !== undefined && { line }) };
}
