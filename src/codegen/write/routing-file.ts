/** Writes `routing.ts`: the table of operations, the tree of their paths, the codecs of their parameters. */

import type {
  ContractModel,
  MediaTypeModel,
  OperationModel,
  ParameterModel,
  ResponseModel,
} from '../model.js';
import { pascalCase } from '../read/names.js';
import { type CheckList, bodyCheckName, componentName } from './checks.js';
import { Code, literal, propertyName } from './literal.js';
import { pathTree } from './path-tree.js';

/**
 * The text of `routing.ts`. What stands under `components` in the contract is written once here too.
 *
 * @param checks - is told of every check that the table names. Requests name functions; responses name exports of
 * `response-validators.js`, which a server loads only when it checks what it answers.
 */
export function routingFile(contract: ContractModel, checks: CheckList, banner: string): string {
  const table = new RoutingTable(checks);
  const operations = Object.fromEntries(contract.operations.map((each) => [each.id, table.operation(each)]));
  return `${banner}
import * as check from "./validators.js";

/** Parameters that several operations may share. */
const parameters = ${literal(table.parameters)} as const;

/** Responses that several operations may share. */
const responses = ${literal(table.responses)} as const;

/** Everything that an engine needs to serve the contract. */
export const contract = {
  /** What each operation takes and gives, by operationId. */
  operations: ${literal(operations, 2)},
  /** The paths as a tree, a segment a level: text before patterns, patterns before parameters. */
  paths: ${literal(pathTree(contract.operations), 2)},
  /** Where a caller's credential is found. */
  securitySchemes: ${literal(contract.securitySchemes, 2)},
  /** What XML calls component schemas whose contract names their element. */
  xmlNames: ${literal(contract.xmlNames, 2)},
} as const;
`;
}

/** Builds the entries of the table, and collects those that are shared. */
class RoutingTable {
  readonly parameters: Record<string, object> = {};
  readonly responses: Record<string, object> = {};

  constructor(private readonly checks: CheckList) {}

  operation(operation: OperationModel): object {
    const parameters = operation.parameters.map((parameter) => this.#parameter(parameter));
    return {
      method: operation.method,
      path: operation.path,
      deprecated: operation.deprecated || undefined,
      parameters: parameters.length === 0 ? undefined : parameters,
      checkParameters: functionNamed(this.checks.parameters(operation)),
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
      in: parameter.in,
      name: parameter.name,
      index: parameter.index,
      required: parameter.required || undefined,
      style: parameter.style,
      explode: parameter.explode,
      value: parameter.coercion,
      default: parameter.default,
      lenient: parameter.lenient,
    };
    // The position of a path parameter is its path's, not its own.
    if (parameter.component === undefined || parameter.index !== undefined) return entry;
    this.parameters[parameter.component] = entry;
    return new Code(`parameters${accessor(parameter.component)}`);
  }

  #requestBody(operation: OperationModel): object | undefined {
    const body = operation.requestBody;
    if (body === undefined) return undefined;
    const several = body.content.length > 1;
    const about = `the body of ${operation.method} ${operation.path}`;
    const entry = (media: MediaTypeModel): object => {
      const name = bodyCheckName(operation, 'Body', media, several);
      return {
        kind: media.kind,
        fields: media.fields,
        check: functionNamed(this.checks.body(name, media, 'request', about)),
      };
    };
    return {
      required: body.required || undefined,
      content: Object.fromEntries(body.content.map((media) => [media.mediaType, entry(media)])),
    };
  }

  #response(operation: OperationModel, response: ResponseModel): object {
    if (response.component === undefined) return this.#responseEntry(operation, response);
    this.responses[response.component] ??= this.#responseEntry(operation, response);
    return new Code(`responses${accessor(response.component)}`);
  }

  #responseEntry(operation: OperationModel, response: ResponseModel): object {
    const several = response.content.length > 1;
    const part = pascalCase(response.status);
    const about = `the ${response.status} of ${operation.method} ${operation.path}`;
    const content = response.content.map((media): readonly [string, object] => [
      media.mediaType,
      {
        kind: media.kind,
        schema: componentName(media.schema),
        check: this.checks.body(bodyCheckName(operation, part, media, several), media, 'response', about),
      },
    ]);
    const headers = response.headers.map((header): readonly [string, object] => [
      header.name,
      {
        required: header.required || undefined,
        explode: header.explode || undefined,
        check: this.checks.header(header),
      },
    ]);
    return {
      content: content.length === 0 ? undefined : Object.fromEntries(content),
      headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
    };
  }
}

function functionNamed(name: string | undefined): Code | undefined {
  return name === undefined ? undefined : new Code(`check.${name}`);
}

function accessor(name: string): string {
  const property = propertyName(name);
  return property === name && !/^\d/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
