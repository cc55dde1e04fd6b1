/** Makes a probe from an HTTP request, and interprets the answer. */
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

/** The error messages of REST by denial. */
export const restRefusals: Refusals = {
  noCredential: '401 No token provided',
  noKey: '401 API key required',
  unauthenticated: '401 Not authenticated',
  forbidden: '403 Insufficient permissions',
};

/** A request: method and path, its body, and the status when it is allowed. */
interface Question {
  readonly request: string;
  readonly body?: unknown;
  readonly success?: number;
  /** Whether the record is in the answer. */
  readonly shows?: (body: unknown) => boolean;
}

type Options = Pick<Probe, 'detail' | 'hidden' | 'takes'>;

/** @param operation - the operation of the request by the contract */
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
      // A 401 names the bearer scheme where a token would help (RFC 6750 §3).
      if (answer.status === 401 && options.takes !== 'keys only') {
        expect(answer.headers['www-authenticate'], request).to.equal('Bearer');
      }
      if (answer.status === success) return shows?.(answer.body) === false ? LEFT_OUT : ALLOWED;
      return `${String(answer.status)} ${(answer.body as { error: string }).error}`;
    },
  };
}

/** For operations that accept API keys too. */
export const keys = { takes: 'tokens and keys' } as const;

/** Whether a list contains the record with this id. */
export const has = (id: string) => (body: unknown) =>
  (body as readonly { readonly id: string }[]).some((it) => it.id === id);
