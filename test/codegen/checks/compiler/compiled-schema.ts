/** Compiles plain JSON Schemas as components of a contract, and imports their checks. */
import { compileValidators } from '../../../../src/codegen/checks/schemas/compile-validators.js';
import type { SchemaOptions } from '../../../../src/codegen/contract/schemas/contract-schemas.js';
import type { AnySchema } from '../any-schema.js';
import { asComponent } from './suite-contract.js';
import type { Check } from '../../../../src/runtime/contract/contract.js';

/** What a schema may say that no check can hold a value to. */
const HARMLESS = ['unknown-keyword', 'unknown-format'];

/** The text of a module whose export `check` checks a schema; nothing when it accepts everything. */
export function moduleOf(
  schema: unknown,
  options: SchemaOptions = {},
  openapi = '3.1.0',
): string | undefined {
  const document = { openapi, components: { schemas: { Root: asComponent(schema as AnySchema, 'Root') } } };
  const wanted = [
    { name: 'check', schema: { pointer: '#/components/schemas/Root' }, direction: 'response' },
  ] as const;
  const { responses, trivial, unsupported } = compileValidators(document, wanted, {
    ...options,
  });
  const found = unsupported.find(({ feature }) => !HARMLESS.includes(feature));
  if (found !== undefined) throw new Error(`${found.at}: ${found.message} (${found.feature})`);
  return trivial.size > 0 ? undefined : responses.js;
}

/** The check of a schema. */
export async function compiledSchema(
  schema: unknown,
  options?: SchemaOptions,
  openapi?: string,
): Promise<Check> {
  const text = moduleOf(schema, options, openapi);
  if (text === undefined) return () => true;
  const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    readonly check: Check;
  };
  return module.check;
}
