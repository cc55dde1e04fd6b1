/** Creates, reads, replaces and deletes users, over both protocols. */

import { type Action, type Call, Refusals, newId, same, sameParts } from '../calls.js';
import {
  type Caller,
  type Model,
  type User,
  callerOf,
  deleteUser,
  emailOwner,
  endSessions,
  isAdmin,
  isLastAdmin,
  isUser,
  sorted,
  totalOf,
  wrote,
  isRefused,
  maySee,
} from '../model.js';
import type { Random } from '../random.js';
import { changed, condition, isStale, judgeRead, unlessKnown } from '../records.js';
import { drawSender, drawUserId } from './senders.js';

type Input = Partial<Omit<User, 'id'>> & { readonly name: string; readonly email: string };

export function drawEmail(random: Random): string {
  const name = random.pick(['ada', 'bob', 'eve', 'max', 'joe', 'kim', 'lea', 'tom', 'ute', 'zoe']);
  const email = `${name}${String(random.whole(1, 5))}@example.com`;
  return random.chance(0.2) ? email.toUpperCase() : email;
}

/** Some are as short and as long as a password may be. */
const passwords = ['password one', 'pässwörd three', '12345678', '𝔭'.repeat(128)] as const;

function drawInput(random: Random): Input {
  return {
    name: random.text(200),
    email: drawEmail(random),
    ...(random.chance(0.6) && { password: random.pick(passwords) }),
    ...(random.chance(0.3) && { phone: random.text(50) }),
    ...(random.chance(0.4) && { city: random.pick(['Ulm', 'Bonn', '__proto__', random.text(100)]) }),
    ...(random.chance(0.15) && { role: random.pick(['user', 'admin']) }),
    ...(random.chance(0.15) && { status: random.pick(['active', 'inactive']) }),
  };
}

export const userPath = (id: string): string => `/api/users/${id}`;

export function expectUser(what: string, actual: unknown, user: User): void {
  sameParts(what, actual, {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: user.phone,
    city: user.city,
    role: user.role,
    status: user.status,
    password: undefined,
    ...(!('orders' in (actual as object)) && { links: { orders: `${userPath(user.id)}/orders` } }),
  });
}

/** Only an admin may give what differs from what is there. */
function givesRole(input: Input, stored: Pick<User, 'role' | 'status'> | undefined): boolean {
  return (
    (input.role !== undefined && input.role !== stored?.role) ||
    (input.status !== undefined && input.status !== stored?.status)
  );
}

function refuseUnlessAdmin(refusals: Refusals, caller: Caller): Refusals {
  return refusals.when(caller.kind === 'nobody', 401).when(caller.kind === 'user' && !isAdmin(caller), 403);
}

const createUser: Action = {
  name: 'createUser',
  weight: 6,
  draw(random, model) {
    return { method: 'POST', path: '/api/users', sender: drawSender(random, model), body: drawInput(random) };
  },
  judge(model, call, answer) {
    const input = call.body as Input;
    // Sign-up ignores credentials that are not valid.
    const sender = callerOf(model, call.sender, false);
    const caller: Caller = sender.kind === 'refused' ? { kind: 'nobody' } : sender;
    const refusals = new Refusals().when(emailOwner(model, input.email) !== undefined, 409);
    if (givesRole(input, undefined)) refuseUnlessAdmin(refusals, caller);
    if (!refusals.judge(answer, 201)) return;
    addUser(model, newId(model, 'user', answer.body), input);
    const { id } = answer.body as User;
    same('location', answer.headers.get('location'), userPath(id));
    expectUser('body', answer.body, model.users.get(id) as User);
    changed(model, userPath(id), answer);
  },
};

export function addUser(model: Model, id: string, input: Input): void {
  model.users.set(id, { role: 'user', status: 'active', ...input, id });
  wrote(model, 'user.created', `user:${id}`);
}

const getUser: Action = {
  name: 'getUser',
  weight: 4,
  draw(random, model) {
    const path = userPath(drawUserId(random, model));
    const sender = drawSender(random, model);
    if (random.chance(0.3)) return { method: 'GET', path: `${path}?embed=orders`, sender };
    return { method: 'GET', path, sender, headers: unlessKnown(random, model, path) };
  },
  judge(model, call, answer) {
    const [path = '', query] = call.path.split('?');
    const user = model.users.get(path.split('/')[3] ?? '');
    const caller = callerOf(model, call.sender, true);
    const refusals = new Refusals().when(isRefused(model, caller), 401).when(user === undefined, 404);
    const isRead =
      query === undefined ? judgeRead(model, path, call, answer, refusals) : refusals.judge(answer, 200);
    if (!isRead || user === undefined) return;
    expectUser('body', answer.body, user);
    if (query !== undefined) expectOrders(model, caller, 'body', answer.body, user);
  },
};

/** The first orders of a user, in place of the link to them. */
export function expectOrders(
  model: Model,
  caller: Caller,
  what: string,
  actual: unknown,
  { id }: User,
): void {
  const orders = sorted(model.orders)
    .filter(({ userId }) => userId === id && maySee(model, caller, userId))
    .slice(0, 100)
    .map(({ id, items }) => ({ id, total: totalOf(items) }));
  sameParts(what, actual, { orders, links: undefined });
}

const replaceUser: Action = {
  name: 'replaceUser',
  weight: 6,
  draw(random, model) {
    const id = drawUserId(random, model);
    const path = userPath(id);
    const user = model.users.get(id);
    // What was read may be written back.
    const input =
      user !== undefined && random.chance(0.5) ? { ...user, id, password: undefined } : drawInput(random);
    if (random.chance(0.3)) input.status = random.pick(['active', 'inactive']);
    return {
      method: 'PUT',
      path,
      sender: drawSender(random, model, id),
      headers: condition(random, model, path),
      body: { ...input, ...(random.chance(0.2) && { password: 'password new' }) },
    };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const user = model.users.get(id);
    const input = call.body as Input;
    const caller = callerOf(model, call.sender, false);
    const isOwn = isUser(caller, id) || isAdmin(caller);
    const other = emailOwner(model, input.email);
    const refusals = new Refusals()
      .when(caller.kind === 'refused', 401)
      .when(user === undefined, 404)
      .when(isStale(model, call.path, call), 412)
      .when(other !== undefined && other.id !== id, 409);
    if (model.policy === 'protected' || input.password !== undefined) {
      refusals.when(caller.kind === 'nobody', 401).when(caller.kind === 'user' && !isOwn, 403);
    }
    if (user !== undefined && givesRole(input, user)) refuseUnlessAdmin(refusals, caller);
    const isDemoted = input.role === 'user' || input.status === 'inactive';
    refusals.when(isDemoted && isLastAdmin(model, id), 409);
    // Without the user, whether the role differs is not known.
    if (user === undefined && givesRole(input, undefined)) refuseUnlessAdmin(refusals, caller);
    if (!refusals.judge(answer, 200) || user === undefined) return;
    const {
      name,
      email,
      phone,
      city,
      role = user.role,
      status = user.status,
      password = user.password,
    } = input;
    if (input.password !== undefined || (status === 'inactive' && user.status === 'active'))
      endSessions(model, id);
    model.users.set(id, { id, name, email, phone, city, role, status, password });
    wrote(model, 'user.updated', `user:${id}`);
    expectUser('body', answer.body, model.users.get(id) as User);
    changed(model, call.path, answer);
  },
};

const removeUser: Action = {
  name: 'deleteUser',
  weight: 1,
  draw(random, model) {
    const id = drawUserId(random, model);
    const path = userPath(id);
    return {
      method: 'DELETE',
      path,
      sender: drawSender(random, model, id),
      headers: condition(random, model, path),
    };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const refusals = refusalsOfDelete(model, call, id).when(isStale(model, call.path, call), 412);
    if (refusals.judge(answer, 204)) removed(model, id);
  },
};

export function refusalsOfDelete(model: Model, call: Call, id: string): Refusals {
  const caller = callerOf(model, call.sender, false);
  return new Refusals()
    .when(caller.kind === 'refused' || caller.kind === 'nobody', 401)
    .when(caller.kind === 'user' && !isAdmin(caller), 403)
    .when(!model.users.has(id), 404)
    .when(isLastAdmin(model, id), 409);
}

export function removed(model: Model, id: string): void {
  deleteUser(model, id);
  changed(model, userPath(id));
  wrote(model, 'user.deleted', `user:${id}`);
}

const activateUser: Action = {
  name: 'activateUser',
  weight: 2,
  draw(random, model) {
    const inactive = sorted(model.users).filter(({ status }) => status === 'inactive');
    const id = (random.chance(0.5) ? random.pick(inactive)?.id : undefined) ?? drawUserId(random, model);
    return { method: 'POST', path: `${userPath(id)}/activate`, sender: drawSender(random, model, id) };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const user = model.users.get(id);
    const caller = callerOf(model, call.sender, false);
    const refusals = new Refusals().when(caller.kind === 'refused', 401).when(user === undefined, 404);
    if (model.policy === 'protected') refuseUnlessAdmin(refusals, caller);
    if (!refusals.judge(answer, 200) || user === undefined) return;
    if (user.status === 'inactive') {
      user.status = 'active';
      wrote(model, 'user.updated', `user:${id}`);
      changed(model, userPath(id));
    }
    expectUser('body', answer.body, user);
  },
};

const endUserSessions: Action = {
  name: 'endUserSessions',
  weight: 1,
  draw(random, model) {
    const id = drawUserId(random, model);
    return { method: 'DELETE', path: `${userPath(id)}/sessions`, sender: drawSender(random, model, id) };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const caller = callerOf(model, call.sender, false);
    const refusals = new Refusals()
      .when(caller.kind === 'refused' || caller.kind === 'nobody', 401)
      .when(caller.kind === 'user' && !isAdmin(caller) && !isUser(caller, id), 403)
      .when(!model.users.has(id), 404);
    if (!refusals.judge(answer, 204)) return;
    endSessions(model, id);
    changed(model, userPath(id));
    wrote(model, 'user.updated', `user:${id}`);
  },
};

export const userActions: readonly Action[] = [
  createUser,
  getUser,
  replaceUser,
  removeUser,
  activateUser,
  endUserSessions,
];
