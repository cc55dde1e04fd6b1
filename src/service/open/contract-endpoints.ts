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
import type { HttpHandler, RestContract, RestEngine, ToolTable } from '@concordat/runtime';
import { type Pages, servicePages } from '../pages/pages.js';
import type { Settings } from '../settings/settings.js';

/** Its packages are loaded only if it is enabled. */
export async function openMcp(
  engine: HttpHandler,
  { mcpTools, corsOrigins }: Pick<Settings, 'mcpTools' | 'corsOrigins'>,
  own: OwnRest | undefined,
): Promise<HttpHandler | undefined> {
  if (mcpTools === undefined) return undefined;
  const tools = await toolsIn(own);
  if (tools === undefined)
    throw new Error('MCP_TOOLS needs rest.tools, which concordat generates with tools: true in codegen.ts');
  const { mcpHttp } = await import('@concordat/runtime/mcp');
  return mcpHttp({
    engine,
    tools,
    ...(mcpTools !== 'read' && {
      only: mcpTools.map((name) => (name.includes(':') ? name : `operation:${name}`)),
    }),
    ...(corsOrigins !== undefined && { origins: corsOrigins === '*' ? corsOrigins : [...corsOrigins] }),
  });
}

/** The tools of an own contract, or else those of the core; undefined if the own one comes without. */
async function toolsIn(own: OwnRest | undefined): Promise<ToolTable | undefined> {
  return own === undefined ? (await import('@concordat/core/tools')).tools : own.tools;
}

export const { version } = createRequire(import.meta.url)('@concordat/service/package.json') as {
  readonly version: string;
};

/**
 * @param demoSignIns - users whose passwords are public
 *
 * @param contracts - those of the application
 */
export async function openPages(
  { publicUrl, idpIssuer }: Pick<Settings, 'publicUrl' | 'idpIssuer'>,
  hasConsole: boolean,
  demoSignIns: readonly DemoSignIn[],
  publicKeys: readonly PublicTokenKey[],
  { rest, schema }: { readonly rest: OwnRest | undefined; readonly schema: string | undefined },
): Promise<Pages> {
  const document = rest?.document;
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
      ...((rest === undefined || rest.tools !== undefined) && {
        toolsJson: async () => ({ text: JSON.stringify(await toolsIn(rest)) }),
      }),
    },
    facts: { version, publicUrl, demoSignIns, hasExternalSignIn: idpIssuer !== undefined, hasConsole },
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
  /** The `document` of the generated `document.ts`: the pages show it. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The `tools` of the generated `tools.ts`, for tools for models. */
  readonly tools?: ToolTable;
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
