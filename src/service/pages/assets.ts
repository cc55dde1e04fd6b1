/** The scripts and styles of the pages, each at an address with a hash of its content, so that browsers cache it for ever. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Page, encoded, fingerprint, page } from './page.js';

const ROOT = dirname(createRequire(import.meta.url).resolve('@concordat/service/package.json'));
/** The service's own files, in the repository. */
const OWN = join(ROOT, 'pages/files');
/** The folder to which `.ci/page-assets.js` copies them and the files of packages. */
const COPIED = join(ROOT, 'dist/assets');

/** The path of the assets; below it are their fingerprints and names. */
export const ASSETS_FOLDER = '/assets/';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Files are read on first use, and kept in memory. */
export class AssetFolder {
  readonly #assets = new Map<string, () => Promise<Uint8Array>>();

  /**
   * Puts assets into the folder.
   *
   * @param names - their file names, whose endings determine their media types
   * @returns a function that returns their addresses relative to the root, each `assets/<fingerprint>/<name>`
   */
  add(...names: readonly string[]): () => Promise<readonly string[]> {
    const addresses = names.map((name) => {
      let content: Promise<Uint8Array> | undefined;
      const read = () => (content ??= readFile(join(OWN, name)).catch(() => readFile(join(COPIED, name))));
      this.#assets.set(name, read);
      return async () => `${ASSETS_FOLDER.slice(1)}${fingerprint(await read())}/${name}`;
    });
    return () => Promise.all(addresses.map((address) => address()));
  }

  /** The asset at a path. Pages of other processes may have another version's fingerprint; they get the current asset. */
  find(path: string): Page | undefined {
    const [, hash, name = ''] = /^\/assets\/([\w-]+)\/([\w.-]+)$/.exec(path) ?? [];
    const read = this.#assets.get(name);
    if (read === undefined) return undefined;
    return page('asset', async (request) => {
      const content = await read();
      const isCurrent = fingerprint(content) === hash;
      const { body, headers } = await encoded(content, request);
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
