/** Several writes as one step: all of them are stored, or none is. */

import { type Action, Fault, Refusals, newId } from '../calls.js';
import { type Model, emailOwner, callerOf, isLastAdmin, wrote } from '../model.js';
import { changed } from '../records.js';
import type { Random } from '../random.js';
import type { Unit, UnitPart } from '../unit.js';
import { addPost } from './graphql.js';
import { orderPath, prices } from './orders.js';
import { drawAdmin, drawUserId, nobody } from './senders.js';
import { addUser, drawEmail } from './users.js';

function drawPart(random: Random, model: Model, depth: number): UnitPart {
  const userId = drawUserId(random, model);
  const orderId = random.pick([...model.orders.values()].filter(({ status }) => status === 'pending'))?.id;
  const item = { name: random.text(200), unitPrice: random.pick(prices), quantity: random.whole(1, 9) };
  return random.pick<UnitPart>([
    { kind: 'user', name: random.text(200), email: drawEmail(random) },
    { kind: 'product', name: random.text(200), price: random.pick(prices) },
    { kind: 'post', title: random.text(300), content: random.text(100), authorId: userId },
    { kind: 'order', userId, items: [item] },
    orderId === undefined ? { kind: 'product', name: 'x', price: 1 } : { kind: 'deletion', orderId },
    depth === 0 || random.chance(0.5)
      ? { kind: 'product', name: 'y', price: 1 }
      : { kind: 'nested', unit: drawUnit(random, model, depth - 1) },
  ]);
}

function drawUnit(random: Random, model: Model, depth: number): Unit {
  const parts = Array.from({ length: random.whole(1, 4) }, () => drawPart(random, model, depth));
  return {
    adminId: undefined,
    parts,
    end: random.pick(['returns', 'returns', 'returns', 'throws', 'hangs']),
  };
}

/** The statuses for which it fails. */
function failuresOf(model: Model, { parts, end }: Unit): readonly number[] {
  const found = new Set<number>(end === 'throws' ? [500] : end === 'hangs' ? [503] : []);
  const emails = new Set<string>();
  const deleted = new Set<string>();
  const add = (part: UnitPart): void => {
    if (part.kind === 'nested') {
      for (const each of failuresOf(model, part.unit)) found.add(each);
      part.unit.parts.forEach(add);
    } else if (part.kind === 'user') {
      const email = part.email.toLowerCase();
      if (emailOwner(model, email) !== undefined || emails.has(email)) found.add(409);
      emails.add(email);
    } else if (part.kind === 'deletion of a user') {
      if (!model.users.has(part.userId)) found.add(404);
      if (isLastAdmin(model, part.userId)) found.add(409);
    } else if (part.kind === 'deletion') {
      if (!model.orders.has(part.orderId) || deleted.has(part.orderId)) found.add(404);
      deleted.add(part.orderId);
    } else if (
      part.kind !== 'product' &&
      !model.users.has(part.kind === 'post' ? part.authorId : part.userId)
    )
      found.add(400);
  };
  parts.forEach(add);
  return [...found];
}

function apply(model: Model, { parts }: Unit, made: readonly unknown[]): void {
  for (const [index, part] of parts.entries()) {
    const record = made[index];
    if (part.kind === 'nested') {
      if (!Array.isArray(record)) throw new Fault('a nested unit was undone, and the one around it was not');
      apply(model, part.unit, record);
    } else if (part.kind === 'user')
      addUser(model, newId(model, 'user', record), { name: part.name, email: part.email });
    else if (part.kind === 'post') addPost(model, newId(model, 'post', record), part, part.authorId);
    else if (part.kind === 'product') {
      const id = newId(model, 'product', record);
      model.products.set(id, { id, name: part.name, price: part.price, categories: [] });
      wrote(model, 'product.created', `product:${id}`);
    } else if (part.kind === 'order') {
      const id = newId(model, 'order', record);
      const items = part.items.map((each) => ({ ...each, productId: undefined }));
      model.orders.set(id, { id, userId: part.userId, status: 'pending', items });
      wrote(model, 'order.created', `order:${id}`);
    } else if (part.kind === 'deletion') {
      model.orders.delete(part.orderId);
      for (const [id, { orderId }] of model.comments) if (orderId === part.orderId) model.comments.delete(id);
      changed(model, orderPath(part.orderId));
      wrote(model, 'order.deleted', `order:${part.orderId}`);
    }
  }
}

const unit: Action = {
  name: 'a unit of work',
  weight: 4,
  draw(random, model) {
    const sender = drawAdmin(random, model);
    const caller = sender && callerOf(model, sender, false);
    const adminId = caller?.kind === 'user' ? caller.user.id : undefined;
    if (adminId === undefined && model.policy === 'protected') return undefined;
    const plain = drawUnit(random, model, 2);
    // They keep all that goes with a user.
    const user = random.pick([...model.users.values()].filter(({ password }) => password !== undefined));
    const isDeleting = plain.end !== 'returns' && adminId !== undefined && user !== undefined;
    const deletions = isDeleting ? [{ kind: 'deletion of a user', userId: user.id } as const] : [];
    const drawn = { ...plain, parts: [...plain.parts, ...deletions], adminId };
    return { method: 'UNIT', path: '/unit', sender: sender ?? nobody, unit: drawn };
  },
  judge(model, call, answer) {
    if (call.unit === undefined) return;
    const failures = failuresOf(model, call.unit);
    // The caller of a nested unit has caught its error; that of the whole one names the reason.
    const refusals = new Refusals().when(failures.length > 0, ...failures);
    if (refusals.judge(answer, 200)) apply(model, call.unit, answer.body as readonly unknown[]);
  },
};

export const unitActions: readonly Action[] = [unit];
