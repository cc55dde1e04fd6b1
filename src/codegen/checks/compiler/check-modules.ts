/** Assembles modules of written checks: helpers, constants, functions and exports. Modules in TypeScript share what several of them need. */

import { type Code, NOTHING, code, identifier, joined } from '../../text/code.js';
import { freeName } from '../../text/identifiers.js';
import { literal } from '../../text/literal.js';
import { sharedLiterals } from '../../text/shared-literals.js';
import { calledHelpers, helperSource } from './helpers.js';
import type { WrittenCheck, WrittenChecks } from './written-checks.js';

/** A check under the name of its export. */
interface ExportedCheck {
  readonly name: string;
  /** The name of its function. */
  readonly check: string;
}

/** Statements at the end of a module. */
export interface FurtherCode {
  /** @param isTyped whether the module is TypeScript */
  readonly text: (isTyped: boolean) => Code;
  /** The names of the checks that they call. */
  readonly calls: readonly string[];
  readonly helpers: readonly string[];
}

export interface CheckModule {
  readonly exported: readonly ExportedCheck[];
  readonly further?: FurtherCode | undefined;
}

/** The names of functions, helpers and constants. */
interface Parts {
  readonly functions: ReadonlySet<string>;
  readonly helpers: ReadonlySet<string>;
  readonly constants: ReadonlySet<string>;
}

const NO_PARTS: Parts = { functions: new Set(), helpers: new Set(), constants: new Set() };

export class CheckModules {
  readonly #shared: Parts;

  /** @param modules - those that may share parts: what two of them need is in a module of its own */
  constructor(
    private readonly checks: WrittenChecks,
    private readonly modules: readonly CheckModule[],
  ) {
    const all = modules.map((module) => this.#needs(module));
    this.#shared = {
      functions: inSeveral(all.map(({ functions }) => functions)),
      helpers: inSeveral(all.map(({ helpers }) => helpers)),
      constants: inSeveral(all.map(({ constants }) => constants)),
    };
  }

  /** The text of a module in JavaScript, without imports. */
  script(header: Code, module: CheckModule): Code {
    return this.#source(header, module, NO_PARTS);
  }

  /** The text of a module in TypeScript. @param type - that of the exports */
  typed(header: Code, module: CheckModule, type?: Code): Code {
    return this.#source(header, module, this.#shared, type);
  }

  /** The text of the module that the others import; undefined if they share nothing. */
  shared(header: Code): Code | undefined {
    const { functions, helpers, constants } = this.#shared;
    const imported = new Set(this.modules.flatMap((module) => this.#imports(module, this.#shared)));
    if (imported.size === 0) return undefined;
    const found = this.checks.reached(functions);
    const { before, texts } = functionTexts(found, new Set(this.checks.names));
    const table = [...imported].sort().map((name) => code`  ${identifier(name)},\n`);
    return blocks([
      header,
      helperSource(helpers),
      this.#constantTexts(constants),
      before,
      ...texts,
      // Without a type, the compiler would derive one from all functions.
      code`/** The functions and constants that several files of checks use. */
export const shared: Readonly<Record<string, any>> = {
${joined(table)}};
`,
    ]);
  }

  #source(header: Code, module: CheckModule, shared: Parts, type?: Code): Code {
    const { exported, further } = module;
    const taken = new Set(this.checks.names);
    const bounded = new Map(
      this.#bounded(module).map((check) => [check, freeName(`${check}_bounded`, taken, '_')]),
    );
    const exports = exported.map(({ name, check }) => {
      const called = identifier(bounded.get(check) ?? check);
      const isFree = !this.checks.isTaken(name) && !taken.has(name);
      const constant = identifier(isFree ? name : freeName(`${check}_typed`, taken, '_'));
      // Without a type, the compiler would derive one from the whole function.
      const declared = code`const ${constant}${type === undefined ? NOTHING : code`: ${type}`} = ${called};\n`;
      return isFree
        ? code`export ${declared}`
        : code`${declared}export { ${constant} as ${identifier(name)} };\n`;
    });
    const wrappers = [...bounded].map(
      ([check, name]) => code`const ${identifier(name)} = bounded(${identifier(check)});\n`,
    );
    const imported = this.#imports(module, shared).map(identifier);
    const own = this.#own(module, shared);
    const { before, texts } = functionTexts(own.found, taken);
    return blocks([
      header,
      imported.length === 0
        ? NOTHING
        : code`import { shared } from "./shared-checks.js";\n\nconst { ${joined(imported, code`, `)} } = shared;\n`,
      helperSource(own.helpers, shared.helpers),
      this.#constantTexts(new Set([...own.constants].filter((name) => !shared.constants.has(name)))),
      before,
      ...texts,
      joined(wrappers),
      joined(exports),
      further?.text(type !== undefined) ?? NOTHING,
      exports.length === 0 && further === undefined ? code`export {};\n` : NOTHING,
    ]);
  }

  #constantTexts(names: ReadonlySet<string>): Code {
    const constants = [...this.checks.constants].filter(([, name]) => names.has(name));
    return joined(constants.map(([value, name]) => code`const ${identifier(name)} = ${value};\n`));
  }

  /** The exported checks that may take too many steps. */
  #bounded({ exported }: CheckModule): readonly string[] {
    if (!this.checks.mayRepeat) return [];
    return [...new Set(exported.map(({ check }) => check))].filter((check) =>
      this.checks.reached([check]).some(({ helpers }) => helpers.has('remembered')),
    );
  }

  /** The parts that a module needs, with those that they need. */
  #needs(module: CheckModule): Parts {
    const { found, helpers, constants } = this.#own(module, NO_PARTS);
    return { functions: new Set(found.map(({ name }) => name)), helpers: calledHelpers(helpers), constants };
  }

  /** The functions of a module that are not shared, and what they name. */
  #own(
    module: CheckModule,
    shared: Parts,
  ): { readonly found: readonly WrittenCheck[] } & Omit<Parts, 'functions'> {
    const { exported, further } = module;
    const started = [...exported.map(({ check }) => check), ...(further?.calls ?? [])];
    const found = this.checks.reached(started).filter(({ name }) => !shared.functions.has(name));
    const helpers = new Set([...found.flatMap((check) => [...check.helpers]), ...(further?.helpers ?? [])]);
    if (this.#bounded(module).length > 0) helpers.add('bounded');
    return { found, helpers, constants: new Set(found.flatMap((check) => [...check.constants])) };
  }

  /** The names of the shared parts that a module names itself. */
  #imports(module: CheckModule, shared: Parts): readonly string[] {
    const { found, helpers, constants } = this.#own(module, shared);
    const calls = new Set([
      ...found.flatMap((check) => [...check.calls]),
      ...module.exported.map(({ check }) => check),
      ...(module.further?.calls ?? []),
    ]);
    return [
      ...[...calledHelpers(helpers, shared.helpers)].filter((name) => shared.helpers.has(name)),
      ...[...constants].filter((name) => shared.constants.has(name)),
      ...[...calls].filter((name) => shared.functions.has(name)),
    ].sort();
  }
}

/** The names that are in at least two of the sets. */
function inSeveral(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const all = sets.flatMap((set) => [...set]);
  const known = new Set<string>();
  return new Set(all.filter((name) => known.has(name) || !known.add(name)));
}

/** The functions with their descriptions, and the constants for repeated parts of the descriptions. */
function functionTexts(
  found: readonly WrittenCheck[],
  taken: Set<string>,
): { readonly before: Code; readonly texts: readonly Code[] } {
  const descriptions = sharedLiterals(
    // The name of the function names a description that others have a part of.
    found.map(({ name, described }) => [identifier(name), { [name]: described }] as const),
    taken,
    { prefix: 'schema_' },
  );
  const before = descriptions.flatMap(({ parts }) =>
    parts.map(([name, value]) => code`const ${name} = ${literal(value)};\n`),
  );
  const texts = found.map(({ name, text, described }, index) => {
    if (described === undefined) return text;
    const value = descriptions[index]?.value as Readonly<Record<string, unknown>>;
    return code`${text}${identifier(name)}.schema = () => (${literal(value[name])});\n`;
  });
  return { before: joined(before), texts };
}

function blocks(parts: readonly Code[]): Code {
  const written = parts.filter((part) => part.length > 0);
  return joined(written, code`\n`);
}
