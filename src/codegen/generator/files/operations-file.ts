/** Writes `operations.ts`: the request and the closed union of answers of each handler, webhook and callback. */

import { atPlace } from '../../contract/problems/contract-problem.js';
import type { ContractModel, OperationModel, OutgoingModel } from '../../contract/model/model.js';
import {
  type Code,
  NOTHING,
  code,
  docComment,
  identifier,
  joined,
  operationKey,
  stringLiteral,
  WIDTH,
} from '../../text/code.js';
import type { SchemaVariants } from './schema-variants.js';
import { requestName, requestType } from './request-type.js';
import { ResponseTypes, responseName, statusTypes } from './response-type.js';
import { words } from '../../text/identifiers.js';
import { mentionedIn } from '../../text/parsed-code.js';
import { unionOf } from './schema-type.js';

/**
 * The types of the operations, in which `Schemas["Room"]` is the type of a component.
 *
 * @param types - collects further schemas for `openapi.ts`: those with defaults that handlers get, and those of parameters and headers
 */
export function operationTypes(contract: ContractModel, types: SchemaVariants): Code {
  const responses = new ResponseTypes(contract, types);
  const blocks = contract.operations.map((operation) =>
    atPlace(
      operation.pointer,
      () => code`${docComment(about(operation))}
export ${requestType(operation, types)}

${docComment(`The responses of \`${operation.id}\`.`)}
export type ${responseName(operation)} =${responses.union(operation)};
`,
    ),
  );
  const sent = outgoingTypes(contract, responses, types);
  return joined([...responses.shared(), ...blocks, ...sent], code`\n`);
}

/**
 * The text of `operations.ts`.
 *
 * @param types - the types of the operations
 * @param names - the names of the types of components in `openapi.ts`
 */
export function operationsFile(
  contract: ContractModel,
  types: Code,
  names: ReadonlyMap<string, string>,
  banner: Code,
): Code {
  const mentioned = mentionedIn(types);
  const imported = new Set<string>();
  const named = types.replaceAll(/\bSchemas\[("(?:[^"\\]|\\.)*")\]/g, (access, key: string) => {
    const name = names.get(JSON.parse(key) as string);
    // A type of an operation may have the same name.
    if (name === undefined || mentioned.has(name) || OWN_NAMES.has(name)) return access;
    imported.add(name);
    return name;
  }) as Code;
  const helpers = [
    ...([...mentioned].some((name) => /^Status(?:\dXX|Default)$/.test(name)) ? [statusTypes()] : []),
    ...(mentioned.has('WithFiles') ? [WITH_FILES] : []),
  ];
  const body = joined([operationsInterface(contract), securityTypes(contract), ...helpers, named], code`\n`);
  const isWhole = /\bSchemas\["/.test(named);
  return code`${banner}\n${imports([...[...imported].sort(), ...(isWhole ? ['components'] : [])], isWhole)}\n${body}`;
}

/** The names that the file declares beside the types of operations. */
const OWN_NAMES = new Set([
  ...words('Handler Operations SecuritySchemeName Webhooks Callbacks WithFiles Schemas Context'),
  ...words('Request Response Record Readonly Promise Extract'),
]);

// Editors show the fields of a conditional type, but only the name and parameters of a mapped type.
const WITH_FILES = code`/** A form with its files: a binary string of OpenAPI arrives as a \`File\`. */
export type WithFiles<Form, Files> = Form extends unknown
  ? { readonly [Name in keyof Form]: Name extends keyof Files ? Files[Name] : Form[Name] }
  : never;
`;

function about(operation: OperationModel): string {
  const { method, path, summary, deprecated } = operation;
  return `\`${method} ${path}\`${summary === '' ? '' : `: ${summary}`}${deprecated ? '\n@deprecated' : ''}`;
}

function operationsInterface(contract: ContractModel): Code {
  // The promise has a `status` in this type, so the compiler reports a wrong status at its place, with the allowed ones.
  const handler = code`/** Serves one operation: a request in, one of its declared responses out, now or later. */
export type Handler<Request, Response, Context> = (
  request: Request,
  context: Context,
) => Response | (Promise<Response> & { readonly status?: never });
`;
  if (contract.operations.length === 0) {
    return code`${handler}
/** The contract has no operations. */
export type Operations<Context = unknown> = Readonly<Record<never, Handler<never, never, Context>>>;
`;
  }
  const members = contract.operations.map(
    (operation) => code`  ${docComment(about(operation), 2)}
  readonly ${operationKey(operation.id)}: Handler<${requestName(operation)}, ${responseName(operation)}, ${contextType(operation)}>;
`,
  );
  return code`${handler}
/** A handler for every operation of the contract. \`Context\` describes the call: its caller and its request. */
export interface Operations<Context = unknown> {
${joined(members)}}
`;
}

/** The context of a handler; if its successes have several media types, with those among which the client may choose. */
function contextType({ responses }: OperationModel): Code {
  const successes = responses.filter(({ status }) => status.startsWith('2') || status === 'default');
  const mediaTypes = new Set(successes.flatMap(({ content }) => content).map(({ mediaType }) => mediaType));
  if (mediaTypes.size < 2 || [...mediaTypes].some((each) => each.includes('*'))) return code`Context`;
  return code`Context & { readonly mediaType: ${unionOf([...mediaTypes].map(stringLiteral))} }`;
}

function securityTypes(contract: ContractModel): Code {
  const names = Object.keys(contract.securitySchemes).map(stringLiteral);
  return code`/** The security schemes of the contract; an engine needs a handler for each. */
export type SecuritySchemeName = ${names.length === 0 ? code`never` : unionOf(names)};
`;
}

function imports(names: readonly string[], hasSchemas: boolean): Code {
  if (names.length === 0) return NOTHING;
  const flat = code`import type { ${joined(names.map(identifier), code`, `)} } from "./openapi.js";\n`;
  const long = code`import type {\n${joined(names.map((name) => code`  ${identifier(name)},\n`))}} from "./openapi.js";\n`;
  return code`${flat.length > WIDTH ? long : flat}${hasSchemas ? code`\ntype Schemas = components["schemas"];\n` : NOTHING}`;
}

/** The types of each request and of its answers, and the interfaces `Webhooks` and `Callbacks` that list them. */
function outgoingTypes(
  { webhooks, callbacks }: ContractModel,
  responses: ResponseTypes,
  types: SchemaVariants,
): readonly Code[] {
  const blocks = [...webhooks, ...callbacks].map(
    (each) => code`${docComment(`The request of \`${each.id}\`.`)}
export ${requestType(each, types, true)}

${docComment(`The answers to \`${each.id}\`.`)}
export type ${responseName(each)} =${responses.union(each)};
`,
  );
  return [
    ...exchanges(code`Webhooks`, 'The webhooks that the service sends, by name.', webhooks),
    ...exchanges(code`Callbacks`, 'The callbacks that the service sends, by name.', callbacks),
    ...blocks,
  ];
}

function exchanges(name: Code, description: string, sent: readonly OutgoingModel[]): readonly Code[] {
  if (sent.length === 0) return [];
  const members = sent.map(
    ({ id, method, url, summary, ...each }) => code`  ${docComment(
      `\`${[method, url].filter((part) => part !== undefined).join(' ')}\`${summary === '' ? '' : `: ${summary}`}`,
      2,
    )}
  readonly ${operationKey(id)}: { readonly request: ${requestName(each)}; readonly answer: ${responseName(each)} };
`,
  );
  return [code`${docComment(description)}\nexport interface ${name} {\n${joined(members)}}\n`];
}
