/** Writes `routing.ts`: the table of operations, the tree of their paths and the codecs of their parameters. */

import type {
  ContractModel,
  MediaTypeModel,
  OperationModel,
  ParameterModel,
  PartsModel,
  ResponseModel,
} from '../../contract/model/model.js';
import { atPlace } from '../../contract/problems/contract-problem.js';
import type { SchemaObject } from '../../contract/schemas/document.js';
import { camelCase, freeIdentifier, pascalCase } from '../../text/identifiers.js';
import { type CheckList, bodyCheckName, componentName } from './checks.js';
import { type Code, NOTHING, code, docComment, identifier, joined, operationKey } from '../../text/code.js';
import { literal, memberOf } from '../../text/literal.js';
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
  const members = operations.map(({ key, name }) => code`  readonly ${key}: typeof ${name};\n`);
  const entries = operations.map(({ key, name }) => code`  ${key}: ${name},\n`);
  const blocks = [
    ...shared('Parameters that several operations may share.', PARAMETERS, table.parameters),
    ...shared('Responses that several operations may share.', RESPONSES, table.responses),
    ...operations.map(({ about, name, entry }) => constant(about, name, entry)),
    constant(PATHS, code`paths`, pathTree([...contract.operations, ...contract.left]), code`PathNode`),
    constant(
      code`/** The place of a caller's credential, by security scheme. */`,
      code`securitySchemes`,
      contract.securitySchemes,
    ),
    constant(code`/** The XML names of component schemas. */`, code`xmlNames`, contract.xmlNames),
    constant(code`/** The \`x-\` fields of the document itself. */`, code`extensions`, contract.extensions),
    ...shared('The checks of the values of stored fields.', code`stored`, new Map(stored)),
    contractConstant(joined(members), joined(entries), typeOfNames(contract.securitySchemes), [
      ...(hasSurplus ? [code`surplus`] : []),
      ...(stored.length > 0 ? [code`stored: { checks: stored, failureOf }`] : []),
      ...(table.hasBodyCodecs ? [code`bodyCodecs`] : []),
    ]),
  ];
  const parts = [
    ...(table.hasBodyCodecs ? [code`bodyCodecs`] : []),
    ...(stored.length > 0 ? [code`failureOf`] : []),
  ];
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

const PATHS = code`/** The paths as a tree with one level per segment: text before patterns, patterns before parameters. */`;
const CHECKS = code`check`;
const PARAMETERS = code`parameters`;
const RESPONSES = code`responses`;

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
  return code`${comment}\n${start}${literal(value, 0, start.length + end.length)}${end}\n`;
}

/** A constant for shared entries, unless there are none, because strict compiler settings refuse unused constants. */
function shared(about: string, name: Code, entries: ReadonlyMap<string, object>): readonly Code[] {
  return entries.size === 0 ? [] : [constant(docComment(about), name, Object.fromEntries(entries))];
}

/** Builds the entries of the table, and collects those that are shared. */
class RoutingTable {
  readonly parameters = new Map<string, object>();
  readonly responses = new Map<string, object>();
  /** Whether a query or body is a form, or a body a stream of parts or items. */
  hasBodyCodecs = false;

  constructor(
    private readonly checks: CheckList,
    private readonly values: ValueList,
  ) {}

  operation(operation: OperationModel): object {
    const parameters = operation.parameters.map((parameter) => this.#parameter(parameter));
    this.hasBodyCodecs ||= operation.parameters.some(({ fields }) => fields !== undefined);
    return {
      method: operation.method,
      path: operation.path,
      tags: operation.tags.length === 0 ? undefined : operation.tags,
      deprecated: operation.deprecated || undefined,
      parameters: parameters.length === 0 ? undefined : parameters,
      checkParameters: memberOf(CHECKS, this.checks.parameters(operation)),
      decodeParameters: this.values.parameters('decode', operation),
      encodeParameters: this.values.parameters('encode', operation),
      exact: this.values.isExact(operation) || undefined,
      requestBody: this.#requestBody(operation),
      security: operation.security,
      responses: Object.fromEntries(
        operation.responses.map((response) => [response.status, this.#response(operation, response)]),
      ),
      extensions: Object.keys(operation.extensions).length === 0 ? undefined : operation.extensions,
    };
  }

  #parameter(parameter: ParameterModel): object {
    const entry = {
      ...parameterEntry(parameter),
      default: parameter.default,
      lenient: parameter.lenient,
    };
    if (parameter.component === undefined) return entry;
    this.parameters.set(parameter.component, entry);
    return memberOf(PARAMETERS, parameter.component);
  }

  #note({ kind }: MediaTypeModel): void {
    this.hasBodyCodecs ||= kind === 'form' || kind === 'multipart' || kind === 'parts' || kind === 'items';
  }

  #requestBody(operation: OperationModel): object | undefined {
    const body = operation.requestBody;
    if (body === undefined) return undefined;
    const several = body.content.length > 1;
    const about = `the body of ${operation.method} ${operation.path}`;
    const entry = (media: MediaTypeModel): object => {
      const name = bodyCheckName(operation, 'Body', media, several);
      this.#note(media);
      if (media.parts !== undefined) return this.#parts(name, media.parts, about);
      return {
        kind: media.kind,
        fields: media.fields,
        items: media.items,
        check: memberOf(CHECKS, this.checks.body(name, media, 'request', about)),
        decode: this.values.body('decode', name, media),
        encode: this.values.body('encode', name, media),
      };
    };
    return {
      required: body.required || undefined,
      limit: body.limit,
      content: Object.fromEntries(body.content.map((media) => [media.mediaType, entry(media)])),
    };
  }

  /** A form that is read part by part: each field has its own check. */
  #parts(owner: string, { fields, isClosed }: PartsModel, about: string): object {
    const entries = Object.entries(fields).map(([name, part]): readonly [string, object] => {
      const check = this.checks.part(`${owner}${pascalCase(name)}`, part, `${name} in ${about}`);
      const { value, required, several } = part;
      return [name, { value, required, several, check: memberOf(CHECKS, check) }];
    });
    return { kind: 'parts', fields: Object.fromEntries(entries), closed: isClosed || undefined };
  }

  #response(operation: OperationModel, response: ResponseModel): object {
    if (response.component === undefined) return this.#responseEntry(operation, response);
    if (!this.responses.has(response.component))
      this.responses.set(response.component, this.#responseEntry(operation, response));
    return memberOf(RESPONSES, response.component);
  }

  #responseEntry(operation: OperationModel, response: ResponseModel): object {
    const several = response.content.length > 1;
    const part = pascalCase(response.status);
    const about = `the ${response.status} of ${operation.method} ${operation.path}`;
    for (const media of response.content) this.#note(media);
    const content = response.content.map((media): readonly [string, object] => [
      media.mediaType,
      {
        kind: media.kind,
        items: media.items,
        contentType: media.key.includes(';') ? media.key : undefined,
        schema: componentName(media.node?.schema),
        check: this.checks.body(bodyCheckName(operation, part, media, several), media, 'response', about),
        encode: this.values.body('encode', bodyCheckName(operation, part, media, several), media),
        decode: this.values.body('decode', bodyCheckName(operation, part, media, several), media),
        exact: this.values.isExactContent([media]) || undefined,
      },
    ]);
    const headers = response.headers.map((header): readonly [string, object] => [
      header.name,
      {
        required: header.required || undefined,
        explode: header.explode || undefined,
        check: this.checks.header(header),
        encode: this.values.header(header),
      },
    ]);
    return {
      content: content.length === 0 ? undefined : Object.fromEntries(content),
      headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
    };
  }
}

export function parameterEntry(parameter: ParameterModel): object {
  return {
    in: parameter.in,
    name: parameter.name,
    required: parameter.required || undefined,
    style: parameter.style,
    explode: parameter.explode,
    value: parameter.coercion,
    fields: parameter.fields,
  };
}
