/** The contracts as files, for programs and for people. */

import { coded } from './content-coding.js';
import { type Page, page } from './page.js';

/** The contracts as text. */
export interface ContractTexts {
  readonly openapiYaml: string;
  /** The same document as JSON, made on first use. */
  readonly openapiJson: () => Promise<string>;
  readonly schema: string;
}

export function contractFiles({ openapiYaml, openapiJson, schema }: ContractTexts): Record<string, Page> {
  return {
    // RFC 9512
    '/openapi.yaml': file('openapi.yaml', 'application/yaml', () => openapiYaml),
    '/openapi.json': file('openapi.json', 'application/json', openapiJson),
    // SDL has no registered media type, and browsers display this one.
    '/schema.graphql': file('schema.graphql', 'text/plain; charset=utf-8', () => schema),
  };
}

function file(name: string, type: string, read: () => Promise<string> | string): Page {
  let bytes: Promise<Uint8Array> | undefined;
  const readOnce = async (): Promise<Uint8Array> => Buffer.from(await read());
  return page(name, async (request) => {
    const { body, headers } = await coded(await (bytes ??= readOnce()), request);
    return { body, headers: { ...headers, 'Content-Type': type, 'Cache-Control': 'no-cache' } };
  });
}
