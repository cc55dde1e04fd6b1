/** The audit log: who did what to whom, by filters. */

import { all, link, time } from '../parts/dom.js';
import { badge, beforeOf, filters, heading, older, type Route, table, type Texts } from '../parts/parts.js';
import { client, expecting, given } from '../parts/session.js';

export async function auditView(route: Route): Promise<Node> {
  const { actor, action, target, since } = route.query;
  const isTime = since !== undefined && !Number.isNaN(Date.parse(since));
  const from = isTime ? new Date(since).toISOString() : undefined;
  const query = { ...given({ actor, action, target, since: from }), ...beforeOf(route) };
  const { body } = expecting(await client.listAuditEntries({ query }), 200);
  const fields = {
    actor: { label: 'Who', placeholder: 'user:1 or operator' },
    action: { label: 'Action', placeholder: 'users.giveRole' },
    target: { label: 'Record', placeholder: 'user:5' },
    since: { label: 'Since', type: 'datetime-local' },
  };
  // Nobody knows the names of actions by heart: each value leads to the entries that have it too.
  const only = (value: Texts) =>
    link(Object.values(value).join(''), 'audit', { ...route.query, ...value, before: '' });
  return all(
    heading('Audit log'),
    filters(route, fields),
    table('Entries', body.data, {
      When: ({ at }) => time(at),
      Who: (entry) => only({ actor: entry.actor }),
      Action: (entry) => only({ action: entry.action }),
      Record: (entry) => (entry.target === undefined ? '–' : only({ target: entry.target })),
      Outcome: ({ outcome }) => badge(outcome),
      Detail: ({ detail = '–' }) => detail,
      From: ({ address = '–' }) => address,
    }),
    older(route, body),
  );
}
