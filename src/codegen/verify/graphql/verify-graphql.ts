/** Verifies a running server against its GraphQL schema. */

import { readSchema } from '../../graphql/read-schema.js';
import { randomOf } from '../run/random.js';
import { type Budget, Server } from '../run/server.js';
import type { VerifyReport } from '../run/verify-report.js';
import { Violations } from '../run/violations.js';
import { GraphqlRun, nameOf } from './graphql-run.js';
import { GraphqlSession } from './graphql-session.js';
import { rootFieldsOf } from '../../graphql/samples/ways.js';

export interface VerifyGraphqlOptions extends Budget {
  /** The server's URL, to which `path` is appended. */
  readonly url: string;
  /** The file of the schema in SDL. */
  readonly schema: string;
  /** The path of the GraphQL endpoint: `/graphql`. */
  readonly path: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** A whole number. Runs with the same seed send the same requests, as long as the server answers the same. */
  readonly seed: number;
  /** Rules that only warn, everywhere or at one coordinate: `server-error`, `server-error at Query.users`. */
  readonly warn: readonly string[];
  /** The fields of root types, as `Query.users`, that get no request. */
  readonly skip: readonly string[];
  /** Ids of resources that no mutation gets, such as the account of the credentials. */
  readonly protect: readonly string[];
  /** Called after each edge case. */
  readonly progress?: (done: number, total: number) => void;
}

/** @throws ContractError if the schema has a fault; an Error for an unknown name in `skip`, or if no server answers */
export async function verifyGraphql(options: VerifyGraphqlOptions): Promise<VerifyReport> {
  const schema = await readSchema(options.schema);
  const all = rootFieldsOf(schema);
  const unknown = options.skip.find((each) => all.every(({ id }) => id !== each));
  if (unknown !== undefined)
    throw new Error(`The schema has no operation ${unknown}: it has ${all.map(({ id }) => id).join(', ')}`);
  const roots = all.filter(({ id }) => !options.skip.includes(id));
  const { url, seed, headers } = options;
  const server = new Server(url, options);
  const session = new GraphqlSession({ ...options, server, schema, random: randomOf(seed) });
  const secrets = new Map(
    Object.entries(headers).map(([name, text]) => [text, name.toUpperCase().replaceAll(/\W/g, '_')]),
  );
  const violations = new Violations({ ...options, secrets });
  try {
    await new GraphqlRun(schema, session, server, violations, options.progress).all(roots);
  } finally {
    server.close();
  }
  return {
    url,
    seed,
    requests: server.requests,
    isComplete: !server.isOver,
    operations: roots.map((root) => {
      const { requests = 0, successes = 0 } = session.counts.get(root.id) ?? {};
      return { id: root.id, name: nameOf(root), requests, successes };
    }),
    violations: violations.all,
    unverified: [],
  };
}
