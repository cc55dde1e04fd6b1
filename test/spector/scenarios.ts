/** The scenarios of Spector: the requests that it sends, and the answers that it holds a service to. */

import { importInstalled, SPECIFICATIONS } from './packages.js';

/** Where Spector sends its requests: a part of some answers. It is known when a server listens. */
export interface Target {
  baseUrl: string;
}

interface Serialized {
  serialize(target: Target): string;
}

export interface Content {
  readonly contentType: string;
  readonly rawContent: string | Uint8Array | Serialized | undefined;
}

export interface Multipart {
  readonly kind: 'multipart';
  /** Each is sent as its JSON text. */
  readonly parts?: Readonly<Record<string, unknown>>;
  readonly files?: readonly {
    readonly fieldname: string;
    readonly originalname: string;
    readonly buffer: Uint8Array;
    readonly mimetype: string;
  }[];
}

/** One request with its answer, as `@typespec/spec-api` has them. */
interface MockApi {
  readonly uri: string;
  readonly method: string;
  readonly request?: {
    readonly query?: Readonly<Record<string, unknown>>;
    readonly pathParams?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly body?: Content | Multipart;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly body?: Content;
  };
}

/** One request of a scenario. */
export interface Exchange {
  readonly scenario: string;
  readonly method: string;
  /** As it is sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Content | Multipart | undefined;
  readonly answer: MockApi['response'];
}

/** All requests of all scenarios. */
export async function loadExchanges(): Promise<readonly Exchange[]> {
  const { loadScenarioMockApis } = await importInstalled<{
    loadScenarioMockApis: (folder: string) => Promise<Record<string, { readonly apis: readonly MockApi[] }>>;
  }>('@typespec/spector/dist/src/scenarios-resolver.js');
  const scenarios = await loadScenarioMockApis(SPECIFICATIONS);
  return Object.entries(scenarios).flatMap(([scenario, { apis }]) =>
    apis.map((api) => exchangeOf(scenario, api)),
  );
}

/** Follows the way in which `tsp-spector knock` makes its requests. */
function exchangeOf(scenario: string, { uri, method, request = {}, response }: MockApi): Exchange {
  const { pathParams = {}, query = {}, headers = {}, body } = request;
  let target = uri;
  for (const [name, value] of Object.entries(pathParams))
    target = target.replaceAll(`:${name}`, String(value));
  const url = new URL(target.replaceAll('\\:', ':'), 'http://localhost');
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, String(each));
  }
  return {
    scenario,
    method: method.toUpperCase(),
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body,
    answer: response,
  };
}

/** The text or bytes of content that is not multipart. */
export function rawOf({ rawContent }: Content, target: Target): string | Uint8Array {
  if (rawContent === undefined || typeof rawContent === 'string' || rawContent instanceof Uint8Array) {
    return rawContent ?? '';
  }
  return rawContent.serialize(target);
}
