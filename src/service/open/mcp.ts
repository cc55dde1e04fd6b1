/** Opens the endpoint of the Model Context Protocol, if the settings enable it. */

import { readFile } from 'node:fs/promises';
import { openapiFile } from '@concordat/core/contract';
import type { HttpHandler } from 'concordat';
import type { McpOptions } from 'concordat/mcp';
import type { Settings } from '../settings/settings.js';

/** Its packages are loaded only if it is enabled. */
export async function openMcp(
  engine: McpOptions['engine'],
  { mcpTools, corsOrigins }: Pick<Settings, 'mcpTools' | 'corsOrigins'>,
): Promise<HttpHandler | undefined> {
  if (mcpTools === undefined) return undefined;
  const [{ mcpHttp }, { parse }] = await Promise.all([import('concordat/mcp'), import('yaml')]);
  return mcpHttp({
    engine,
    document: parse(await readFile(openapiFile, 'utf8')) as McpOptions['document'],
    ...(mcpTools !== 'read' && { operations: mcpTools }),
    ...(corsOrigins !== undefined && { origins: corsOrigins === '*' ? corsOrigins : [...corsOrigins] }),
  });
}
