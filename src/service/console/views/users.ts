/** Users: find one, and change their role, their status and their sessions, or delete them. */

import { all, h, link, time } from '../parts/dom.js';
import { action, badge, facts, filters, heading, pageOf, pager, type Route, table } from '../parts/parts.js';
import { client, expecting, given, isAdmin, type Schemas, user as self } from '../parts/session.js';

type User = Schemas['User'];

export async function usersView(route: Route): Promise<Node> {
  const { role, status, email } = route.query;
  const query = { ...given({ role, status, email }), ...pageOf(route), envelope: false };
  const { headers, body } = expecting(await client.listUsers({ query }), 200);
  const fields = {
    email: { label: 'Id or email', placeholder: 'the whole of it' },
    role: { label: 'Role', choices: ['', 'admin', 'user'] },
    status: { label: 'Status', choices: ['', 'active', 'inactive'] },
  };
  return all(
    heading('Users'),
    filters(route, fields, ({ email: text = '' }) => {
      if (/^\d+$/.test(text)) return `#/users/${text}`;
      if (text === '' || text.includes('@')) return undefined;
      throw new Error('Type an id, or the whole email, such as ada@example.com.');
    }),
    table('Users', body as readonly User[], {
      Id: ({ id }) => id,
      Name: ({ id, name }) => link(name, `users/${id}`),
      Email: (user) => user.email,
      Role: (user) => user.role,
      Status: (user) => badge(user.status),
      Since: ({ createdAt }) => time(createdAt),
    }),
    pager(route, headers),
  );
}

export async function userView(id: string): Promise<Node> {
  const { body: user } = expecting(await client.getUser({ path: { id } }), 200);
  const { name, email, phone = '–', city = '–', role, status } = user;
  const links = [link('All users', 'users'), link('Orders', 'orders', { userId: id })];
  const log = [
    link('What was done to them', 'audit', { target: `user:${id}` }),
    link('What they did', 'audit', { actor: `user:${id}` }),
  ];
  const times = { Created: time(user.createdAt), Changed: time(user.updatedAt) };
  return all(
    heading(name, ...links, ...(isAdmin() ? log : [])),
    facts({ Id: id, Email: email, Phone: phone, City: city, Role: role, Status: badge(status), ...times }),
    h(
      'p',
      { class: 'row' },
      (isAdmin() || isSelf(user)) && ending(user),
      ...(isAdmin() ? actionsOn(user) : []),
    ),
  );
}

/** Replaces the record as it is now, so that no other field changes. */
async function change(id: string, fields: Partial<Pick<User, 'role' | 'status'>>): Promise<void> {
  const { body, headers } = expecting(await client.getUser({ path: { id } }), 200);
  const condition = { 'If-Match': headers['etag'] ?? '*' };
  expecting(
    await client.replaceUser({ path: { id }, headers: condition, body: { ...body, ...fields } }),
    200,
  );
}

const isSelf = ({ id }: User): boolean => id === self?.id;

function actionsOn(user: User): readonly HTMLElement[] {
  const { id, email, role, status } = user;
  const other = role === 'admin' ? 'user' : 'admin';
  const gain = `${email} may then do everything that you may.`;
  const loss = `${email} loses the rights of an admin at once.`;
  const out = `${email} is signed out everywhere and cannot sign in.${isSelf(user) ? ' This is you.' : ''}`;
  const deactivation = action('Deactivate', { text: out }, async () => {
    await change(id, { status: 'inactive' });
    return `${email} is inactive.`;
  });
  const activation = action('Activate', undefined, async () => {
    expecting(await client.activateUser({ path: { id } }), 200);
    return `${email} is active.`;
  });
  return [
    action(`Make ${other}`, { text: other === 'admin' ? gain : loss }, async () => {
      await change(id, { role: other });
      return `${email} has the role ${other}.`;
    }),
    status === 'active' ? deactivation : activation,
    action('Delete', { text: 'Posts, comments and keys go too. Orders stay.', typed: email }, async () => {
      expecting(await client.deleteUser({ path: { id } }), 204);
      history.replaceState(null, '', '#/users');
      return `${email} is deleted.`;
    }),
  ];
}

function ending({ id, email }: User): HTMLElement {
  const text = `${email} must sign in again, in every browser and program.`;
  return action('End sessions', { text }, async () => {
    expecting(await client.endUserSessions({ path: { id } }), 204);
    return `The sessions of ${email} have ended.`;
  });
}
