/** What the names in a function that Ajv compiled stand for, and what stands for them in a generated file. */
import type { SourceCode } from 'ajv/dist/types/index.js';
import type { ValueScopeName } from 'ajv/dist/compile/codegen/index.js';
import ts from 'typescript';
import type { Constants } from './constants.js';
import { isObject } from './document.js';
import { FORMATS } from './formats.js';

/** What of the file around it a function uses, by name. */
export interface Uses {
  readonly helpers: Set<string>;
  readonly constants: Set<string>;
  /** Other checks. */
  readonly calls: Set<string>;
}

/** The helpers that take the place of Ajv's own run-time modules. */
const HELPER_OF: ReadonlyMap<string, string> = new Map([
  ['isMultiple', 'isMultiple'],
  ['Object.prototype.hasOwnProperty', 'hasOwn'],
  ['require("ajv/dist/runtime/ucs2length").default', 'codePoints'],
  ['require("ajv/dist/runtime/equal").default', 'isEqual'],
]);

/** Names that Ajv gives to things that hold a check, where the check itself is meant. */
const HOLDERS = new Set(['wrapper', 'root', 'formats']);

const { factory } = ts;

/** The scope of one compiled function. */
export class AjvScope {
  readonly uses: Uses = { helpers: new Set(), constants: new Set(), calls: new Set() };
  readonly #values = new Map<string, ValueScopeName>();
  readonly #functionNames: ReadonlyMap<string, string>;
  readonly #constants: Constants;

  /** @param functionNames the name in the file for each name that Ajv gave */
  constructor({ scopeValues }: SourceCode, functionNames: ReadonlyMap<string, string>, constants: Constants) {
    this.#functionNames = functionNames;
    this.#constants = constants;
    for (const names of Object.values(scopeValues))
      names?.forEach((name) => this.#values.set(name.str, name));
  }

  /** The name in the file of a check that Ajv named. */
  check(ajvName: string): ts.Identifier {
    const name = this.#functionNames.get(ajvName);
    if (name === undefined) throw new Error(`${ajvName} is no check`);
    this.uses.calls.add(name);
    return factory.createIdentifier(name);
  }

  /** What stands for an expression that means something outside of the function; nothing, when it is a local one. */
  replacement(node: ts.Expression): ts.Expression | undefined {
    const found = this.#schemaValue(node);
    if (found !== undefined) return this.#literal(found.value);
    if (ts.isIdentifier(node)) return this.#named(node.text);
    if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
    const holder = this.#values.get(node.expression.text);
    return node.name.text === 'validate' && HOLDERS.has(holder?.prefix ?? '')
      ? this.#named(node.expression.text)
      : undefined;
  }

  #named(name: string): ts.Expression | undefined {
    if (this.#functionNames.has(name)) return this.check(name);
    const scoped = this.#values.get(name);
    if (scoped === undefined) return undefined;
    const { ref, key, code } = scoped.value ?? { ref: undefined };
    switch (scoped.prefix) {
      case 'pattern':
        return this.#constant('pattern', String(ref));
      case 'func':
        return this.#helper(HELPER_OF.get(String(code)), String(code));
      case 'formats':
        return this.#format(String(key));
      case 'wrapper':
      case 'root':
        return this.check(String((ref as { readonly validateName?: unknown }).validateName));
      default:
        throw new Error(`nothing stands for ${name} in a generated file`);
    }
  }

  /** The value that a path such as `schema12.properties.kind.enum` leads to. */
  #schemaValue(node: ts.Expression): { readonly value: unknown } | undefined {
    if (ts.isIdentifier(node)) {
      const scoped = this.#values.get(node.text);
      return scoped?.prefix === 'schema' ? { value: scoped.value?.ref } : undefined;
    }
    if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return undefined;
    const key = memberName(node);
    const holder = key === undefined ? undefined : this.#schemaValue(node.expression);
    return holder && { value: (holder.value as Readonly<Record<string, unknown>>)[key ?? ''] };
  }

  /** A value of the schema: a short one as it is, a list or an object as a constant. */
  #literal(value: unknown): ts.Expression {
    const code = JSON.stringify(value);
    return Array.isArray(value) || isObject(value)
      ? this.#constant('values', code)
      : factory.createIdentifier(code);
  }

  #format(name: string): ts.Expression {
    const format = FORMATS.get(name);
    if (format === undefined || format === 'annotation') throw new Error(`the format ${name} has no check`);
    return typeof format.test === 'string'
      ? this.#helper(format.test, name)
      : this.#constant('format', String(format.test));
  }

  #constant(kind: string, code: string): ts.Identifier {
    const name = this.#constants.name(kind, code);
    this.uses.constants.add(name);
    return factory.createIdentifier(name);
  }

  #helper(name: string | undefined, code: string): ts.Identifier {
    if (name === undefined) throw new Error(`there is no helper for ${code}`);
    this.uses.helpers.add(name);
    return factory.createIdentifier(name);
  }
}

/** The key of a member access, when it is written out. */
function memberName(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  const { argumentExpression: key } = node;
  return ts.isStringLiteral(key) || ts.isNumericLiteral(key) ? key.text : undefined;
}
