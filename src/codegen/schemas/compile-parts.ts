/** Compiles schemas with Ajv and takes down the source of each function. */
import { checkSource } from './check-source.js';
import { Constants } from './constants.js';
import type { Part } from './parts.js';
import { SchemaCompiler } from './schema-compiler.js';
import { namesInherited, trackedParts } from './tracking.js';
import type { WrittenCheck } from './validators-file.js';

/** The functions by name, and the constants that they share. */
export interface CompiledParts {
  readonly checks: ReadonlyMap<string, WrittenCheck>;
  readonly constants: Constants;
}

/**
 * Compiles every part once.
 *
 * @param parts those that others refer to first, so that a long chain of references is no deep recursion
 * @param progress called after each of two steps for every part: compiling it, and writing it down
 */
export function compileParts(
  parts: readonly Part[],
  progress: ((done: number, total: number) => void) | undefined,
): CompiledParts {
  const compiler = new SchemaCompiler({
    tracked: trackedParts(parts),
    ownProperties: parts.some(({ schema }) => namesInherited(schema)),
  });
  for (const { id, schema } of parts) compiler.add(id, schema);
  const total = 2 * parts.length;
  const compiled = parts.map((part, index) => {
    const validate = compiler.compile(part.id);
    progress?.(index + 1, total);
    return { ...part, validate };
  });
  const functionNames = new Map(
    compiled.map(({ validate, name }) => [String(validate.source?.validateName), name]),
  );
  const constants = new Constants();
  const checks = new Map<string, WrittenCheck>();
  for (const [index, { name, about, validate }] of compiled.entries()) {
    checks.set(name, { name, about, source: checkSource(validate, functionNames, constants) });
    progress?.(parts.length + index + 1, total);
  }
  return { checks, constants };
}
