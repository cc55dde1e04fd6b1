/** Creates the pages of the service from its contracts. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { openapiFile, typeDefs } from '@concordat/core/contract';
import { type Pages, servicePages } from '../pages/pages.js';
import type { DemoSignIn } from '@concordat/core';
import type { Settings } from '../settings/settings.js';

const { version } = createRequire(import.meta.url)('@concordat/service/package.json') as {
  readonly version: string;
};

/** @param demoSignIns - users whose passwords are public */
export async function openPages(
  { publicUrl, idpIssuer }: Pick<Settings, 'publicUrl' | 'idpIssuer'>,
  demoSignIns: readonly DemoSignIn[],
): Promise<Pages> {
  const openapiYaml = await readFile(openapiFile, 'utf8');
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

/** Converts YAML to JSON. The parser is loaded on the first request for JSON. */
async function jsonOf(yaml: string): Promise<string> {
  const { parse } = await import('yaml');
  return JSON.stringify(parse(yaml));
}
