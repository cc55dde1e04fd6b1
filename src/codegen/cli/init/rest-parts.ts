/** The parts of a REST contract: a handler per operation, and one per security scheme. */

import { basename } from 'node:path';
import { loadContract } from '../../load/load.js';
import type { ContractModel, OperationModel } from '../../read/model.js';
import { readContract } from '../../read/operations.js';
import { Reader } from '../../read/reader.js';
import { docComment } from '../../write/text.js';
import { type PartFolder, named, quoted } from './part.js';

/** The model of a contract that has been generated from, and so has no faults. */
export async function readModel(openapi: string): Promise<ContractModel> {
  const { document } = await loadContract(openapi);
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
    emptyList: `/** The handler of every operation. \`concordat init\` adds those of new operations. */

import type { Handlers } from './handlers.js';

export const operations: Handlers = {};
`,
    parts: named(unnamed).map((part) => ({ ...part, text: handlerStub(part.name, part.operation) })),
  };
}

function handlerStub(name: string, { id, method, path, summary }: OperationModel): string {
  const about = `\`${method} ${path}\`${summary === '' ? '' : `: ${summary}`}`;
  return `${docComment(about)}

import { Problem } from 'concordat';
import type { Handlers } from '../handlers.js';

export const ${name}: Handlers[${quoted(id)}] = () => {
  throw new Problem(501, ${quoted(`${id} is not implemented`)});
};
`;
}

export function securityParts({ securitySchemes }: ContractModel): PartFolder {
  const schemes = Object.keys(securitySchemes);
  return {
    path: 'src/rest/security',
    variable: 'security',
    what: 'security scheme',
    emptyList: `/** The handler of every security scheme. \`concordat init\` adds those of new schemes. */

import type { SecurityHandler } from 'concordat';
import type { SecuritySchemeName } from 'GENERATED/operations.js';
import type { Caller } from './handlers.js';

export const security: Readonly<Record<SecuritySchemeName, SecurityHandler<Caller>>> = {};
`,
    parts: named(schemes.map((scheme) => ({ path: [scheme], words: scheme, scheme }))).map((part) => ({
      ...part,
      text: securityStub(part.name, part.scheme),
    })),
  };
}

function securityStub(name: string, scheme: string): string {
  return `${docComment(`Who calls, by the security scheme \`${scheme}\`.`)}

import { Problem, type SecurityHandler } from 'concordat';
import type { Caller } from '../handlers.js';

export const ${name}: SecurityHandler<Caller> = {
  missing: 'This operation needs a credential',
  authenticate() {
    throw new Problem(501, ${quoted(`${scheme} is not implemented`)});
  },
};
`;
}

export function handlerTypes(openapi: string): string {
  return `/** The types of the handlers of ${basename(openapi)}. */

import type { CallContext } from 'concordat';
import type { Operations } from 'GENERATED/operations.js';

/** Who calls: what a security handler returns for a credential; undefined where an operation asks for none. */
export type Caller = { readonly id: string } | undefined;

/** A handler per operation. Each gets the decoded, checked request and \`{ caller, request, … }\`. */
export type Handlers = Operations<CallContext<Caller>>;
`;
}

const XML = /[/+]xml$/;

/** The media types of responses that the engine does not write itself. */
export function encodedTypes(contract: ContractModel): readonly string[] {
  const media = contract.operations.flatMap(({ responses }) => responses).flatMap(({ content }) => content);
  return [...new Set(media.filter(({ kind }) => kind === 'other').map(({ mediaType }) => mediaType))];
}

export function engineFile(contract: ContractModel): string {
  const types = encodedTypes(contract);
  const hasXml = types.some((type) => XML.test(type));
  const encoders = types.map((type) =>
    XML.test(type)
      ? `    ${quoted(type)}: xmlEncoder(contract.xmlNames),\n`
      : `    ${quoted(type)}: () => {\n      throw new Problem(501, ${quoted(`${type} is not written yet`)});\n    },\n`,
  );
  const problem = types.some((type) => !XML.test(type)) ? 'Problem, ' : '';
  return `/** The contract with its handlers, as one function from a request to a response. */

import { ${problem}restEngine } from 'concordat';
${hasXml ? "import { xmlEncoder } from 'concordat/xml';\n" : ''}import { contract } from 'GENERATED/routing.js';
import { operations } from './operations.js';
import { security } from './security.js';

export const engine = restEngine({
  contract,
  operations,
  security,
  anonymous: undefined,
${encoders.length > 0 ? `  encoders: {\n${encoders.join('')}  },\n` : ''}  report: console.error,
  // Outside of production every answer is checked against the contract.
  ...(process.env['NODE_ENV'] !== 'production' && {
    checkResponses: await import('GENERATED/response-validators.js'),
  }),
});
`;
}

/** The first test: it holds before and after the handlers are written. */
export const restTest = `/** Reads everything that the contract offers without parameters of its own: no answer may break the contract. */

import { notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { memoryRequest } from 'concordat';
import { engine } from '../src/rest/engine.js';

for (const { id, method, path } of engine.operations.filter((operation) => operation.method === 'GET')) {
  test(\`\${id} answers\`, async () => {
    const { status } = await engine(memoryRequest({ method, path: path.replaceAll(/\\{[^}]+\\}/g, '1') }));
    notEqual(status, 500);
  });
}
`;
