/** The pages of the service for people, and the files that they are made of: nothing of them comes from elsewhere. */

import type { RestRequest, RestResponse } from 'concordat';
import { AssetFolder } from './pages/assets.js';
import { type ContractTexts, contractFiles } from './pages/contract-files.js';
import { docsPage } from './pages/docs.js';
import { graphiqlPage } from './pages/graphiql.js';
import { type LandingFacts, landingPage } from './pages/landing.js';
import type { Page } from './pages/page.js';
import { successPage } from './pages/success.js';

export interface PagesOptions {
  /** What `/openapi.yaml`, `/openapi.json` and `/schema.graphql` give. */
  readonly contracts: ContractTexts;
  /** What `/` tells of the service. */
  readonly landing: LandingFacts;
}

/** The part of a request that a page depends on. */
export type PageRequest = Pick<RestRequest, 'method' | 'path' | 'headers'>;

export interface FoundPage {
  /** Always the same word for one page, for logs and metrics. */
  readonly name: string;
  /** @throws a `Problem`: 405 for another method than GET, HEAD and OPTIONS, 503 where a package is not installed */
  answer(): Promise<RestResponse>;
}

export interface Pages {
  /** The page at the request's path; undefined where there is none. */
  find(request: PageRequest): FoundPage | undefined;
  /** The editor for queries, for whoever serves GraphQL: it sends them to the path that it stands at. */
  graphiql(request: PageRequest): Promise<RestResponse>;
}

/**
 * Makes the landing page, `/auth/success`, `/docs`, GraphiQL, the contract files, and the assets of these.
 *
 * @example
 * ```ts
 * const pages = servicePages({ contracts: { openapiYaml, openapiJson, schema }, landing: { version: '1.0.0' } });
 * const response = await pages.find({ method: 'GET', path: '/docs', headers: {} })?.answer();
 * ```
 */
export function servicePages({ contracts, landing }: PagesOptions): Pages {
  const assets = new AssetFolder();
  const byPath = new Map<string, Page>(
    Object.entries({
      '/': landingPage(assets, landing),
      '/auth/success': successPage(assets),
      '/docs': docsPage(assets),
      ...contractFiles(contracts),
    }),
  );
  const graphiql = graphiqlPage(assets);
  return {
    find(request) {
      const page = byPath.get(request.path) ?? assets.find(request.path);
      return page && { name: page.name, answer: () => page.answer(request) };
    },
    graphiql: (request) => graphiql.answer(request),
  };
}
