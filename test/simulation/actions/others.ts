/** Requests that are repeated under a key, and those that are wrong at one place. */

import { type Action, Fault, Refusals } from '../calls.js';
import { type Caller, callerOf } from '../model.js';
import { commentActions } from './comments.js';
import type { GraphqlBody } from './graphql.js';
import { orderActions } from './orders.js';
import { productActions } from './products.js';
import { noIds, nobody } from './senders.js';
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
    if ([401, 403, 404, 409].includes(answer.status)) return;
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

/** Bodies and paths that no operation takes, so that nothing may change. */
const wrong: Action = {
  name: 'a request that is wrong at one place',
  weight: 4,
  draw(random) {
    const wrongBody = random.pick<unknown>([
      null,
      [],
      'text',
      {},
      { name: '', email: 'a@example.com' },
      { name: 'a'.repeat(201), email: 'a@example.com' },
      { name: 'a', email: 'no email' },
      { name: 'a', email: 'a@example.com', id2: 1 },
      { name: 'a\u0000b', email: 'a@example.com' },
      { name: 'a', email: 'a@example.com', password: 'short' },
    ]);
    const wrongItems = random.pick<unknown>([
      { items: [] },
      { items: [{ name: 'a', unitPrice: 0.001, quantity: 1 }] },
      { items: [{ name: 'a', unitPrice: 1, quantity: 0 }] },
      { items: [{ name: 'a', unitPrice: -1, quantity: 1 }] },
      { items: [{ name: 'a', unitPrice: 1, quantity: 1.5 }] },
      { items: Array.from({ length: 101 }, () => ({ name: 'a', unitPrice: 1, quantity: 1 })) },
    ]);
    const id = random.pick(noIds);
    return random.pick([
      { method: 'POST', path: '/api/users', sender: nobody, body: wrongBody },
      { method: 'POST', path: '/api/orders', sender: nobody, body: wrongItems },
      { method: 'GET', path: `/api/users/${id}`, sender: nobody },
      { method: 'GET', path: `/api/orders/${id}`, sender: nobody },
      { method: 'GET', path: `/api/users?cursor=${id}`, sender: nobody },
      { method: 'GET', path: `/api/feed?lastId=${id}`, sender: nobody },
      { method: 'GET', path: `/api/posts?since=${id}`, sender: nobody },
      { method: 'GET', path: '/api/users?page=1&cursor=1', sender: nobody },
      { method: 'DELETE', path: '/api/users', sender: nobody },
      { method: 'GET', path: '/api/nothing', sender: nobody },
    ]);
  },
  judge(model, _, answer) {
    const isAnonymous = model.policy === 'protected';
    new Refusals().when(true, 400, 404, 405).when(isAnonymous, 401).judge(answer, 400);
  },
};

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

/** A text that no record may have, at one of the places that have texts: too long, or with characters that XML or PostgreSQL cannot carry. */
const refusedText: Action = {
  name: 'a text that no record may have',
  weight: 2,
  draw(random) {
    const [path, most, bodyOf] = random.pick(texts);
    const bad = random.pick(['\0', '\b', '\u001f', '\ud800', '\udc00', '\ufffe', '\uffff', undefined]);
    const characters = Array.from(random.text(most));
    const text = bad === undefined ? '\u{1f600}'.repeat(most + 1) : characters.with(-1, bad).join('');
    return { method: 'POST', path, sender: nobody, body: bodyOf(text) };
  },
  judge(model, { path }, answer) {
    if (path !== '/graphql') {
      new Refusals()
        .when(true, 400)
        .when(model.policy === 'protected', 401)
        .judge(answer, 400);
      return;
    }
    const { data, errors = [] } = answer.body as GraphqlBody;
    const code = errors[0]?.extensions?.code ?? '';
    if (data?.['createPost'] !== undefined || !/^(?:BAD_USER_INPUT|UNAUTHENTICATED)$/.test(code))
      throw new Fault(`a text that no record may have was answered ${answer.text.slice(0, 300)}`);
  },
};

const email = 'refused@example.com';
const post =
  'mutation ($title: String!, $content: String!) { createPost(title: $title, content: $content) { id } }';
const ofItem = (name: string) => ({ userId: '1', items: [{ name, unitPrice: 1, quantity: 1 }] });

/** The places of texts with their bounds. */
const texts: readonly [Place, ...Place[]] = [
  ['/api/users', 200, (name) => ({ name, email })],
  ['/api/users', 50, (phone) => ({ name: 'a', email, phone })],
  ['/api/products', 200, (name) => ({ name, price: 1 })],
  ['/api/products', 5_000, (description) => ({ name: 'a', price: 1, description })],
  ['/api/orders', 200, ofItem],
  ['/api/comments', 5_000, (text) => ({ orderId: '1', userId: '1', text })],
  ['/graphql', 300, (title) => ({ query: post, variables: { title, content: 'a' } })],
  ['/graphql', 100_000, (content) => ({ query: post, variables: { title: 'a', content } })],
];
type Place = readonly [path: string, most: number, bodyOf: (text: string) => unknown];

export const otherActions: readonly Action[] = [keyed, repeated, left, wrong, refusedText];
