/** Verifies a server against a document, a schema, or both, within one budget and with one report. */

import { Selection } from '@concordat/runtime/parts';
import type { SchemaFiles } from 'concordat/contract';
import { preparedGraphql } from './graphql/verify-graphql.js';
import type { VerifyReport } from './run/verify-report.js';
import { type VerifyOptions, preparedOpenapi } from './openapi/verify-openapi.js';

interface VerifyContractsOptions extends Omit<VerifyOptions, 'openapi'> {
  readonly openapi?: string | undefined;
  readonly schema?: SchemaFiles | undefined;
  readonly graphqlPath: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Paths that are only read, which begin with a slash, and ids that no mutation gets. */
  readonly protect: readonly string[];
}

/**
 * Verifies a server. The schema gets half of the budget, and the document gets the rest.
 *
 * @throws ContractError when a contract has a fault; an error when no server answers, or an option names something that the contracts do
 *   not have
 */
export async function verifyContracts(options: VerifyContractsOptions): Promise<VerifyReport> {
  const { openapi, schema, protect, requests, seconds } = options;
  const [paths, ids] = [protect.filter(isPath), protect.filter((each) => !isPath(each))];
  const selection = new Selection(options);
  const ofSchema = { ...options, path: options.graphqlPath, protect: ids };
  const graphql = schema && (await preparedGraphql({ ...ofSchema, schema }, selection));
  const ofDocument = { ...options, protect: schema ? paths : protect };
  const rest = openapi && (await preparedOpenapi({ ...ofDocument, openapi }, selection));
  selection.requireUsed();
  const start = performance.now();
  if (!graphql) {
    if (!rest) throw new Error('Name a document or a schema');
    return rest(options);
  }
  if (!rest) return graphql(options);
  const first = await graphql({ requests: requests / 2, seconds: seconds / 2 });
  const left = seconds - (performance.now() - start) / 1000;
  const second = await rest({ requests: requests - first.requests, seconds: left });
  return {
    ...second,
    url: options.url,
    requests: first.requests + second.requests,
    isComplete: first.isComplete && second.isComplete,
    operations: [...second.operations, ...first.operations],
    violations: [...second.violations, ...first.violations],
  };
}

const isPath = (text: string): boolean => text.startsWith('/');
