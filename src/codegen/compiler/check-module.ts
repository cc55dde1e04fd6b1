/** Writes linked schemas as the functions of one module. */
import { describedSchema } from './described-schema.js';
import { FunctionScope, type ModuleNames, type Uses } from './function-scope.js';
import { FunctionWriter } from './function-writer.js';
import { HELPER_NAMES } from './helpers.js';
import type { LinkedPart, LinkedSchema } from './linked-schema.js';
import { ModuleConstants } from './module-constants.js';

/** One function of the module. */
export interface WrittenCheck extends Uses {
  readonly name: string;
  /** The declaration with its comment, and its description. */
  readonly text: string;
}

/** Names with another meaning in the text of a function. */
const RESERVED = new Set(
  (
    'Array Object Number Set undefined isNaN eval arguments await break case catch class const continue debugger ' +
    'default delete do else enum export extends false finally for function if implements import in instanceof ' +
    'interface let new null package private protected public return static super switch this throw true try ' +
    'typeof var void while with yield value'
  ).split(' '),
);

/** The functions of linked schemas, and the helpers and constants that they share. */
export class CheckModule implements ModuleNames {
  readonly constants = new ModuleConstants();
  readonly #parts: ReadonlyMap<string, LinkedPart>;
  readonly #names: Set<string>;
  readonly #hoistedNames = new Map<string, string>();
  readonly #waiting: { readonly part: LinkedPart }[] = [];

  constructor(parts: readonly LinkedPart[]) {
    this.#parts = new Map(parts.map((part) => [part.id, part]));
    this.#names = new Set([...parts.map(({ name }) => name), ...HELPER_NAMES]);
  }

  part(id: string): LinkedPart {
    const part = this.#parts.get(id);
    if (part === undefined) throw new Error(`there is no schema ${id}`);
    return part;
  }

  isTaken(name: string): boolean {
    return RESERVED.has(name) || this.#names.has(name) || /^(?:pattern|values)\d+$/.test(name);
  }

  hoisted(schema: LinkedSchema, wanted: string, about: string): string {
    const text = JSON.stringify(schema);
    const known = this.#hoistedNames.get(text);
    if (known !== undefined) return known;
    let name = wanted;
    for (let n = 2; this.#names.has(name); n += 1) name = `${wanted}_${n}`;
    this.#names.add(name);
    this.#hoistedNames.set(text, name);
    this.#waiting.push({ part: { id: name, name, about, schema } });
    return name;
  }

  /** The functions made for schemas inside a part, then that of the part itself. */
  *write(part: LinkedPart): Generator<WrittenCheck> {
    const scope = new FunctionScope(this, part.name, part.about);
    const body = new FunctionWriter(scope).body(part.schema);
    const described = describedSchema(part.schema, scope);
    yield* this.#writeHoisted();
    yield {
      name: part.name,
      helpers: scope.helpers,
      constants: scope.constants,
      calls: scope.calls,
      text: `${comment(part.about)}function ${part.name}(value) {\n${body}}\n${part.name}.schema = () => (${described});\n`,
    };
  }

  *#writeHoisted(): Generator<WrittenCheck> {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const { name, about, schema } = next.part;
      const scope = new FunctionScope(this, name, about);
      const body = new FunctionWriter(scope).body(schema);
      const text = `${comment(about)}function ${name}(value) {\n${body}}\n`;
      yield { name, helpers: scope.helpers, constants: scope.constants, calls: scope.calls, text };
    }
  }
}

function comment(about: string): string {
  return `/** ${about.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}
