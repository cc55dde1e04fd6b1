/** Generates from the documents and starts an engine on each, with handlers that answer as the scenarios do. */

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContractError } from 'concordat';
import { type ResponseBody, type RestContract, type RestEngine, restEngine } from '@concordat/runtime';
import { type GeneratedContract, generateContract } from '../codegen/generated-contract.js';
import { ROOT } from '../architecture/source-tree.js';
import { type CompiledSpecification, prefixOf } from './documents.js';
import { handlerOf, isSentTo } from './handlers.js';
import type { Exchange, Target } from './scenarios.js';

/** One service, and where it is mounted. */
export interface Service {
  /** Its generated files, relative to the directory of all services. */
  readonly directory: string;
  readonly prefix: string;
  readonly engine: RestEngine<string>;
}

interface Setting {
  readonly directory: string;
  readonly specifications: readonly CompiledSpecification[];
  readonly exchanges: readonly Exchange[];
  readonly target: Target;
  /** Called with the errors of handlers and of the engine. */
  readonly report: (scenario: string, fault: string) => void;
}

/** @returns the services, and the unsupported features that were accepted, by specification */
export async function startServices({ directory, specifications, ...scenarios }: Setting): Promise<{
  readonly services: readonly Service[];
  readonly accepted: Readonly<Record<string, readonly string[]>>;
}> {
  const services: Service[] = [];
  const accepted: Record<string, readonly string[]> = {};
  for (const [index, { name, file, document }] of specifications.entries()) {
    const own = `generated-${index}`;
    const out = join(directory, own);
    await mkdir(out);
    await writeFile(join(out, 'package.json'), '{ "type": "module" }\n');
    await symlink(join(ROOT, 'node_modules'), join(out, 'node_modules'));
    const { generated, features } = await generateAccepting(out, file);
    if (features.length > 0) accepted[name] = features;
    const prefix = prefixOf(document);
    services.push({ directory: own, prefix, engine: startEngine(generated, prefix, scenarios) });
  }
  return { services, accepted };
}

/** Generates, accepting every unsupported feature that the generator names. */
async function generateAccepting(
  out: string,
  openapi: string,
): Promise<{ readonly generated: GeneratedContract; readonly features: readonly string[] }> {
  try {
    return { generated: await generateContract(out, { openapi }), features: [] };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const features = [...new Set(error.problems.flatMap(({ feature }) => feature ?? []))].sort();
    return { generated: await generateContract(out, { openapi, accept: features }), features };
  }
}

function startEngine(
  { contract, responseChecks }: GeneratedContract,
  prefix: string,
  { exchanges, target, report }: Pick<Setting, 'exchanges' | 'target' | 'report'>,
): RestEngine<string> {
  const own = exchanges.filter(({ path }) => path.startsWith(prefix));
  const operations = Object.fromEntries(
    Object.entries(contract.operations).map(([id, operation]) => [
      id,
      handlerOf({ operation, exchanges: own, prefix, target }),
    ]),
  );
  const others = otherContent(contract);
  return restEngine({
    contract,
    operations,
    security: Object.fromEntries(Object.keys(contract.securitySchemes).map((name) => [name, anyCredential])),
    anonymous: 'nobody',
    // Content in a format that the engine does not write is handed on as the scenario has it, and so cannot be checked.
    encoders: Object.fromEntries(others.map(([mediaType]) => [mediaType, (text) => String(text)])),
    checkResponses: {
      ...responseChecks,
      ...Object.fromEntries(
        others.flatMap(([, { check }]) => (check === undefined ? [] : [[check, isAnything]])),
      ),
    },
    report: (error, request) => {
      for (const exchange of own.filter((each) => isSentTo(each, request, prefix))) {
        report(exchange.scenario, String(error));
      }
    },
  });
}

const isAnything = (): boolean => true;

const anyCredential = {
  missing: 'A credential is missing',
  authenticate: (credential: string, { scopes }: { readonly scopes: readonly string[] }) => ({
    caller: credential,
    scopes,
  }),
};

function otherContent({ operations }: RestContract): readonly (readonly [string, ResponseBody])[] {
  return Object.values(operations)
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.entries(content).filter(([, { kind }]) => kind === 'other'));
}
