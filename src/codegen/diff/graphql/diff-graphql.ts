/** The changes between two GraphQL schemas: found by GraphQL Inspector, proved by documents and results. */

import { type Change as Found, CriticalityLevel, diff } from '@graphql-inspector/core';
import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { readSchema } from '../../graphql/read-schema.js';
import type { Change, GraphqlWitness, Place, Severity, Verdict, VersionName } from '../change/change.js';
import { Documents } from './documents.js';
import { objectionTo, resultsOf } from './results.js';

/** Descriptions are not part of what is sent; a deprecation is told once, by its own change. */
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
}

/**
 * Compares two schemas in SDL.
 *
 * @throws ContractError when one is not a schema
 */
export async function diffGraphql(oldFile: string, newFile: string): Promise<readonly Change[]> {
  const [old, next] = [await load('old', oldFile), await load('new', newFile)];
  const found = await diff(old.schema, next.schema);
  const reverse = new Map((await diff(next.schema, old.schema)).map((change) => [keyOf(change), change]));
  const lone = new Set(
    found.filter(({ type }) => /^TYPE_(?:ADDED|REMOVED)$/.test(String(type))).map(({ path }) => path),
  );
  const changes: Change[] = [];
  for (const change of found) {
    const { path = '', message } = change;
    const type = String(change.type);
    // What a type has that is added or removed is told with the type.
    const isInside = path.includes('.') && lone.has(path.slice(0, path.indexOf('.')));
    if (IGNORED.test(type) || isInside) continue;
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
  return changes;
}

async function load(name: VersionName, file: string): Promise<SchemaVersion> {
  const schema = await readSchema(file);
  return { name, file, schema, documents: new Documents(schema) };
}

function keyOf({ type, path = '' }: Found): string {
  return `${String(type)} ${path}`;
}

function inverse(key: string): string {
  return key.replace(/ADDED|REMOVED/, (word) => (word === 'ADDED' ? 'REMOVED' : 'ADDED'));
}

/** @param from - the version of the clients; `to`: that of the server */
async function verdictOf(
  change: Found | undefined,
  from: SchemaVersion,
  to: SchemaVersion,
): Promise<Verdict> {
  if (change === undefined) return { severity: 'safe' };
  const { level, reason } = change.criticality;
  const severity = SEVERITIES[level];
  const told = reason === undefined ? {} : { reason };
  if (severity !== 'breaking') return { severity, ...(severity === 'dangerous' && told) };
  const witness = await witnessOf(change.path ?? '', from, to);
  if (witness !== undefined) return { severity, witness };
  return { severity: 'dangerous', reason: 'no document proves that it is breaking' };
}

async function witnessOf(
  path: string,
  from: SchemaVersion,
  to: SchemaVersion,
): Promise<GraphqlWitness | undefined> {
  for (const coordinate of [path, path.slice(0, Math.max(0, path.lastIndexOf('.')))]) {
    for (const document of from.documents.for(coordinate)) {
      const parsed = parse(document);
      if (validate(from.schema, parsed).length > 0) continue;
      const [error] = validate(to.schema, parsed);
      if (error !== undefined) {
        return { document, takenBy: from.name, refusedBy: to.name, refusal: error.message };
      }
    }
  }
  for (const document of to.documents.answering(path)) {
    const parsed = parse(document);
    if (validate(from.schema, parsed).length > 0) continue;
    for await (const data of resultsOf(to.schema, parsed, path)) {
      if ((await objectionTo(to.schema, parsed, data)) !== undefined) continue;
      const refusal = await objectionTo(from.schema, parsed, data);
      if (refusal !== undefined) return { document, data, takenBy: to.name, refusedBy: from.name, refusal };
    }
  }
  return undefined;
}

/** The place of what a coordinate names, or of the nearest part around it that the schema has. */
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
