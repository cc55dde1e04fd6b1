/** Requests that are repeated under a key. */

import { type Action, Fault, Refusals } from '../calls.js';
import { type Caller, callerOf } from '../model.js';
import { commentActions } from './comments.js';
import { orderActions } from './orders.js';
import { productActions } from './products.js';
import { userActions } from './users.js';

const creating = [...userActions, ...orderActions, ...productActions, ...commentActions].filter(({ name }) =>
  ['createUser', 'createOrder', 'createProduct', 'createComment'].includes(name),
);

const day = 24 * 60 * 60_000;

/** Creates under a key, or repeats what was created under one: with the same body or another. */
const keyed: Action = {
  name: 'a creation under a key',
  weight: 4,
  draw(random, model) {
    const earlier = random.chance(0.5) ? random.pick([...model.keyed.values()]) : undefined;
    if (earlier !== undefined) {
      const { sender } = earlier;
      const same: unknown = JSON.parse(earlier.body);
      const body = random.chance(0.3) ? (plain(earlier.path)?.draw(random, model)?.body ?? same) : same;
      return {
        method: 'POST',
        path: earlier.path,
        sender,
        headers: { 'idempotency-key': earlier.key },
        body,
      };
    }
    const call = random.pick(creating)?.draw(random, model);
    const key = `"key-${String(random.whole(0, 2 ** 30))}"`;
    return call && { ...call, headers: { ...call.headers, 'idempotency-key': key } };
  },
  judge(model, call, answer) {
    const key = call.headers?.['idempotency-key'] ?? '';
    const caller = identityOf(callerOf(model, call.sender, false));
    const body = JSON.stringify(call.body);
    const earlier = model.keyed.get(caller + key);
    if (!model.isAlone && answer.text.includes('is being processed')) return;
    if (earlier === undefined || earlier.until <= model.now) {
      plain(call.path)?.judge(model, call, answer);
      if (answer.status !== 201) return;
      model.keyed.set(caller + key, {
        sender: call.sender,
        key,
        path: call.path,
        body,
        answer: idOf(answer.text),
        until: model.now + day,
      });
      return;
    }
    // The credential may have ended, and the record may be gone or have changed since.
    if ([401, 403, 404].includes(answer.status) || answer.text.includes('has been deleted')) return;
    if (
      !new Refusals().when(earlier.body !== body || earlier.path !== call.path, 422, 400).judge(answer, 201)
    )
      return;
    if (idOf(answer.text) !== earlier.answer)
      throw new Fault(`the repeat gave ${answer.text}, not the record ${earlier.answer}`);
    if (answer.headers.get('idempotency-replayed') !== 'true')
      throw new Fault('the repeat does not say that it is one');
  },
};

/** All callers without a credential count as one; sign-up ignores those that are not valid. */
const identityOf = (caller: Caller): string => (caller.kind === 'user' ? caller.user.id : 'nobody');

const plain = (path: string): Action | undefined => creating.find(({ name }) => name === nameOf(path));

const nameOf = (path: string): string =>
  ({
    '/api/users': 'createUser',
    '/api/orders': 'createOrder',
    '/api/products': 'createProduct',
    '/api/comments': 'createComment',
  })[path] ?? '';

const idOf = (text: string): string => (JSON.parse(text) as { readonly id: string }).id;

/** Creates under a key while the answer of the store is lost: the client repeats it, and one record is made. */
export const repeated: Action = {
  ...keyed,
  name: 'a creation whose answer is lost',
  weight: 2,
  draw(random, model) {
    const call = random.pick(creating)?.draw(random, model);
    const key = `"lost-${String(random.whole(0, 2 ** 30))}"`;
    return call && { ...call, headers: { ...call.headers, 'idempotency-key': key }, isRepeated: true };
  },
};

/** Creates under a key, and leaves before the answer: what is sent again makes no second record. */
export const left: Action = {
  ...repeated,
  name: 'a creation whose client leaves',
  weight: 2,
  draw(random, model) {
    const call = repeated.draw(random, model);
    return (
      call && { ...call, isRepeated: false, leavesAfter: random.pick([0, 1, 2, 5, random.whole(0, 60)]) }
    );
  },
};

export const otherActions: readonly Action[] = [keyed, repeated, left];
