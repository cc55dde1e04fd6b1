/** Assembles a module of checks: helpers, constants, functions and exports. */
import { CheckModule, type WrittenCheck } from './check-module.js';
import { helperSource } from './helpers.js';
import type { LinkedPart } from './linked-schema.js';

/** The functions of linked schemas, from which modules are assembled. */
export class WrittenChecks {
  readonly #checks = new Map<string, WrittenCheck>();
  readonly #module: CheckModule;

  /** @param progress called after each part */
  constructor(parts: readonly LinkedPart[], progress?: (done: number, total: number) => void) {
    this.#module = new CheckModule(parts);
    for (const [index, part] of parts.entries()) {
      for (const check of this.#module.write(part)) this.#checks.set(check.name, check);
      progress?.(index + 1, parts.length);
    }
  }

  /**
   * The text of an ECMAScript module without imports.
   *
   * @param exported the name of the function for each exported name
   */
  source(header: string, exported: ReadonlyMap<string, string>): string {
    const reached = this.#reached(exported.values());
    const helpers = new Set(reached.flatMap((check) => [...check.helpers]));
    const constants = new Set(reached.flatMap((check) => [...check.constants]));
    const names = [...exported].map(([name, check]) => (name === check ? name : `${check} as ${name}`));
    return [
      ...[header, helperSource(helpers), this.#module.constants.declarations(constants)],
      ...reached.map(({ text }) => text),
      names.length === 0 ? 'export {};\n' : `export {\n${names.map((name) => `  ${name},\n`).join('')}};\n`,
    ]
      .filter((part) => part !== '')
      .join('\n');
  }

  #reached(names: Iterable<string>): readonly WrittenCheck[] {
    const reached = new Set(names);
    for (const name of reached) this.#checks.get(name)?.calls.forEach((called) => reached.add(called));
    return [...this.#checks.values()].filter(({ name }) => reached.has(name));
  }
}
