/** Controls a running sandbox over HTTP: `POST /__sandbox/reset`, and `GET` and `PUT` or `POST` of `/__sandbox/state`. */

import type { HttpHandler, HttpRequest, HttpResponse } from '@concordat/runtime';
import { Problem, problemResponse } from '@concordat/runtime';
import { foreignPage } from './foreign-page.js';
import type { Sandbox } from './sandbox.js';
import { loadText } from './seed.js';

const [RESET, STATE] = ['/__sandbox/reset', '/__sandbox/state'];
const METHODS = new Map([
  [RESET, 'POST'],
  [STATE, 'GET, HEAD, PUT, POST'],
]);
const MOST_BYTES = 64 * 2 ** 20;

/** A path of these that another handler serves too. */
export function takenPath({ serves }: HttpHandler, prefix: string): string | undefined {
  return [RESET, STATE].find(
    (path) => path.startsWith(`${prefix}/`) && serves?.('POST', path.slice(prefix.length)) === true,
  );
}

/** @param hosts - the hosts that are served besides loopback. Pages of other origins are refused, even where the mock allows CORS */
export function sandboxAdmin(sandbox: Sandbox, hosts: readonly string[] = []): HttpHandler {
  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    const { method, path, headers: sent } = request;
    const Allow = METHODS.get(path) ?? '';
    try {
      const foreign = foreignPage(sent, hosts);
      if (foreign !== undefined) throw new Problem(403, foreign);
      if (!Allow.split(', ').includes(method)) throw new Problem(405, `Use ${Allow}`, { Allow });
      if (method === 'GET' || method === 'HEAD') {
        const headers = { 'Content-Type': 'application/json' };
        return { status: 200, headers, body: JSON.stringify(sandbox.snapshot()) };
      }
      // A page can send other types without the preflight, which is refused.
      if (!/^application\/json\s*(?:;|$)/i.test(String(sent['content-type'])))
        throw new Problem(415, 'Send it with Content-Type: application/json');
      if (path === RESET) sandbox.reset();
      else {
        const body = new TextDecoder().decode(await request.readBody(MOST_BYTES));
        loadText(sandbox, () => body, 'The body');
      }
      return { status: 204, headers: {} };
    } catch (error) {
      return problemResponse(error instanceof Problem ? error : new Problem(400, (error as Error).message));
    }
  };
  return Object.assign(answer, { serves: (_: string, path: string) => METHODS.has(path) });
}
