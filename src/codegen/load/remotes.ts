/** Resolves `$ref`s to a URI with the caller's document for it, so that it is not fetched. */

import { BaseResolver, Source } from '@redocly/openapi-core';

/** Documents by the URI that `$ref`s name, without a fragment. */
export type Remotes = Readonly<Record<string, unknown>>;

/** Reads files, and known remote documents from memory. */
export class RemotesResolver extends BaseResolver {
  readonly #remotes: ReadonlyMap<string, unknown>;

  constructor(remotes: Remotes) {
    super();
    this.#remotes = new Map(
      Object.entries(remotes).map(([uri, document]) => [uri.replace(/#$/, ''), document]),
    );
  }

  /** Other schemes than http, such as `urn:`, would be taken for file names. */
  override resolveExternalRef(base: string | null, ref: string): string {
    return this.#remotes.has(ref) ? ref : super.resolveExternalRef(base, ref);
  }

  override loadExternalRef(uri: string): Promise<Source> {
    if (!this.#remotes.has(uri)) return super.loadExternalRef(uri);
    const text = JSON.stringify(this.#remotes.get(uri), undefined, 2);
    return Promise.resolve(new Source(uri, text, 'application/json'));
  }
}
