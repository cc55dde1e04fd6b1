/** Rewrites what Ajv compiles into a readable function that stands in a module of its own. */
import type { AnyValidateFunction, SourceCode } from 'ajv/dist/types/index.js';
import ts from 'typescript';
import { AjvScope, type Uses } from './ajv-scope.js';
import type { Constants } from './constants.js';
import { withFailCalls } from './fail-calls.js';
import { isObject } from './document.js';
import { straightened } from './straighten.js';

/** The text of one function, and what of the file around it the function uses. */
export interface CheckSource extends Uses {
  readonly text: string;
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
const { factory } = ts;

/**
 * The source of a compiled check as a function of the generated file.
 *
 * Beside names, three things change: errors lose `schemaPath`, values of the schema become constants, and calls hand on
 * the place as a second argument, where Ajv makes an object a call.
 *
 * @param compiled an Ajv check that was compiled with its source kept
 * @param functionNames the name in the file for each name that Ajv gave
 */
export function checkSource(
  { source }: AnyValidateFunction,
  functionNames: ReadonlyMap<string, string>,
  constants: Constants,
): CheckSource {
  if (source === undefined) throw new Error('the check was compiled without its source');
  const scope = new AjvScope(source, functionNames, constants);
  const evaluated = evaluation(source);
  const visit = (node: ts.Node): ts.Node => {
    if (ts.isIdentifier(node)) return scope.replacement(node) ?? node;
    if (ts.isPropertyAccessExpression(node)) {
      const known = evaluated(node) ?? scope.replacement(node);
      return (
        known ??
        factory.updatePropertyAccessExpression(node, visit(node.expression) as ts.Expression, node.name)
      );
    }
    if (ts.isElementAccessExpression(node))
      return scope.replacement(node) ?? ts.visitEachChild(node, visit, undefined);
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
  const { body, file } = parsed(source);
  const steps = straightened(ts.visitEachChild(body, visit, undefined).statements);
  const block = factory.createBlock(
    withFailCalls(steps, () => scope.uses.helpers.add('fail')),
    true,
  );
  const name = scope.check(source.validateName.str);
  scope.uses.calls.delete(name.text);
  const written = factory.createFunctionDeclaration(
    undefined,
    undefined,
    name,
    undefined,
    parameters(),
    undefined,
    block,
  );
  const note =
    source.evaluated === undefined ? '' : `${name.text}.evaluated = ${String(source.evaluated)};\n`;
  const text = `${indented(printer.printNode(ts.EmitHint.Unspecified, written, file))}\n${note}`;
  return { text, ...scope.uses };
}

function parsed({ validateCode }: SourceCode): { readonly body: ts.Block; readonly file: ts.SourceFile } {
  const file = ts.createSourceFile('check.js', validateCode, ts.ScriptTarget.ES2022, false, ts.ScriptKind.JS);
  const [declaration] = file.statements;
  if (declaration === undefined || !ts.isFunctionDeclaration(declaration) || declaration.body === undefined) {
    throw new Error('Ajv wrote something else than a function');
  }
  return { body: declaration.body, file };
}

/** Finds questions such as `evaluated0.dynamicProps`, which Ajv asks at run time and has answered before. */
function evaluation({
  evaluated,
}: SourceCode): (node: ts.PropertyAccessExpression) => ts.Expression | undefined {
  const answers: unknown = evaluated === undefined ? {} : JSON.parse(String(evaluated));
  return ({ expression, name }) => {
    if (!ts.isIdentifier(expression) || expression.text !== 'evaluated0' || !isObject(answers))
      return undefined;
    const answer = answers[name.text];
    return answer === false ? factory.createFalse() : undefined;
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

/** TypeScript prints with four spaces; no line of what Ajv writes starts inside a text. */
function indented(text: string): string {
  return text.replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2));
}
