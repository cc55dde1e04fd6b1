/** Changes some fields of a user or a product: what is left out stays, and null clears. */

import { type Action, Refusals } from '../calls.js';
import {
  type Product,
  type User,
  callerOf,
  emailOwner,
  endSessions,
  isAdmin,
  isLastAdmin,
  isUser,
  isRefused,
  wrote,
} from '../model.js';
import { changed, condition, isStale } from '../records.js';
import { prices } from './orders.js';
import { expectProduct } from './products.js';
import { drawAdmin, drawId, drawSender, drawUserId } from './senders.js';
import { drawEmail, expectUser, userPath } from './users.js';

/** The fields of a record after a patch. */
const patched = (patch: object): object =>
  Object.fromEntries(
    Object.entries(patch).map(([name, value]: [string, unknown]) => [name, value ?? undefined]),
  );

const updateUser: Action = {
  name: 'updateUser',
  weight: 3,
  draw(random, model) {
    const id = drawUserId(random, model);
    const path = userPath(id);
    const body = {
      name: random.text(200),
      ...(random.chance(0.3) && { email: drawEmail(random) }),
      ...(random.chance(0.3) && { city: random.pick([null, 'Ulm', '__proto__']) }),
      ...(random.chance(0.3) && { phone: random.pick([null, '123']) }),
    };
    const headers = condition(random, model, path);
    return { method: 'PATCH', path, sender: drawSender(random, model, id), headers, body };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const user = model.users.get(id);
    const patch = call.body as Partial<User>;
    const caller = callerOf(model, call.sender, false);
    const owner = patch.email === undefined ? undefined : emailOwner(model, patch.email);
    const isOther = caller.kind === 'user' && !isUser(caller, id) && !isAdmin(caller);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(model.policy === 'protected' && isOther, 403)
      .when(user === undefined, 404)
      .when(isStale(model, call.path, call), 412)
      .when(owner !== undefined && owner.id !== id, 409);
    if (!refusals.judge(answer, 200) || user === undefined) return;
    Object.assign(user, patched(patch));
    wrote(model, 'user.updated', `user:${id}`);
    expectUser('body', answer.body, user);
    changed(model, call.path, answer);
  },
};

/** Gives somebody who is signed in the other role or status: their tokens have the rights of the lower role, and end with deactivation. */
const changeRole: Action = {
  name: 'a change of a role',
  weight: 3,
  draw(random, model) {
    const session = random.pick([...model.sessions.values()]);
    const id = session?.userId ?? drawUserId(random, model);
    const user = model.users.get(id);
    const body = random.chance(0.6)
      ? { role: user?.role === 'admin' ? 'user' : 'admin' }
      : { status: user?.status === 'active' ? 'inactive' : 'active' };
    const sender = drawAdmin(random, model) ?? drawSender(random, model);
    return { method: 'PATCH', path: userPath(id), sender, body };
  },
  judge(model, call, answer) {
    const id = call.path.split('/')[3] ?? '';
    const user = model.users.get(id);
    const { role, status } = call.body as Partial<Pick<User, 'role' | 'status'>>;
    const caller = callerOf(model, call.sender, false);
    // To give the role that is there already is no change.
    const isSame = (role ?? user?.role) === user?.role && (status ?? user?.status) === user?.status;
    const gives = !isSame || user === undefined || model.policy === 'protected';
    const refusals = new Refusals()
      .when(isRefused(model, caller) || (gives && caller.kind !== 'user'), 401)
      .when(gives && caller.kind === 'user' && !isAdmin(caller), 403)
      .when(user === undefined, 404)
      .when((role === 'user' || status === 'inactive') && isLastAdmin(model, id), 409);
    if (!refusals.judge(answer, 200) || user === undefined) return;
    if (status === 'inactive' && user.status === 'active') endSessions(model, id);
    user.role = role ?? user.role;
    user.status = status ?? user.status;
    wrote(model, 'user.updated', `user:${id}`);
    expectUser('body', answer.body, user);
    changed(model, call.path, answer);
  },
};

const updateProduct: Action = {
  name: 'updateProduct',
  weight: 2,
  draw(random, model) {
    const path = `/api/products/${drawId(random, model.products, model.last['product'])}`;
    const body = {
      price: random.pick(prices),
      ...(random.chance(0.4) && { name: random.text(200) }),
      ...(random.chance(0.4) && { description: random.pick([null, 'described']) }),
    };
    const headers = condition(random, model, path);
    return { method: 'PATCH', path, sender: drawSender(random, model), headers, body };
  },
  judge(model, call, answer) {
    const product = model.products.get(call.path.split('/')[3] ?? '');
    const caller = callerOf(model, call.sender, false);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(model.policy === 'protected' && caller.kind === 'user' && !isAdmin(caller), 403)
      .when(product === undefined, 404)
      .when(isStale(model, call.path, call), 412);
    if (!refusals.judge(answer, 200) || product === undefined) return;
    Object.assign(product, patched(call.body as Partial<Product>));
    wrote(model, 'product.updated', `product:${product.id}`);
    expectProduct('body', answer.body, product);
    changed(model, call.path, answer);
  },
};

export const patchActions: readonly Action[] = [updateUser, changeRole, updateProduct];
