/** Writes `standard-schemas.ts`: the checks of component schemas, as Standard Schemas with their types. */

import type { NamedCheck } from '../../checks/schemas/named-checks.js';
import {
  type Code,
  NOTHING,
  code,
  identifier,
  joined,
  propertyName,
  stringLiteral,
} from '../../text/code.js';
import { type Verbatim, memberOf } from '../../text/literal.js';

/** A check of a component, and the conversion of its values. */
export interface StandardCheck extends NamedCheck {
  readonly decode: Verbatim | undefined;
  readonly isConverted: boolean;
}

/** The types of a component in `openapi.ts`: of the values that its check gets, and of its results. */
export interface StandardTypes {
  readonly input: string;
  readonly output: string;
}

const MODULES = { request: code`check`, response: code`responseCheck` } as const;
const schemaOf = (name: string): Code => code`Schemas[${stringLiteral(name)}]`;
const UNKNOWN = code`unknown`;

/**
 * The text of `standard-schemas.ts`.
 *
 * @param types - the types by component
 * @param functions - those of the checks that no other module has
 */
export function standardSchemasFile(
  checks: readonly StandardCheck[],
  types: ReadonlyMap<string, StandardTypes>,
  functions: Code,
  banner: Code,
): Code {
  const members = checks.map(({ component, decode, isConverted }) => {
    const { input = component, output = component } = types.get(component) ?? {};
    // The generated types have no type for the JSON form of values that are converted.
    const both = [
      isConverted ? UNKNOWN : schemaOf(input),
      isConverted && decode === undefined ? UNKNOWN : schemaOf(output),
    ];
    return code`  readonly ${propertyName(component)}: StandardSchema<${joined(new Set(both), code`, `)}>;\n`;
  });
  const entries = checks.map(({ component, name, direction, isApart, decode }) => {
    const check = isApart ? identifier(name) : memberOf(MODULES[direction], name).code;
    const conversion = decode === undefined ? NOTHING : code`, ${decode.code}`;
    return code`  ${propertyName(component)}: standardSchema(${check}${conversion}),\n`;
  });
  const isImported = (direction: NamedCheck['direction']): boolean =>
    checks.some((check) => check.direction === direction && !check.isApart);
  const imports = joined([
    code`import { type StandardSchema, standardSchema } from "@concordat/runtime/standard-schema";\n`,
    code`import type { components } from "./openapi.js";\n`,
    isImported('response') ? code`import * as responseCheck from "./response-validators.js";\n` : NOTHING,
    isImported('request') ? code`import * as check from "./validators.js";\n` : NOTHING,
    checks.some(({ decode }) => decode !== undefined)
      ? code`import * as value from "./values.js";\n`
      : NOTHING,
    code`\ntype Schemas = components["schemas"];\n`,
  ]);
  const text = code`/** The schemas of the contract by name, as libraries take them that consume the Standard Schema specification. */
export const schemas: {
${joined(members)}} = {
${joined(entries)}};
`;
  return joined([code`${banner}${UNCHECKED}${imports}`, functions, text], code`\n`);
}

/** The functions have no types inside. */
const UNCHECKED = code`// @ts-nocheck\n`;
