/** The whole service for black-box suites: started like `npm start`, and used over HTTP. */
import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { contract } from '../../generated/routing.js';
import * as responseChecks from '../../generated/response-validators.js';
import type { ServiceOptions } from '../../src/service/create-service.js';
import { type RunningService, serve } from '../../src/service/serve.js';
import { type Settings, readSettings } from '../../src/service/settings/settings.js';
import type { Services } from '../../src/core/services/services.js';
import type { Node } from '../contract/contract-document.js';
import { compileAnswerProblems } from './answer-problems.js';
import { quickHasher } from './quick-hasher.js';
import { startSandbox, targetsSandbox } from './sandbox-service.js';
import { closeIdleConnections, type HttpAnswer, type HttpRequest, send } from './send.js';

const document = parseYaml(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Node;
const answerProblems = compileAnswerProblems(document, { contract, responseChecks });

/** An answer with its body. */
export interface ServiceAnswer extends HttpAnswer {
  /** The JSON body; undefined for other media types. */
  readonly body: unknown;
}

/** An empty service under the open policy. */
const plainSettings = readSettings({
  PORT: '0',
  DATABASE_URL: 'memory:',
  DEMO_DATA: 'off',
  LOG_LEVEL: 'silent',
  STOP_TIMEOUT: '1', // a fifth of it passes before connections of `fetch` are closed
});

type Headers = HttpRequest['headers'];

/** A running service, with a client that refuses answers that `openapi.yaml` does not declare. */
export class TestService {
  #running: RunningService | undefined;
  #masked: unknown[] = [];

  /** The URL of the service. */
  get url(): string {
    if (this.#running === undefined) throw new Error('the service is not started');
    return this.#running.url;
  }

  /** The core's services, for actions that the contract has no operation for. */
  get services(): Services {
    if (this.#running === undefined) throw new Error('the service is not started');
    return this.#running.services;
  }

  async start(settings: Partial<Settings> = {}, others: ServiceOptions = {}): Promise<void> {
    if (targetsSandbox) {
      this.#running = await startSandbox();
      return;
    }
    const report = (error: unknown): void => void this.#masked.push(error);
    const options = { report, checkResponses: responseChecks, passwordHasher: quickHasher, ...others };
    this.#running = await serve({ ...plainSettings, ...settings }, options);
  }

  async stop(): Promise<void> {
    closeIdleConnections();
    await this.#running?.stop();
    this.#running = undefined;
  }

  /** The errors that were masked as a 500 since the last call. */
  takeMasked(): readonly unknown[] {
    return this.#masked.splice(0);
  }

  /** @throws an error that lists where the answer differs from the contract */
  async send(request: HttpRequest): Promise<ServiceAnswer> {
    const answer = await send(this.url, request);
    const problems = answerProblems(request, answer);
    if (problems.length > 0) {
      const shown = `${request.method} ${request.path} answered ${String(answer.status)} ${answer.text}`;
      throw new Error([shown, ...problems].join('\n  '));
    }
    const isJson = answer.headers['content-type'] === 'application/json' && answer.text !== '';
    return { ...answer, body: isJson ? JSON.parse(answer.text) : undefined };
  }

  get(path: string, headers?: Headers): Promise<ServiceAnswer> {
    return this.send({ method: 'GET', path, ...(headers && { headers }) });
  }

  delete(path: string, headers?: Headers): Promise<ServiceAnswer> {
    return this.send({ method: 'DELETE', path, ...(headers && { headers }) });
  }

  /** Sends a value as JSON. */
  post(path: string, value: unknown, headers?: Headers): Promise<ServiceAnswer> {
    return this.#sendJson('POST', path, value, headers);
  }

  put(path: string, value: unknown, headers?: Headers): Promise<ServiceAnswer> {
    return this.#sendJson('PUT', path, value, headers);
  }

  patch(path: string, value: unknown, headers?: Headers): Promise<ServiceAnswer> {
    return this.#sendJson('PATCH', path, value, headers);
  }

  #sendJson(method: string, path: string, value: unknown, headers: Headers = {}): Promise<ServiceAnswer> {
    const body = JSON.stringify(value);
    return this.send({ method, path, headers: { 'content-type': 'application/json', ...headers }, body });
  }
}

/**
 * A service for the calling suite: it starts with an empty store before the first test, and stops after the last. A test in
 * which an error was masked fails, unless it took the error with `takeMasked`.
 *
 * @param prepare - creates the resources that the settings name, such as a database
 */
export function useService(
  prepare: Partial<Settings> | (() => Promise<Partial<Settings>>) = {},
): TestService {
  const service = new TestService();
  before(async () => {
    await service.start(typeof prepare === 'function' ? await prepare() : prepare);
  });
  afterEach(() => {
    const [first, ...others] = service.takeMasked();
    if (first !== undefined)
      throw new Error(`${String(others.length + 1)} errors were masked`, { cause: first });
  });
  after(() => service.stop());
  return service;
}
