/** Writes `routing.ts`: the table of operations, the tree of their paths and the codecs of their parameters. */

import type { ContractModel } from '../../contract/model/model.js';
import { atPlace } from '../../contract/problems/contract-problem.js';
import type { SchemaObject } from '../../contract/schemas/document.js';
import { camelCase, freeIdentifier, words } from '../../text/identifiers.js';
import type { CheckList } from './checks.js';
import { CHECKS, PARAMETERS, RESPONSES, RoutingTable } from './routing-table.js';
import { type Code, NOTHING, code, docComment, identifier, joined, operationKey } from '../../text/code.js';
import { literal, memberOf } from '../../text/literal.js';
import { sharedLiterals } from '../../text/shared-literals.js';
import { joinPointer } from '../../text/pointer.js';
import type { ValueList } from './value-list.js';
import { pathTree } from './path-tree.js';

/**
 * The text of `routing.ts`. Parameters and responses under `components` in the contract are also written only once here.
 *
 * @param checks - collects every check that the table names. Requests refer to functions; responses name exports of
 *   `response-validators.js`, which a server loads only when it checks its answers
 * @param records - those with stored fields, which are the properties of the schema
 */
export function routingFile(
  contract: ContractModel,
  checks: CheckList,
  values: ValueList,
  banner: Code,
  records: readonly (readonly [record: string, SchemaObject])[],
): Code {
  const table = new RoutingTable(checks, values);
  const names = new Set<string>();
  const operations = contract.operations.map((operation) =>
    atPlace(operation.pointer, () => ({
      key: operationKey(operation.id),
      // Two type names may differ only in the case of their first letter.
      name: identifier(freeIdentifier(`${camelCase(operation.typeName)}Operation`, names)),
      about: docComment(`\`${operation.method} ${operation.path}\``),
      entry: table.operation(operation),
    })),
  );
  const stored = records.map(([record, { properties = {} }]) => {
    const entries = Object.keys(properties).map((field) => {
      const place = joinPointer('#/components/schemas', record, 'properties', field);
      return [field, memberOf(CHECKS, checks.alternative(place, 'request'))] as const;
    });
    return [record, Object.fromEntries(entries)] as const;
  });
  const hasSurplus = checks.namesOf('response').length > 0;
  const bodyCodecs = table.hasBodyCodecs ? [code`bodyCodecs`] : [];
  const members = operations.map(({ key, name }) => code`  readonly ${key}: typeof ${name};\n`);
  const entries = operations.map(({ key, name }) => code`  ${key}: ${name},\n`);
  const tables = [
    { about: SHARED_PARAMETERS, name: PARAMETERS, entry: Object.fromEntries(table.parameters) },
    { about: SHARED_RESPONSES, name: RESPONSES, entry: Object.fromEntries(table.responses) },
  ];
  const written = [...tables.filter(({ entry }) => Object.keys(entry).length > 0), ...operations];
  const literals = written.map(({ name, entry }) => [name, entry] as const);
  const taken = new Set([...names, ...OWN_NAMES]);
  const repeated = sharedLiterals(literals, taken, { whole: ['parameters', 'responses'] });
  const blocks = [
    ...repeated.flatMap(({ name, value, parts }, index) => [
      ...parts.map((part) => constant(NOTHING, ...part)),
      constant(written[index]?.about ?? NOTHING, name, value),
    ]),
    constant(PATHS, code`paths`, pathTree([...contract.operations, ...contract.left]), code`PathNode`),
    constant(SCHEMES, code`securitySchemes`, contract.securitySchemes),
    constant(code`/** The XML names of component schemas. */`, code`xmlNames`, contract.xmlNames),
    constant(code`/** The \`x-\` fields of the document itself. */`, code`extensions`, contract.extensions),
    ...(stored.length > 0 ? [constant(STORED, code`stored`, Object.fromEntries(stored))] : []),
    contractConstant(joined(members), joined(entries), typeOfNames(contract.securitySchemes), [
      ...(hasSurplus ? [code`surplus`] : []),
      ...(stored.length > 0 ? [code`stored: { checks: stored, failureOf }`] : []),
      ...bodyCodecs,
    ]),
  ];
  const parts = [...bodyCodecs, ...(stored.length > 0 ? [code`failureOf`] : [])];
  const imports = joined([
    parts.length > 0 ? code`import { ${joined(parts, code`, `)} } from "@concordat/runtime";\n` : NOTHING,
    code`import type { PathNode, RestContract } from "@concordat/runtime";\n`,
    code`import type { Operations } from "./operations.js";\n`,
    // Strict compiler settings refuse an unused import.
    hasSurplus ? code`import { surplus } from "./surplus.js";\n` : NOTHING,
    checks.namesOf('request').length > 0 ? code`import * as check from "./validators.js";\n` : NOTHING,
    values.isEmpty ? NOTHING : code`import * as value from "./values.js";\n`,
  ]);
  return joined([banner, imports, ...blocks], code`\n`);
}

const SHARED_PARAMETERS = code`/** Parameters that several operations may share. */`;
const SHARED_RESPONSES = code`/** Responses that several operations may share. */`;
const PATHS = code`/** The paths as a tree with one level per segment: text before patterns, patterns before parameters. */`;
const SCHEMES = code`/** The place of a caller's credential, by security scheme. */`;
const STORED = code`/** The checks of the values of stored fields. */`;

/** The names of the file that are not those of operations. */
const OWN_NAMES = words(
  'bodyCodecs failureOf surplus check value parameters responses paths securitySchemes xmlNames extensions stored operations contract PathNode RestContract Operations',
);

/** The type of the names of the security schemes. The compiler takes a name of digits for a number. */
function typeOfNames(securitySchemes: object): Code {
  const isPlain = Object.keys(securitySchemes).every((name) => !/^\d+$/.test(name));
  return isPlain ? code`keyof typeof securitySchemes` : code`\`\${keyof typeof securitySchemes}\``;
}

// The type of `contract` is a name that an engine's type has too, so the compiler need not compare the operations one by one.
const contractConstant = (
  members: Code,
  entries: Code,
  schemeNames: Code,
  further: readonly Code[],
): Code => code`/** The operations by operationId, with the types of their literals. */
export const operations: {
${members}} = {
${entries}};

/** Everything that an engine needs to serve the contract. */
export const contract: RestContract<keyof Operations, ${schemeNames}, Operations> = {
  operations,
  paths,
  securitySchemes,
  xmlNames,
  extensions,
${joined(further.map((member) => code`  ${member},\n`))}};
`;

/**
 * The text of `routing.ts` in JavaScript. Types are only in the lines that this file writes around literals; a compiler would take as long
 * as all other steps together.
 */
export function withoutTypes(routing: Code): string {
  return routing
    .replaceAll(/^import type .*\n/gm, '')
    .replaceAll(/ as const;$/gm, ';')
    .replace(/^(const \w+): PathNode = /m, '$1 = ')
    .replace(/^(export const operations): \{\n(?: .*\n)*\} = /m, '$1 = ')
    .replace(/^(export const contract): .* = \{$/m, '$1 = {');
}

/**
 * A constant with its comment.
 *
 * @param type - its type, so that the compiler need not infer that of a large value; without it, the type has the value's own literals
 */
export function constant(comment: Code, name: Code, value: object, type?: Code): Code {
  const start = code`const ${name}${type === undefined ? NOTHING : code`: ${type}`} = `;
  const end = type === undefined ? code` as const;` : code`;`;
  const before = comment.length === 0 ? NOTHING : code`${comment}\n`;
  return code`${before}${start}${literal(value, 0, start.length + end.length)}${end}\n`;
}
