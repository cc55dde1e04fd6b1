/** Reads URLs that may list several servers of one database or broker, as libpq defines them (its documentation, 34.1.1.2). */

/**
 * @param url - such as `postgres://ada:secret@one:5432,two:5432/service`
 *
 * @returns a URL per host, in order
 */
export function serverUrls(url: string): readonly [string, ...string[]] {
  const [, start = '', hosts = url, rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const [first = '', ...others] = hosts.split(',').map((host) => start + host + rest);
  return [first, ...others];
}

/** A query per role of a server. Its row says whether the server `fits`; without a query, every server does. */
const roleChecks: Readonly<Record<string, string | undefined>> = {
  any: undefined,
  'read-write': `select current_setting('transaction_read_only') = 'off' as fits`,
  primary: 'select not pg_is_in_recovery() as fits',
};

/** The roles that `target_session_attrs` may ask for. libpq has others, for clients that only read. */
export const serverRoles: readonly string[] = Object.keys(roleChecks);

/** @returns the role that a PostgreSQL URL asks for; one that is not of {@link serverRoles} is not served */
export function serverRoleOf(url: string): string {
  const given = new URLSearchParams(url.split('?')[1]).get('target_session_attrs');
  return given ?? (serverUrls(url).length > 1 ? 'read-write' : 'any');
}

/** The maximum wait for the answer about a role, in milliseconds: as long as connecting may take. */
const patienceMs = 5_000;

/** A connection to PostgreSQL. */
interface Session {
  query(query: { text: string; query_timeout: number }): Promise<{ readonly rows: readonly unknown[] }>;
}

/** @throws an error with PostgreSQL's code of a server that accepts no writes */
export async function requireRole(session: Session, role: string): Promise<void> {
  const check = roleChecks[role];
  if (check === undefined) return;
  const { rows } = await session.query({ text: check, query_timeout: patienceMs });
  if ((rows[0] as { readonly fits: boolean }).fits) return;
  throw Object.assign(new Error(`the server is not ${role}`), { code: '25006', severity: 'FATAL' });
}
