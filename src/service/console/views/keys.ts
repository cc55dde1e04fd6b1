/** API keys: create one, which is shown once, see when each was last used, and revoke it. */

import { all, h, time } from '../parts/dom.js';
import {
  action,
  badge,
  field,
  form,
  heading,
  pageOf,
  pager,
  type Route,
  showSecret,
  table,
} from '../parts/parts.js';
import { client, expecting, type Schemas } from '../parts/session.js';

type Key = Schemas['ApiKey'];

export async function keysView(route: Route): Promise<Node> {
  const answer = await client.listApiKeys({ query: { ...pageOf(route), envelope: false } });
  const { headers, body } = expecting(answer, 200);
  const name = { name: 'name', placeholder: 'such as warehouse', required: true, maxlength: 100 };
  return all(
    heading('API keys'),
    form('New key', 'Create a key', [field('Name', name)], async ({ name = '' }) => {
      const { body } = expecting(await client.createApiKey({ body: { name } }), 201);
      await showSecret(`The key ${name}`, body.key ?? '');
      return `The key ${name} is created.`;
    }),
    h('h2', {}, 'Keys'),
    table('Keys', body as readonly Key[], {
      Id: ({ id }) => id,
      Name: (key) => key.name,
      Status: ({ active }) => badge(active ? 'active' : 'revoked'),
      Created: ({ createdAt }) => time(createdAt),
      'Last used': ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : time(lastUsedAt)),
      Action: (key) => key.active && revocation(key),
    }),
    pager(route, headers),
  );
}

function revocation({ id, name }: Key): HTMLElement {
  const text = `The service that uses the key ${name} is refused at once, and for good.`;
  return action('Revoke', { text }, async () => {
    expecting(await client.deleteApiKey({ path: { id } }), 204);
    return `The key ${name} is revoked.`;
  });
}
