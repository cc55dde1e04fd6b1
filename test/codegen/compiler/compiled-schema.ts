/** Compiles plain JSON Schemas and imports their checks. */
import { linkedParts, type LinkOptions } from '../../../src/codegen/compiler/link.js';
import { WrittenChecks } from '../../../src/codegen/compiler/written-checks.js';
import type { Check } from '../../../src/engine/contract.js';

/** The text of a module whose export `check` checks a schema. */
export function moduleOf(schema: unknown, options: LinkOptions = { format: 'assert' }): string {
  const parts = linkedParts(schema, options);
  const root = parts.find(({ id }) => id === 'check0');
  return new WrittenChecks(parts).source('', new Map([['check', root?.name ?? '']]));
}

/** The check of a schema. */
export async function compiledSchema(schema: unknown, options?: LinkOptions): Promise<Check> {
  const text = moduleOf(schema, options);
  const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    readonly check: Check;
  };
  return module.check;
}
