/** The scripts and styles of the pages, each at an address with a hash of its content, so that browsers cache it for ever. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Problem } from 'concordat';
import { coded } from './content-coding.js';
import { type Page, fingerprint, page } from './page.js';

/** The source of an asset: our own text, or a file of an installed package. */
export type AssetSource =
  | { readonly text: string }
  /** @property entry what `import` finds of the package @property file the file, relative to that */
  | { readonly entry: string; readonly file: string };

const FOLDER = '/assets/';
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Files are read on first use, and kept in memory. */
export class AssetFolder {
  readonly #assets = new Map<string, () => Promise<Uint8Array>>();

  /**
   * Puts an asset into the folder.
   *
   * @param name - its file name, whose ending says its type
   * @returns a function that gives its address relative to the root, `assets/<fingerprint>/<name>`, and rejects with a 503
   *   `Problem` where the package is not installed
   */
  add(name: string, source: AssetSource): () => Promise<string> {
    let content: Promise<Uint8Array> | undefined;
    const read = (): Promise<Uint8Array> => {
      content ??= bytesOf(source).catch((error: unknown) => {
        content = undefined;
        throw error;
      });
      return content;
    };
    this.#assets.set(name, read);
    return async () => `${FOLDER.slice(1)}${fingerprint(await read())}/${name}`;
  }

  /** The asset at a path. Another process of a deployment may give an older fingerprint, which gets the current asset. */
  find(path: string): Page | undefined {
    const [, hash, name = ''] = /^\/assets\/([\w-]+)\/([\w.-]+)$/.exec(path) ?? [];
    const read = this.#assets.get(name);
    if (read === undefined) return undefined;
    return page('asset', async (request) => {
      const content = await read();
      const isCurrent = fingerprint(content) === hash;
      const { body, headers } = await coded(content, request);
      return {
        body,
        headers: {
          ...headers,
          'Content-Type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
          'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
          'X-Content-Type-Options': 'nosniff',
        },
      };
    });
  }
}

/** Finds packages from here, as `import` does. */
const packages = createRequire(import.meta.url);

async function bytesOf(source: AssetSource): Promise<Uint8Array> {
  if ('text' in source) return Buffer.from(source.text);
  const { entry, file } = source;
  try {
    return await readFile(join(dirname(packages.resolve(entry)), file));
  } catch {
    // Somebody has to install it and start the service again.
    throw new Problem(503, `This page needs the package ${entry}, which is not installed`, {
      'Retry-After': '3600',
    });
  }
}
