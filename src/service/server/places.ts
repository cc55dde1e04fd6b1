/** Serves paths outside of the contract, and answers problems in the contract's format. */

import { type HttpHandler, type HttpRequest, type HttpResponse, Problem, type RestEngine } from 'concordat';

/** A resource at a path. */
export interface Place {
  /** A fixed name, for logs and metrics. */
  readonly name: string;
  /** @throws a `Problem` for a request that it refuses */
  answer(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}

/** Writes a problem in the shape and media type of an operation's errors. */
export type Refuse = RestEngine<never>['refuse'];

/** Makes the handler of a place. */
export function placeHandler(place: Place, refuse: Refuse): HttpHandler {
  return async (request) => {
    try {
      return { operation: place.name, ...(await place.answer(request)) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { ...refuse(error, request), operation: place.name };
    }
  };
}
