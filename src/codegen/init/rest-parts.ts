/** The parts of a project that its OpenAPI document needs: handlers of operations and of security schemes. */

import { loadContract, type LoadOptions } from '../contract/load/load.js';
import { basePathOf } from '../contract/schemas/document.js';
import type { ContractModel, OperationModel } from '../contract/model/model.js';
import { readContract } from '../contract/model/operations.js';
import { Reader } from '../contract/model/reader.js';
import { quotedLiteral } from './contracts.js';
import { named, type PartFolder, stubTemplate } from './parts.js';
import type { Template } from './project.js';

/** A contract without faults, whose code has already been generated. */
interface RestModel {
  readonly contract: ContractModel;
  /** The path of its first server. */
  readonly prefix: string;
  /** Whether it is one of the core's records, alone or extended, whose operations have handlers. */
  readonly hasRecords: boolean;
}

export async function readModel(openapi: string, options: LoadOptions): Promise<RestModel> {
  const { document } = await loadContract(openapi, options);
  return {
    contract: readContract(new Reader(document)),
    prefix: basePathOf(document.servers?.[0]) ?? '',
    hasRecords: 'x-records' in document,
  };
}

export function operationParts(contract: ContractModel): PartFolder {
  const unnamed = contract.operations.map((operation) => {
    return { path: [operation.id], words: operation.typeName, operation };
  });
  const parts = named(unnamed).map((part) => {
    return { ...part, template: handlerTemplate(part.name, part.operation) };
  });
  return { path: 'src/rest/operations', what: 'operation', parts };
}

function handlerTemplate(name: string, { id, method, path, summary }: OperationModel): Template {
  const about = `\`${method} ${path}\`${summary === '' ? '' : `: ${summary}`}`;
  return stubTemplate({ name, about, types: ['Handlers', '../handlers.js'], path: [id] });
}

export function securityParts({ securitySchemes }: ContractModel): PartFolder {
  const schemes = Object.keys(securitySchemes);
  return {
    path: 'src/rest/security',
    what: 'security scheme',
    parts: named(schemes.map((scheme) => ({ path: [scheme], words: scheme, scheme }))).map((part) => ({
      ...part,
      template: { file: 'src/rest/security/scheme.ts', values: { NAME: part.name, ID: part.scheme } },
    })),
  };
}

/** The test of all operations, which reads the contract from where the generator reads it. */
export function restTestTemplate(
  { securitySchemes }: ContractModel,
  openapi: string,
  { allowOrigins }: LoadOptions,
): Template {
  const schemes = Object.entries(securitySchemes).map(([name, declared]) => {
    const { scheme = '' } = declared as { readonly scheme?: string };
    return [name, scheme.toLowerCase() === 'basic' ? 'user:password' : 'sample'];
  });
  const options = {
    ...(schemes.length > 0 && { credentials: Object.fromEntries(schemes) as object }),
    ...(allowOrigins && { allowOrigins }),
  };
  const OPTIONS = Object.keys(options).length > 0 && quotedLiteral(options, 16);
  const values = { CONTRACT: openapi, SCHEMES: schemes.length > 0, OPTIONS };
  return { file: 'test/rest.test.ts', values };
}

const XML = /[/+]xml$/;

/** The media types of responses that the engine does not write itself. */
export function encodedTypes(contract: ContractModel): readonly string[] {
  const media = contract.operations.flatMap(({ responses }) => responses).flatMap(({ content }) => content);
  return [...new Set(media.filter(({ kind }) => kind === 'other').map(({ mediaType }) => mediaType))];
}

export function engineTemplate(contract: ContractModel): Template {
  const types = encodedTypes(contract);
  const values = {
    ENCODED: types.length > 0,
    XML: types.filter((type) => XML.test(type)),
    OTHER: types.filter((type) => !XML.test(type)),
  };
  return { file: 'src/rest/engine.ts', values };
}
