/** Opens the endpoints that are made from the contracts, which are the core's or extend it: the pages, and the Model Context Protocol. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type {
  Caller,
  DemoSignIn,
  PublicTokenKey,
  SecurityHandlers,
  ServiceEngineOptions,
  Services,
} from '@concordat/core';
import { openapiFile, openapiJsonFile, schemaFile } from '@concordat/core/contract';
import type { ExtendedSchema } from '@concordat/core/graphql';
import type { HttpHandler, RestContract, RestEngine } from '@concordat/runtime';
import type { McpOptions } from '@concordat/runtime/mcp';
import { type Pages, servicePages } from '../pages/pages.js';
import type { Settings } from '../settings/settings.js';

/** Its packages are loaded only if it is enabled. */
export async function openMcp(
  engine: McpOptions['engine'],
  { mcpTools, corsOrigins }: Pick<Settings, 'mcpTools' | 'corsOrigins'>,
  document?: McpOptions['document'],
): Promise<HttpHandler | undefined> {
  if (mcpTools === undefined) return undefined;
  const { mcpHttp } = await import('@concordat/runtime/mcp');
  return mcpHttp({
    engine,
    document: document ?? (JSON.parse(await ownJson()) as McpOptions['document']),
    ...(mcpTools !== 'read' && {
      only: mcpTools.map((name) => (name.includes(':') ? name : `operation:${name}`)),
    }),
    ...(corsOrigins !== undefined && { origins: corsOrigins === '*' ? corsOrigins : [...corsOrigins] }),
  });
}

export const { version } = createRequire(import.meta.url)('@concordat/service/package.json') as {
  readonly version: string;
};

/**
 * @param demoSignIns - users whose passwords are public
 * @param own - the contracts of the application
 */
export async function openPages(
  { publicUrl, idpIssuer }: Pick<Settings, 'publicUrl' | 'idpIssuer'>,
  demoSignIns: readonly DemoSignIn[],
  publicKeys: readonly PublicTokenKey[],
  own: { readonly document: object | undefined; readonly schema: string | undefined },
): Promise<Pages> {
  const { document, schema } = own;
  const openapiYaml =
    document === undefined ? await readFile(openapiFile, 'utf8') : (await import('yaml')).stringify(document);
  return servicePages({
    contracts: {
      openapiYaml,
      openapiJson: async () =>
        document === undefined
          ? {
              text: await ownJson(),
              brotli: await readFile(new URL(`${openapiJsonFile.href}.br`)).catch(() => undefined),
            }
          : { text: JSON.stringify(document) },
      schema: schema ?? (await readFile(schemaFile, 'utf8')),
    },
    landing: { version, publicUrl, demoSignIns, hasExternalSignIn: idpIssuer !== undefined },
    publicKeys,
  });
}

/** The service's document as JSON. YAML is parsed only where the service runs from its sources, without what the build makes. */
async function ownJson(): Promise<string> {
  return await readFile(openapiJsonFile, 'utf8').catch(async () => {
    const { parse } = await import('yaml');
    return JSON.stringify(parse(await readFile(openapiFile, 'utf8')));
  });
}

/** The parts of the service that the engine of an application's own contract is made with. */
export interface RestParts extends Pick<
  ServiceEngineOptions,
  'services' | 'xml' | 'report' | 'reportVersions' | 'checkResponses'
> {
  /** The handlers of the core's security schemes, or those of the option `securityHandlers`. */
  readonly security: SecurityHandlers;
}

/** An OpenAPI contract that extends the core's. */
export interface OwnRest {
  /** The `contract` of the generated `routing.ts`. */
  readonly contract: Omit<RestContract, 'handlers'>;
  /** The `document` of the generated `document.ts`: the pages and the tools for models show it. */
  readonly document: McpOptions['document'];
  /**
   * Makes the engine, as `(parts) => serviceEngine({ ...parts, contract, operations })`. The handlers of the core serve a contract that
   * only adds fields which are stored.
   */
  readonly engine?: (parts: RestParts) => RestEngine<Caller> | Promise<RestEngine<Caller>>;
}

/** A GraphQL schema that extends the core's. */
export interface OwnGraphql extends Pick<ExtendedSchema, 'typeDefs' | 'constraints'> {
  /** Called once, when GraphQL is loaded. */
  readonly resolvers: (
    services: Services,
  ) => ExtendedSchema['resolvers'] | Promise<ExtendedSchema['resolvers']>;
}
