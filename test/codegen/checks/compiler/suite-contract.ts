/** Puts the schemas of the JSON Schema Test Suite into contracts, a component for each, and generates their checks. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractError, generate, type GenerateOptions } from 'concordat';
import { isObject } from '../../../../src/codegen/contract/schemas/document.js';
import { holderOf } from '../../../../src/codegen/contract/schemas/dialect.js';
import { joinPointer } from '../../../../src/codegen/text/pointer.js';
import type { Check } from '../../../../src/runtime/contract/contract.js';
import { imported } from '../schemas/compiled.js';
import { documentOf, textOf } from '../../written-contract.js';

/** The most schemas of one contract: its types take most of the time, and one fault hides the others. */
const SIZE = 100;

/** Features that leave every verdict as it is. */
const HARMLESS = new Set(['unknown-keyword', 'unknown-format', 'invalid-default', 'default-in-composition']);

/** Parts of a list in which no two schemas give themselves the same name. */
export function batchesOf<T extends { readonly schema: unknown }>(
  list: readonly T[],
): readonly (readonly T[])[] {
  const batches: { readonly members: T[]; readonly names: Set<string> }[] = [];
  for (const each of list) {
    const names = [...identifiers(each.schema)];
    const fitting = ({ members, names: taken }: (typeof batches)[number]): boolean =>
      members.length < SIZE && !names.some((name) => taken.has(name));
    let batch = batches.find(fitting);
    if (batch === undefined) batches.push((batch = { members: [], names: new Set() }));
    batch.members.push(each);
    for (const name of names) batch.names.add(name);
  }
  return batches.map(({ members }) => members);
}

function* identifiers(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (/^\$(?:id|anchor|dynamicAnchor)$/.test(keyword) && typeof value === 'string') yield value;
    yield* identifiers(value);
  }
}

/** A contract whose component `S0` is the first schema, and that answers with each of them. */
export function contractOf(schemas: readonly unknown[], openapi = '3.1.0'): object {
  const names = schemas.map((_, index) => `S${index}`);
  const components = {
    schemas: Object.fromEntries(names.map((name, index) => [name, asComponent(schemas[index], name)])),
  };
  const paths = Object.fromEntries(
    names.map((name) => {
      // Beside a title, a reference has a check of its own name.
      const schema = { $ref: `#/components/schemas/${name}`, title: name };
      const content = { 'application/json': { schema } };
      const responses = { 200: { description: name, content } };
      return [`/${name}`, { put: { operationId: `put${name}`, requestBody: { content }, responses } }];
    }),
  );
  return documentOf({ paths, components }, openapi);
}

/** A schema whose local references lead to the same places when it is a component. */
export function asComponent<Schema>(schema: Schema, name: string): Schema {
  // Without parts that are in several places, which would be rewritten once for each.
  const copy = JSON.parse(JSON.stringify(schema)) as Schema;
  rewrite(copy, joinPointer('#/components/schemas', name));
  return copy;
}

function rewrite(schema: unknown, at: string): void {
  // The references of a schema with a URI of its own are relative to it.
  if (!isObject(schema) || '$id' in schema) return;
  for (const keyword of ['$ref', '$dynamicRef']) {
    const reference = schema[keyword];
    if (typeof reference === 'string' && /^#(?:\/|$)/.test(reference))
      Object.assign(schema, { [keyword]: `${at}${reference.slice(1)}` });
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const holds = holderOf(keyword);
    const inner = holds === 'one' ? [value] : holds === undefined ? [] : Object.values(value as object);
    for (const each of inner) rewrite(each, at);
  }
}

export interface GeneratedChecks {
  /** For each schema, its check in requests and in responses. */
  readonly checks: readonly (readonly [Check, Check])[];
  /** The text of `openapi.ts`. */
  readonly types: string;
}

/** The generated checks of schemas. @throws for a contract with a fault, or a feature that changes a verdict */
export async function generatedChecks(
  schemas: readonly unknown[],
  options: Pick<GenerateOptions, 'formats' | 'remotes'>,
  openapi?: string,
): Promise<GeneratedChecks> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-suite-'));
  try {
    const file = join(directory, 'openapi.json');
    await writeFile(file, textOf(contractOf(schemas, openapi)));
    const files = await generateHarmless({ openapi: file, ...options });
    const requests = await imported(files['validators.ts'] ?? '', files['shared-checks.ts']);
    const responses = await imported(files['response-validators.ts'] ?? '', files['shared-checks.ts']);
    const checks = schemas.map((_, index): readonly [Check, Check] => {
      const [inRequest, inResponse] = [requests[`putS${index}Body`], responses[`putS${index}200`]];
      if (inRequest === undefined || inResponse === undefined) throw new Error(`S${index} has no check`);
      return [inRequest, inResponse];
    });
    return { checks, types: files['openapi.ts'] ?? '' };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function generateHarmless(options: GenerateOptions): Promise<Readonly<Record<string, string>>> {
  try {
    return await generate(options);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const features = error.problems.map(({ feature = '' }) => feature);
    if (!features.every((feature) => HARMLESS.has(feature))) throw error;
    return generate({ ...options, accept: [...new Set(features)] });
  }
}
