/** The parts of a REST contract: a handler per operation, and one per security scheme. */

import { type LoadOptions, loadContract } from '../../load/load.js';
import type { ContractModel, OperationModel } from '../../read/model.js';
import { readContract } from '../../read/operations.js';
import { Reader } from '../../read/reader.js';
import { type PartFolder, named } from './part.js';
import type { Template } from './template.js';

/** The model of a contract without faults: its code has already been generated. */
export async function readModel(openapi: string, options: LoadOptions): Promise<ContractModel> {
  const { document } = await loadContract(openapi, options);
  return readContract(new Reader(document));
}

export function operationParts(contract: ContractModel): PartFolder {
  const unnamed = contract.operations.map((operation) => ({
    path: [operation.id],
    words: operation.typeName,
    operation,
  }));
  return {
    path: 'src/rest/operations',
    variable: 'operations',
    what: 'operation',
    template: { file: 'src/rest/operations.ts' },
    parts: named(unnamed).map((part) => ({ ...part, template: handlerTemplate(part.name, part.operation) })),
  };
}

function handlerTemplate(NAME: string, { id, method, path, summary }: OperationModel): Template {
  const ABOUT = `\`${method} ${path}\`${summary === '' ? '' : `: ${summary}`}`;
  return { file: 'src/rest/operations/operation.ts', values: { NAME, ABOUT, ID: id } };
}

export function securityParts({ securitySchemes }: ContractModel): PartFolder {
  const schemes = Object.keys(securitySchemes);
  return {
    path: 'src/rest/security',
    variable: 'security',
    what: 'security scheme',
    template: { file: 'src/rest/security.ts' },
    parts: named(schemes.map((scheme) => ({ path: [scheme], words: scheme, scheme }))).map((part) => ({
      ...part,
      template: { file: 'src/rest/security/scheme.ts', values: { NAME: part.name, ID: part.scheme } },
    })),
  };
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
