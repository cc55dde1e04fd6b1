/** Makes a question of the walk from an HTTP request, and reads what is said to it. */
import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import type { Node } from '../../contract/contract-document.js';
import { compileRoutes } from '../../support/contract-routes.js';
import { ALLOWED, LEFT_OUT, type Probe, type Refusals } from './probe.js';
import type { Scene } from './scene.js';

export const restDocument = parseYaml(
  await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8'),
) as Node;
const routeOf = compileRoutes(restDocument);

/** Interface §7. */
export const restRefusals: Refusals = {
  noCredential: '401 No token provided',
  noKey: '401 API key required',
  unauthenticated: '401 Not authenticated',
  forbidden: '403 Insufficient permissions',
};

/** A request: method and path, its body, and the status when it is let through. */
interface Question {
  readonly request: string;
  readonly body?: unknown;
  readonly success?: number;
  /** Whether what the question is about is in the answer. */
  readonly shows?: (body: unknown) => boolean;
}

type Options = Pick<Probe, 'detail' | 'hidden' | 'takes'>;

/** @param operation what the request must lead to by the contract */
export function restProbe(
  operation: string,
  rows: Probe['rows'],
  question: (scene: Scene) => Question | Promise<Question>,
  options: Options = {},
): Probe {
  return {
    operation,
    rows,
    ...options,
    async ask(scene) {
      const { request, body, success = 200, shows } = await question(scene);
      const [method = '', path = ''] = request.split(' ');
      const asked = routeOf(path).get(method)?.operation['operationId'];
      if (asked !== operation) throw new Error(`${request} is ${String(asked)}, not ${operation}`);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const answer = await scene.service.send({
        method,
        path,
        headers: { ...scene.headers, ...(sent !== undefined && { 'content-type': 'application/json' }) },
        ...(sent !== undefined && { body: sent }),
      });
      // Where a token would help, HTTP says so (RFC 6750 §3).
      if (answer.status === 401 && options.takes !== 'keys only') {
        expect(answer.headers['www-authenticate'], request).to.equal('Bearer');
      }
      if (answer.status === success) return shows?.(answer.body) === false ? LEFT_OUT : ALLOWED;
      return `${String(answer.status)} ${(answer.body as { error: string }).error}`;
    },
  };
}

/** Of operations that look at API keys too. */
export const keys = { takes: 'tokens and keys' } as const;

/** Whether a list holds the record with this id. */
export const has = (id: string) => (body: unknown) =>
  (body as readonly { readonly id: string }[]).some((it) => it.id === id);
