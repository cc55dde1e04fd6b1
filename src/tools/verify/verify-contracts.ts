/** Verifies a server against a document, a schema, or both, within one budget and with one report. */

import { type SchemaFiles, readSchema } from 'concordat/contract';
import { verifyGraphql } from './graphql/verify-graphql.js';
import { rootFieldsOf } from '../values/graphql/operation-draft.js';
import type { VerifyReport } from './run/verify-report.js';
import { type VerifyOptions, verifyOpenapi } from './openapi/verify-openapi.js';

interface VerifyContractsOptions extends Omit<VerifyOptions, 'openapi'> {
  readonly openapi?: string | undefined;
  readonly schema?: SchemaFiles | undefined;
  readonly graphqlPath: string;
  readonly headers: Readonly<Record<string, string>>;
  /** OperationIds, or coordinates such as `Query.users`. */
  readonly skip: readonly string[];
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
  const { openapi, schema, skip, protect, requests, seconds } = options;
  const [paths, ids] = [protect.filter(isPath), protect.filter((each) => !isPath(each))];
  if (schema === undefined) {
    if (openapi === undefined) throw new Error('Name a document or a schema');
    return verifyOpenapi({ ...options, openapi });
  }
  const fields = new Set(
    openapi === undefined ? skip : rootFieldsOf(await readSchema(schema)).map(({ id }) => id),
  );
  const start = performance.now();
  const first = await verifyGraphql({
    ...options,
    schema,
    path: options.graphqlPath,
    skip: skip.filter((each) => fields.has(each)),
    protect: ids,
    ...(openapi !== undefined && { requests: requests / 2, seconds: seconds / 2 }),
  });
  if (openapi === undefined) return first;
  const second = await verifyOpenapi({
    ...options,
    openapi,
    skip: skip.filter((each) => !fields.has(each)),
    protect: paths,
    requests: requests - first.requests,
    seconds: seconds - (performance.now() - start) / 1000,
  });
  return {
    ...second,
    requests: first.requests + second.requests,
    isComplete: first.isComplete && second.isComplete,
    operations: [...second.operations, ...first.operations],
    violations: [...second.violations, ...first.violations],
  };
}

function isPath(text: string): boolean {
  return text.startsWith('/');
}
