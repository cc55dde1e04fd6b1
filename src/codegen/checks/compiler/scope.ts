/** The names that one generated function uses: constants and functions of its module, and its own variables. */
import { type Code, identifier } from '../../text/code.js';
import type { LinkedPart, LinkedSchema } from './linked-schema.js';

export interface ModuleNames {
  /** @throws when no part has this id */
  part(id: string): LinkedPart;
  /** True for a name that no local variable may have. */
  isTaken(name: string): boolean;
  /** The name of a constant with the value of an expression. @param wanted its name, unless it is taken */
  constant(wanted: string, code: Code): string;
  /** True when a schema, or one that it applies to the same value, evaluates properties or items. */
  evaluates(schema: LinkedSchema): boolean;
  /** The name of a function that answers with what a part evaluates; undefined for a small part, which is written in its place. */
  looking(id: string): string | undefined;
  /** The name of a function for a schema without references to it. Equal schemas share a function. */
  hoisted(schema: LinkedSchema, wanted: string, about: string): string;
}

/** Variables that have no name in the contract. */
const UNNAMED = new Set(['value', 'key', 'item', 'member']);

/** Assigns names inside one function, and records which names of the module it uses. */
export class Scope {
  readonly helpers = new Set<string>();
  readonly constants = new Set<string>();
  /** Functions of other checks. */
  readonly calls = new Set<string>();
  /** The number of the last variable of each name. */
  readonly #locals = new Map<string, number>();

  constructor(
    private readonly module: ModuleNames,
    private readonly name: string,
    private readonly about: string,
  ) {}

  /** The name of a helper function of the module. */
  helper(name: string): Code {
    this.helpers.add(name);
    return identifier(name);
  }

  /**
   * The name of a constant of the module with the value of an expression: `pattern_email`.
   *
   * @param checked the expression that is checked with it: a property or variable, or else the function, names the constant
   */
  constant(kind: string, code: Code, checked: Code): Code {
    const [read = 'value'] = /[A-Za-z]+(?=\d*["\])]*$)/.exec(checked) ?? [];
    const owner = UNNAMED.has(read) ? this.name.replace(/^check(?=.)/, '') : read;
    // A local variable has no `_` in its name, so that neither hides the other, whichever is named first.
    const name = this.module.constant(`${kind}_${owner}`, code);
    this.constants.add(name);
    return identifier(name);
  }

  /** The name of the check of another schema. */
  call(id: string): Code {
    const { name } = this.module.part(id);
    this.calls.add(name);
    return identifier(name);
  }

  schema(id: string): LinkedSchema {
    return this.module.part(id).schema;
  }

  evaluates(schema: LinkedSchema): boolean {
    return this.module.evaluates(schema);
  }

  /** The name of the function that answers with what another schema evaluates; undefined for a small schema. */
  looking(id: string): Code | undefined {
    const name = this.module.looking(id);
    if (name === undefined) return undefined;
    this.calls.add(name);
    return identifier(name);
  }

  /** The name of a new function for a schema inside this one. @param step the position of the schema: `oneOf0` */
  hoisted(schema: LinkedSchema, step: string): Code {
    const wanted = `${this.name}_${step.replaceAll(/\W/g, '')}`;
    const name = this.module.hoisted(schema, wanted, `${this.about}, ${step}`);
    this.calls.add(name);
    return identifier(name);
  }

  /** A new variable name: neither in use in the function nor a name of the module. */
  local(wanted: string): Code {
    const stem = /^[a-z][A-Za-z]*$/.test(wanted) && !this.module.isTaken(wanted) ? wanted : 'member';
    let n = this.#locals.get(stem) ?? 0;
    let name: string;
    do {
      n += 1;
      name = n === 1 ? stem : `${stem}${n}`;
    } while (this.module.isTaken(name));
    this.#locals.set(stem, n);
    return identifier(name);
  }
}
