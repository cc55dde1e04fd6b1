/** Writes linked schemas as functions, with the helpers and constants that they share. */
import { reached } from '@concordat/runtime/parts';
import { type Code, NOTHING, code, identifier, shortComment } from '../../text/code.js';
import { freeName, RESERVED_WORDS } from '../../text/identifiers.js';
import { type ModuleNames, Scope } from './scope.js';
import { FunctionWriter } from './function-writer.js';
import { HELPER_NAMES } from './helpers.js';
import {
  Expansions,
  APPLIED,
  heldSchemas,
  HOLDERS,
  mapHeld,
  type LinkedPart,
  type LinkedSchema,
} from './linked-schema.js';
import { type Repetition, repeatedParts } from './repeated-checks.js';
import { formatOf } from '../formats/format-table.js';
import { Verbatim } from '../../text/literal.js';

export interface WrittenCheck extends Pick<Scope, 'helpers' | 'constants' | 'calls'> {
  readonly name: string;
  /** The function with its comment. */
  readonly text: Code;
  /** A description of the check, which explains failures; undefined for a function that is a part of another. */
  readonly described: unknown;
}

/** The kind of a function. */
interface Kind {
  readonly isDescribed?: boolean;
  /** Whether it answers with what the schema evaluates. */
  readonly looks?: boolean | undefined;
  readonly repeats?: Repetition | undefined;
}

/** The most schemas that are written in the place of one reference where evaluations are tracked. */
const MOST_INLINE = 100;

/** Names that already have a meaning in a generated function. */
const RESERVED = new Set([...RESERVED_WORDS, 'Array', 'Object', 'Number', 'Set', 'isNaN', 'value', 'shared']);

/** The functions of linked schemas, and the helpers and constants that they share. */
export class WrittenChecks implements ModuleNames {
  readonly #parts: ReadonlyMap<string, LinkedPart>;
  readonly #repeated: ReadonlyMap<string, Repetition>;
  readonly #names: Set<string>;
  readonly #checks = new Map<string, WrittenCheck>();
  /** The names of constants by their expressions. */
  readonly #constants = new Map<Code, string>();
  readonly #hoisted = new Map<string, string>();
  readonly #evaluates = new Map<LinkedSchema, boolean>();
  readonly #expansions = new Expansions((id) => this.part(id).schema, MOST_INLINE, 'all');
  /** The names of the functions that answer with what a part evaluates. */
  readonly #looking = new Map<string, string>();
  readonly #waiting: (LinkedPart & Pick<Kind, 'looks'>)[] = [];

  /** @param progress called after each part */
  constructor(parts: readonly LinkedPart[], progress?: (done: number, total: number) => void) {
    this.#parts = new Map(parts.map((part) => [part.id, part]));
    this.#repeated = repeatedParts(parts);
    this.#names = new Set([...parts.map(({ name }) => name), ...HELPER_NAMES]);
    for (const [index, part] of parts.entries()) {
      const check = this.#written(part, { isDescribed: true, repeats: this.#repeated.get(part.id) });
      // The functions for schemas inside a part come before the function of the part.
      for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
        this.#checks.set(next.name, this.#written(next, next.looks ? { repeats: 'value', looks: true } : {}));
      this.#checks.set(part.name, check);
      progress?.(index + 1, parts.length);
    }
  }

  part(id: string): LinkedPart {
    const part = this.#parts.get(id);
    if (part === undefined) throw new Error(`there is no schema ${id}`);
    return part;
  }

  isTaken(name: string): boolean {
    return RESERVED.has(name) || this.#names.has(name);
  }

  constant(wanted: string, value: Code): string {
    const name = this.#constants.get(value) ?? freeName(wanted, this.#names, '_');
    this.#constants.set(value, name);
    return name;
  }

  evaluates(schema: LinkedSchema): boolean {
    if (typeof schema === 'boolean') return false;
    let known = this.#evaluates.get(schema);
    if (known === undefined) {
      known = Object.entries(schema).some(([keyword, value]) => {
        if (keyword === '$ref') return this.evaluates(this.part(String(value)).schema);
        const to = APPLIED[keyword]?.appliesTo;
        if (to === 'value' && keyword !== 'not')
          return heldSchemas(keyword, value).some((each) => this.evaluates(each));
        return to === 'items' || to === 'properties';
      });
      this.#evaluates.set(schema, known);
    }
    return known;
  }

  looking(id: string): string | undefined {
    const part = this.part(id);
    if (!this.#expansions.isLarge(id) || !this.evaluates(part.schema)) return undefined;
    let name = this.#looking.get(id);
    if (name === undefined) {
      name = freeName(`${part.name}_looked`, this.#names, '_');
      this.#looking.set(id, name);
      const about = `${part.about}: what it evaluates`;
      this.#waiting.push({ id: name, name, about, schema: part.schema, looks: true });
    }
    return name;
  }

  hoisted(schema: LinkedSchema, wanted: string, about: string): string {
    const text = JSON.stringify(schema);
    const known = this.#hoisted.get(text);
    if (known !== undefined) return known;
    const name = freeName(wanted, this.#names, '_');
    this.#hoisted.set(text, name);
    this.#waiting.push({ id: name, name, about, schema });
    return name;
  }

  #written({ name, about, schema }: LinkedPart, { isDescribed, looks, repeats }: Kind): WrittenCheck {
    const scope = new Scope(this, name, about);
    const writer = new FunctionWriter(scope);
    const body = looks ? writer.lookingBody(schema) : writer.body(schema);
    const called = identifier(name);
    const asked = repeats ? identifier(freeName(`${name}_asked`, this.#names, '_')) : called;
    const remembering = repeats ? this.#remembering(scope, called, asked, repeats) : NOTHING;
    const { helpers, constants, calls } = scope;
    const text = code`${shortComment(about)}\n${remembering}function ${asked}(value) {\n${body}}\n`;
    const shown = isDescribed ? described(schema, scope) : undefined;
    return { name, helpers, constants, calls, text, described: shown };
  }

  #remembering(scope: Scope, called: Code, asked: Code, repeats: Repetition): Code {
    const remembered = code`${scope.helper('remembered')}(${asked}, value)`;
    const isPlain = code`typeof value !== "object" || value === null`;
    const verdict = repeats === 'parts' ? code`${isPlain} ? ${asked}(value) : ${remembered}` : remembered;
    return code`function ${called}(value) {\n  return ${verdict};\n}\n${called}.isRemembered = true;\n\n`;
  }

  /** Whether a check may meet a value again, and so remembers its verdicts. */
  get mayRepeat(): boolean {
    return this.#repeated.size + this.#looking.size > 0;
  }

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** The constants, by their expressions. */
  get constants(): ReadonlyMap<Code, string> {
    return this.#constants;
  }

  /** The checks with these names, and those that they call. */
  reached(names: Iterable<string>): readonly WrittenCheck[] {
    const found = reached(names, (name) => this.#checks.get(name)?.calls ?? []);
    return [...this.#checks.values()].filter(({ name }) => found.has(name));
  }
}

/** The schema as a literal, in which `$ref` holds the function of the target and each format has its test. */
function described(schema: LinkedSchema, scope: Scope): unknown {
  if (typeof schema === 'boolean') return schema;
  const keyword = ([name, value]: readonly [string, unknown]): readonly (readonly [string, unknown])[] => {
    if (name === '$ref') return [reference(String(value), scope)];
    if (name === 'format') return formatEntries(String(value), scope);
    return [[name, HOLDERS.has(name) ? mapHeld(name, value, (each) => described(each, scope)) : value]];
  };
  return Object.fromEntries(Object.entries(schema).flatMap(keyword));
}

function reference(id: string, scope: Scope): readonly [string, unknown] {
  const target = scope.schema(id);
  return typeof target === 'boolean' ? ['allOf', [target]] : ['$ref', new Verbatim(scope.call(id))];
}

function formatEntries(format: string, scope: Scope): readonly (readonly [string, unknown])[] {
  const tests = Object.entries(formatOf(format)?.tests ?? {});
  if (tests.length === 0) return [];
  const byType = tests.map(([type, test]) => [type, new Verbatim(scope.helper(test))]);
  return [
    ['format', format],
    ['fitsFormat', Object.fromEntries(byType)],
  ];
}
