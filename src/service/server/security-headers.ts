/** Helmet's headers, with a Content-Security-Policy for an API: answers run no scripts, load nothing and are not framed. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { FixedHeaders } from './send.js';

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
  },
});

/** The headers are the same for every answer, so helmet runs once. A page that needs more has its own policy. */
export function securityHeaders(): FixedHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, () => undefined);
  return Object.fromEntries(
    response.getHeaderNames().map((name) => [capitalized(name), String(response.getHeader(name))]),
  );
}

/** The name of a header in the spelling of the service's answers, such as `Content-Type`. */
function capitalized(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
