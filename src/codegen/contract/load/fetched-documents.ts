/** Fetches the documents that a contract refers to, from the origins that the user allows, and limits files to the folders of the project. */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { ResolveError, Source } from '@redocly/openapi-core';
import { isFolder, isWebAddress, originOf } from './web-addresses.js';

/** The limits for all documents of one contract together. */
interface FetchLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

const LIMITS: FetchLimits = { bytes: 64 * 1024 * 1024, milliseconds: 60_000 };

const MOST_REDIRECTS = 5;

/** Fetches the documents of one contract. */
export class FetchedDocuments {
  readonly #origins: ReadonlySet<string>;
  /** The folders of the files that may be read, without links. */
  readonly #folders: readonly string[];
  readonly #limits: FetchLimits;
  #signal: AbortSignal | undefined;
  #bytes = 0;

  /**
   * @param contract - the path or address of the contract; an address allows its own origin, and a path its own folder
   * @param allowed - the allowed origins, such as `https://example.com`, and folders, such as `../shared`
   * @throws when one of them is not an origin
   */
  constructor(contract: string, allowed: readonly string[], limits = LIMITS) {
    const origins = allowed
      .filter((each) => !isFolder(each))
      .map((each) => {
        const origin = originOf(each);
        if (origin === undefined) throw new Error(`${each} is not an origin such as https://example.com`);
        return origin;
      });
    const own = isWebAddress(contract) && URL.canParse(contract) ? [new URL(contract).origin] : [];
    this.#origins = new Set([...own, ...origins]);
    this.#limits = limits;
    const isProject = ['package.json', 'codegen.ts'].some((file) => existsSync(file));
    const near = isWebAddress(contract) || !existsSync(contract) ? [] : [contract, realpathSync(contract)];
    const named = [...near.map((file) => dirname(file)), ...allowed.filter(isFolder)];
    const folders = isProject ? [...named, '.'] : named;
    this.#folders = folders.filter((each) => existsSync(each)).map((each) => realpathSync(each));
  }

  /**
   * A document may come from elsewhere, and must not choose the files of this machine that are read.
   *
   * @throws ResolveError for a file that is in none of the folders, also by a link
   */
  requireWithin(file: string): void {
    // A missing file is reported when it is read.
    if (!existsSync(file)) return;
    // A package is trusted, wherever its manager has put it: its code runs.
    const [above, ...installed] = resolve(file).split(/(?<=[/\\])node_modules[/\\]/);
    if (installed.length > 0 && (resolve() + sep).startsWith(String(above))) return;
    const path = realpathSync(file);
    if (this.#folders.some((folder) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep))) return;
    const found = relative('.', dirname(path));
    const folder = isFolder(found) ? found : dirname(path);
    const exception = `unless --allow-origin ${folder}, or allowOrigins in codegen.ts, allows it`;
    throw new ResolveError(new Error(`${file} is not read: it is outside the project, ${exception}`));
  }

  /** @throws ResolveError, with the reason, for a document that is not allowed, cannot be fetched or is too large */
  async read(address: string): Promise<Source> {
    try {
      const response = await this.#fetched(address);
      const text = await this.#textOf(response);
      return new Source(address, text, response.headers.get('content-type') ?? undefined);
    } catch (error) {
      throw new ResolveError(new Error(this.#reasonOf(error, address), { cause: error }));
    }
  }

  async #fetched(address: string): Promise<Response> {
    if (!isWebAddress(address)) throw new Refusal(`${new URL(address).protocol} addresses are not read`);
    const { origin } = new URL(address);
    if (!this.#origins.has(origin)) {
      throw new Refusal(
        `nothing is fetched from ${origin} unless --allow-origin ${origin}, or allowOrigins in codegen.ts, allows it`,
      );
    }
    this.#signal ??= AbortSignal.timeout(this.#limits.milliseconds);
    let url = address;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const response = await fetch(url, { redirect: 'manual', signal: this.#signal });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) {
        if (!response.ok) throw new Refusal(`the server answers ${response.status}`);
        return response;
      }
      await response.body?.cancel();
      if (!URL.canParse(location, url)) throw new Refusal('it redirects to no address');
      const next = new URL(location, url);
      if (next.origin !== origin) throw new Refusal(`it redirects to another origin, ${next.origin}`);
      url = next.href;
    }
    throw new Refusal(`it redirects more than ${MOST_REDIRECTS} times`);
  }

  async #textOf({ body }: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body ?? []) {
      this.#bytes += (chunk as Uint8Array).byteLength;
      if (this.#bytes > this.#limits.bytes)
        throw new Refusal(`the fetched documents have over ${this.#limits.bytes} bytes`);
      text += decoder.decode(chunk as Uint8Array, { stream: true });
    }
    return text + decoder.decode();
  }

  #reasonOf(error: unknown, address: string): string {
    if (error instanceof Refusal) return `${address} is not read: ${error.message}`;
    if (this.#signal?.aborted === true)
      return `${address} is not read: fetching takes over ${this.#limits.milliseconds / 1000} seconds`;
    const { cause = error } = error as { readonly cause?: unknown };
    return `${address} cannot be fetched: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

/** The reason why a document is not read. */
class Refusal extends Error {}
