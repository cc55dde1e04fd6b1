/** The pages of the service, over its own contracts. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { typeDefs } from '../../generated/schema.js';
import { type Pages, servicePages } from '../adapters/web/pages.js';
import type { DemoSignIn } from '../core/services/demo-data.js';
import type { Settings } from './settings.js';

/** @param demoSignIns users whose passwords may be shown to everybody */
export async function openPages(
  { publicUrl, idpIssuer }: Pick<Settings, 'publicUrl' | 'idpIssuer'>,
  demoSignIns: readonly DemoSignIn[],
): Promise<Pages> {
  const openapiYaml = await readOwn('concordat/openapi.yaml');
  const { version } = JSON.parse(await readOwn('concordat/package.json')) as { readonly version: string };
  let openapiJson: Promise<string> | undefined;
  return servicePages({
    contracts: {
      openapiYaml,
      openapiJson: () => (openapiJson ??= jsonOf(openapiYaml)),
      schema: typeDefs,
    },
    landing: { version, publicUrl, demoSignIns, hasExternalSignIn: idpIssuer !== undefined },
  });
}

/** By the package's own name: the sources and what is compiled of them stand at different depths. */
async function readOwn(specifier: string): Promise<string> {
  return await readFile(createRequire(import.meta.url).resolve(specifier), 'utf8');
}

/** The parser is loaded when somebody asks for JSON. */
async function jsonOf(yaml: string): Promise<string> {
  const { parse } = await import('yaml');
  return JSON.stringify(parse(yaml));
}
