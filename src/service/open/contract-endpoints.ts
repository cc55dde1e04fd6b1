/** Opens the endpoints that are made from the contracts: the pages, and the Model Context Protocol if the settings enable it. */

import { readFile } from 'node:fs/promises';
import { openapiFile, openapiJsonFile, schemaFile } from '@concordat/core/contract';
import type { HttpHandler } from '@concordat/runtime';
import type { McpOptions } from '@concordat/runtime/mcp';
import type { Settings } from '../settings/settings.js';
import { createRequire } from 'node:module';
import { type Pages, servicePages } from '../pages/pages.js';
import type { DemoSignIn, PublicTokenKey } from '@concordat/core';

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
    ...(mcpTools !== 'read' && { operations: mcpTools }),
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
