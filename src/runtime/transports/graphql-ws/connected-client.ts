/** The client of a WebSocket session, printed without the credentials of its upgrade and its `connection_init`. */

import type { GraphqlClient } from '../../graphql/index.js';
import { Printable, printedId } from '../../http/printable.js';
import type { RequestHeaders } from '../../index.js';

export class ConnectedClient extends Printable implements GraphqlClient {
  readonly #headers: RequestHeaders;
  readonly #connectionParams: GraphqlClient['connectionParams'];

  constructor(
    headers: RequestHeaders,
    connectionParams: GraphqlClient['connectionParams'],
    readonly address: string | undefined,
  ) {
    super();
    this.#headers = headers;
    this.#connectionParams = connectionParams;
  }

  get headers(): RequestHeaders {
    return this.#headers;
  }

  get connectionParams(): GraphqlClient['connectionParams'] {
    return this.#connectionParams;
  }

  override toJSON(): object {
    return { address: this.address, ...printedId(this.#headers) };
  }
}
