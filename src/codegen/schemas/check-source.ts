/** Rewrites what Ajv compiles into a readable function that stands in a module of its own. */
import type { AnyValidateFunction } from 'ajv/dist/core.js';
import type { ValueScopeName } from 'ajv/dist/compile/codegen/index.js';
import ts from 'typescript';
import { isObject } from './document.js';
import { withFailCalls } from './fail-calls.js';
import { FORMATS } from './formats.js';
import { straightened } from './straighten.js';

/** The text of one function, and what of the file around it the function uses. */
export interface CheckSource {
  readonly text: string;
  readonly helpers: ReadonlySet<string>;
  /** Names of shared constants. */
  readonly constants: ReadonlySet<string>;
  /** Names of other checks. */
  readonly calls: ReadonlySet<string>;
}

/** Constants that checks share: each value once, whoever uses it. */
export class Constants {
  readonly #names = new Map<string, string>();
  readonly #code = new Map<string, string>();

  /** The name of a constant with this code. */
  name(prefix: string, code: string): string {
    let name = this.#names.get(code);
    if (name === undefined) {
      name = `${prefix}${this.#names.size + 1}`;
      this.#names.set(code, name);
      this.#code.set(name, code);
    }
    return name;
  }

  /** The declarations of the constants that are used, in the order in which they were made. */
  declarations(used: ReadonlySet<string>): string {
    return [...this.#code]
      .filter(([name]) => used.has(name))
      .map(([name, code]) => `const ${name} = ${code};\n`)
      .join('');
  }
}

const HELPER_OF: Readonly<Record<string, string>> = {
  isMultiple: 'isMultiple',
  'Object.prototype.hasOwnProperty': 'hasOwn',
  'require("ajv/dist/runtime/ucs2length").default': 'codePoints',
  'require("ajv/dist/runtime/equal").default': 'isEqual',
};

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
const { factory } = ts;

/**
 * The source of a compiled check as a function of the generated file.
 *
 * Three things change beside names: errors lose `schemaPath`, values of the schema become constants, and calls hand on
 * the place as a second argument, where Ajv makes an object a call.
 *
 * @param compiled an Ajv check that was compiled with its source kept
 * @param functionNames the name in the file for each name that Ajv gave
 */
export function checkSource(
  compiled: AnyValidateFunction,
  functionNames: ReadonlyMap<string, string>,
  constants: Constants,
): CheckSource {
  const source = compiled.source;
  if (source === undefined) throw new Error('the check was compiled without its source');
  const used = { helpers: new Set<string>(), constants: new Set<string>(), calls: new Set<string>() };
  const values = new Map<string, ValueScopeName>();
  for (const names of Object.values(source.scopeValues)) names?.forEach((name) => values.set(name.str, name));

  const named = (ajvName: string): ts.Identifier => {
    const name = functionNames.get(ajvName);
    if (name === undefined) throw new Error(`${ajvName} is no unit`);
    used.calls.add(name);
    return factory.createIdentifier(name);
  };
  const constant = (prefix: string, code: string): ts.Identifier => {
    const name = constants.name(prefix, code);
    used.constants.add(name);
    return factory.createIdentifier(name);
  };
  const helper = (name: string | undefined, code: string): ts.Identifier => {
    if (name === undefined) throw new Error(`there is no helper for ${code}`);
    used.helpers.add(name);
    return factory.createIdentifier(name);
  };
  const replacement = (name: string): ts.Expression | undefined => {
    if (functionNames.has(name)) return named(name);
    const scoped = values.get(name);
    if (scoped === undefined) return undefined;
    const { ref, key, code } = scoped.value ?? { ref: undefined };
    if (scoped.prefix === 'pattern') return constant('pattern', String(ref));
    if (scoped.prefix === 'func') return helper(HELPER_OF[String(code)], String(code));
    if (scoped.prefix === 'schema') return literal(ref, constant);
    if (scoped.prefix === 'wrapper' || scoped.prefix === 'root')
      return named(String((ref as { validateName?: unknown }).validateName));
    if (scoped.prefix !== 'formats') throw new Error(`nothing stands for ${name} in a generated file`);
    const format = FORMATS.get(String(key));
    if (format === undefined || format === 'annotation')
      throw new Error(`the format ${String(key)} has no check`);
    return typeof format.test === 'string'
      ? helper(format.test, String(key))
      : constant('format', String(format.test));
  };

  const schemaValue = (node: ts.Expression): { readonly value: unknown } | undefined => {
    if (ts.isIdentifier(node)) {
      const scoped = values.get(node.text);
      return scoped?.prefix === 'schema' ? { value: scoped.value?.ref } : undefined;
    }
    const key = memberName(node);
    if (key === undefined) return undefined;
    const holder = schemaValue((node as ts.PropertyAccessExpression | ts.ElementAccessExpression).expression);
    return holder && { value: (holder.value as Readonly<Record<string, unknown>>)[key] };
  };

  const visit = (node: ts.Node): ts.Node => {
    if (ts.isIdentifier(node)) return replacement(node.text) ?? node;
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      const found = schemaValue(node);
      if (found !== undefined) return literal(found.value, constant);
      if (ts.isPropertyAccessExpression(node)) {
        const prefix = ts.isIdentifier(node.expression)
          ? values.get(node.expression.text)?.prefix
          : undefined;
        // `wrapper0.validate` and `formats0.validate`: the name itself stands for the function.
        if (
          node.name.text === 'validate' &&
          (prefix === 'wrapper' || prefix === 'root' || prefix === 'formats')
        ) {
          return visit(node.expression);
        }
        return factory.updatePropertyAccessExpression(
          node,
          visit(node.expression) as ts.Expression,
          node.name,
        );
      }
    }
    if (ts.isObjectLiteralExpression(node))
      return ts.visitEachChild(withoutSchemaPath(node), visit, undefined);
    if (ts.isPropertyAssignment(node)) {
      return factory.updatePropertyAssignment(node, node.name, visit(node.initializer) as ts.Expression);
    }
    // The printer puts back the parentheses that are needed.
    if (ts.isParenthesizedExpression(node)) return visit(node.expression);
    if (ts.isBinaryExpression(node)) return joinedTexts(ts.visitEachChild(node, visit, undefined));
    if (ts.isCallExpression(node)) return ts.visitEachChild(withPlace(node), visit, undefined);
    return ts.visitEachChild(node, visit, undefined);
  };

  const file = ts.createSourceFile(
    'check.js',
    source.validateCode,
    ts.ScriptTarget.ES2022,
    false,
    ts.ScriptKind.JS,
  );
  const [declaration] = file.statements;
  if (declaration === undefined || !ts.isFunctionDeclaration(declaration) || declaration.body === undefined) {
    throw new Error('Ajv wrote something else than a function');
  }
  const body = ts.visitEachChild(declaration.body, visit, undefined);
  const steps = withFailCalls(straightened(body.statements), () => used.helpers.add('fail'));
  const block = factory.createBlock(steps, true);
  const name = named(source.validateName.str);
  const written = factory.createFunctionDeclaration(
    undefined,
    undefined,
    name,
    undefined,
    parameters(),
    undefined,
    block,
  );
  const evaluated =
    source.evaluated === undefined ? '' : `${name.text}.evaluated = ${String(source.evaluated)};\n`;
  used.calls.delete(name.text);
  return {
    text: `${indented(printer.printNode(ts.EmitHint.Unspecified, written, file))}\n${evaluated}`,
    ...used,
  };
}

/** `(data, instancePath = "")`. */
function parameters(): readonly ts.ParameterDeclaration[] {
  return [
    factory.createParameterDeclaration(undefined, undefined, 'data'),
    factory.createParameterDeclaration(
      undefined,
      undefined,
      'instancePath',
      undefined,
      undefined,
      factory.createStringLiteral(''),
    ),
  ];
}

/** The static key of a member access. */
function memberName(node: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isElementAccessExpression(node)) return undefined;
  const { argumentExpression: key } = node;
  return ts.isStringLiteral(key) || ts.isNumericLiteral(key) ? key.text : undefined;
}

function withoutSchemaPath(node: ts.ObjectLiteralExpression): ts.ObjectLiteralExpression {
  const kept = node.properties.filter((property) => propertyName(property) !== 'schemaPath');
  return kept.length === node.properties.length ? node : factory.createObjectLiteralExpression(kept);
}

/** `f(data, {instancePath: place, …})` becomes `f(data, place)`. */
function withPlace(node: ts.CallExpression): ts.CallExpression {
  const [value, context] = node.arguments;
  if (value === undefined || context === undefined || !ts.isObjectLiteralExpression(context)) return node;
  const place = context.properties.find((property) => propertyName(property) === 'instancePath');
  if (place === undefined) return node;
  const text = ts.isPropertyAssignment(place) ? place.initializer : factory.createIdentifier('instancePath');
  return factory.updateCallExpression(node, node.expression, undefined, [value, text]);
}

function propertyName(property: ts.ObjectLiteralElementLike): string | undefined {
  return property.name !== undefined && ts.isIdentifier(property.name) ? property.name.text : undefined;
}

/** `"must be " + "here"` becomes one text. */
function joinedTexts(node: ts.BinaryExpression): ts.Expression {
  const { left, right, operatorToken } = node;
  if (operatorToken.kind !== ts.SyntaxKind.PlusToken) return node;
  if (!ts.isStringLiteral(left) || !(ts.isStringLiteral(right) || ts.isNumericLiteral(right))) return node;
  return factory.createStringLiteral(left.text + right.text);
}

/** A value of the schema: short ones as they are, lists and objects as a shared constant. */
function literal(value: unknown, constant: (prefix: string, code: string) => ts.Identifier): ts.Expression {
  if (Array.isArray(value) || isObject(value)) return constant('values', JSON.stringify(value));
  return factory.createIdentifier(JSON.stringify(value));
}

/** TypeScript prints with four spaces; no line of what Ajv writes starts inside a text. */
function indented(text: string): string {
  return text.replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2));
}
