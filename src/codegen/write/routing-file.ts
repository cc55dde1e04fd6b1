/** Writes `routing.ts`: the table of operations, the tree of their paths, the codecs of their parameters. */

import type { ContractModel, MediaTypeModel, OperationModel, ResponseModel } from '../model.js';
import { type CheckList, bodyCheckName, componentName } from './checks.js';
import { Code, literal } from './literal.js';
import { pathTree } from './path-tree.js';
import { pascalCase } from '../read/names.js';

/**
 * The text of `routing.ts`.
 *
 * @param checks - is told of every check that the table names
 * @param isTrivial - whether a schema turned out to accept everything, so that there is no check of that name
 */
export function routingFile(contract: ContractModel, checks: CheckList, banner: string): string {
  const operations = Object.fromEntries(
    contract.operations.map((each) => [each.id, operationEntry(each, checks)]),
  );
  return `${banner}
import * as check from "./validators.js";

/** Everything that an engine needs to serve the contract. */
export const contract = {
  /** What each operation takes and gives, by operationId. */
  operations: ${literal(operations, 2)},
  /** The paths as a tree, a segment a level: text before patterns, patterns before parameters. */
  paths: ${literal(pathTree(contract.operations), 2)},
  /** Where a caller's credential is found. */
  securitySchemes: ${literal(contract.securitySchemes, 2)},
} as const;
`;
}

function operationEntry(operation: OperationModel, checks: CheckList): object {
  const parameters = operation.parameters.map((parameter) => ({
    in: parameter.in,
    name: parameter.name,
    index: parameter.index,
    required: parameter.required || undefined,
    style: parameter.style,
    explode: parameter.explode,
    value: parameter.coercion,
    default: parameter.default,
    lenient: parameter.lenient,
  }));
  return {
    method: operation.method,
    path: operation.path,
    deprecated: operation.deprecated || undefined,
    parameters: parameters.length === 0 ? undefined : parameters,
    checkParameters: reference(checks.parameters(operation)),
    requestBody: requestBodyEntry(operation, checks),
    security: operation.security,
    responses: Object.fromEntries(
      operation.responses.map((response) => [response.status, responseEntry(operation, response, checks)]),
    ),
    extensions: Object.keys(operation.extensions).length === 0 ? undefined : operation.extensions,
  };
}

function requestBodyEntry(operation: OperationModel, checks: CheckList): object | undefined {
  const body = operation.requestBody;
  if (body === undefined) return undefined;
  const several = body.content.length > 1;
  const about = `the body of ${operation.method} ${operation.path}`;
  const entry = (media: MediaTypeModel): object => ({
    kind: media.kind,
    fields: media.fields,
    check: reference(checks.body(bodyCheckName(operation, 'Body', media, several), media, 'request', about)),
  });
  return {
    required: body.required || undefined,
    content: Object.fromEntries(body.content.map((media) => [media.mediaType, entry(media)])),
  };
}

function responseEntry(operation: OperationModel, response: ResponseModel, checks: CheckList): object {
  const several = response.content.length > 1;
  const part = pascalCase(response.status);
  const about = `the ${response.status} of ${operation.method} ${operation.path}`;
  const content = response.content.map((media) => [
    media.mediaType,
    {
      kind: media.kind,
      schema: componentName(media.schema),
      check: reference(checks.body(bodyCheckName(operation, part, media, several), media, 'response', about)),
    },
  ]);
  const headers = response.headers.map((header) => [
    header.name,
    {
      required: header.required || undefined,
      explode: header.explode || undefined,
      check: reference(
        checks.header(`header${pascalCase(header.name)}`, header.schema, `the header ${header.name}`),
      ),
    },
  ]);
  return {
    content: content.length === 0 ? undefined : (Object.fromEntries(content) as object),
    headers: headers.length === 0 ? undefined : (Object.fromEntries(headers) as object),
  };
}

function reference(name: string | undefined): Code | undefined {
  return name === undefined ? undefined : new Code(`check.${name}`);
}
