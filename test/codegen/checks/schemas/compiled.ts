/** Compiles schemas and imports the checks from a place where nothing is installed, as a generated file must stand. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  compileValidators,
  type ValidatorRequest,
} from '../../../../src/codegen/checks/schemas/compile-validators.js';
import type { OpenApiDocument } from '../../../../src/codegen/contract/schemas/document.js';
import type { AnySchema } from '../any-schema.js';
import { upgraded } from '../../../../src/codegen/contract/load/upgrade.js';
import type { Check } from '../../../../src/runtime/contract/contract.js';

/** The checks of one module by name. */
export type Checks = Readonly<Record<string, Check>>;

/** Imports the text of a module. @param shared - the text of the module that it imports, if it does */
export async function imported(text: string, shared?: string): Promise<Checks> {
  const folder = mkdtempSync(join(tmpdir(), 'concordat-checks-'));
  try {
    const file = join(folder, text.includes('// @ts-nocheck') ? 'validators.mts' : 'validators.mjs');
    writeFileSync(file, text);
    if (shared !== undefined) {
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'shared-checks.ts'), shared);
    }
    return (await import(pathToFileURL(file).href)) as Checks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A document that has only schemas. */
export function documentOf(
  openapi: '3.0.3' | '3.1.0',
  schemas: Readonly<Record<string, AnySchema>>,
): OpenApiDocument {
  return upgraded({ openapi, components: { schemas } });
}

/** Compiles what is wanted of a document. */
export function compiled(document: OpenApiDocument, wanted: readonly ValidatorRequest[]) {
  return compileValidators(document, wanted);
}

/** A request for the check of a component schema, named after it. */
export function component(name: string, direction: 'request' | 'response' = 'request'): ValidatorRequest {
  return { name: `check${name}`, schema: { pointer: `#/components/schemas/${name}` }, direction };
}

/** The check of one component schema in one direction. */
export async function checkOf(
  document: OpenApiDocument,
  name: string,
  direction: 'request' | 'response' = 'request',
): Promise<Check> {
  const { requests, responses, unsupported } = compiled(document, [component(name, direction)]);
  const [feature] = unsupported;
  if (feature) throw new Error(`${feature.at}: ${feature.message}`);
  const check = (await imported((direction === 'request' ? requests : responses).js))[`check${name}`];
  if (check === undefined) throw new Error(`${name} accepts everything`);
  return check;
}
