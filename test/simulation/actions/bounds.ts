/** Requests that are wrong at one place, which their refusal names, or that no operation takes. */

import { type Action, Fault, Refusals } from '../calls.js';
import type { GraphqlBody } from './graphql.js';
import { drawAdmin, noIds, nobody } from './senders.js';

type Wrong = readonly [place: string, body: unknown];

const user = { name: 'a', email: 'a@example.com' };
const item = { name: 'a', unitPrice: 1, quantity: 1 };
const orderOf = (...items: readonly unknown[]) => ({ userId: '1', items });
const product = { name: 'a', price: 1 };
const comment = { orderId: '1', userId: '1', text: 'x' };
const categories = (count: number) => Array.from({ length: count }, (_, place) => ({ name: String(place) }));

const wrongUsers: readonly Wrong[] = [
  ['body', null],
  ['body', []],
  ['body', 'text'],
  ['body', { email: 'a@example.com' }],
  ['body', { name: 'a' }],
  ['body', { ...user, shoe: 42 }],
  ['body/name', { ...user, name: '' }],
  ['body/name', { ...user, name: 1 }],
  ['body/name', { ...user, name: null }],
  ['body/email', { ...user, email: 'a' }],
  ['body/email', { ...user, email: '' }],
  ['body/email', { ...user, email: ['a@example.com'] }],
  ['body/email', { ...user, email: `${'a'.repeat(250)}@example.com` }],
  ['body/password', { ...user, password: '1234567' }],
  ['body/password', { ...user, password: 'x'.repeat(129) }],
  ['body/role', { ...user, role: 'root' }],
  ['body/status', { ...user, status: 'new' }],
  ['body/phone', { ...user, phone: '' }],
  ['body/city', { ...user, city: '' }],
];

const wrongItems: readonly Wrong[] = [
  ['body/items', orderOf()],
  ['body/items', orderOf(...Array.from({ length: 101 }, () => item))],
  ['body/items/1/quantity', orderOf(item, { ...item, quantity: 0 })],
  ['body/items/0/quantity', orderOf({ ...item, quantity: 10_001 })],
  ['body/items/0/quantity', orderOf({ ...item, quantity: 1.5 })],
  ['body/items/0/unitPrice', orderOf({ ...item, unitPrice: -0.01 })],
  ['body/items/0/unitPrice', orderOf({ ...item, unitPrice: 1_000_000.01 })],
  ['body/items/1/unitPrice', orderOf(item, { ...item, unitPrice: 0.001 })],
  ['body/items/0/unitPrice', orderOf({ ...item, unitPrice: '1' })],
  ['body/items/0/name', orderOf({ ...item, name: '' })],
  ['body/items/0', orderOf({ name: 'a', quantity: 1 })],
  ['body/items/0', orderOf({ quantity: 1 })],
  ['body/items/0', orderOf({ ...item, note: 'x' })],
  ['body', { userId: '1' }],
];

/** The bodies that each operation refuses, with the places that are wrong. */
const wrongBodies: Readonly<Record<string, readonly Wrong[]>> = {
  'POST /api/users': wrongUsers,
  'PUT /api/users/1': wrongUsers,
  'PATCH /api/users/1': [
    ...['name', 'email', 'password', 'role', 'status'].map((name): Wrong => [
      `body/${name}`,
      { [name]: null },
    ]),
    ['body', { shoe: 42 }],
    ['body/city', { city: '' }],
    ['body', [{ city: 'a' }]],
  ],
  'POST /api/orders': [...wrongItems, ['body', { ...orderOf(item), total: 1 }]],
  'PUT /api/orders/1': wrongItems,
  'PATCH /api/orders/1': [
    ['body/items', { items: null }],
    ['body/status', { status: null }],
    ['body/status', { status: 'shipped' }],
    ['body/status', { status: '' }],
  ],
  'POST /api/products': [
    ['body/price', { ...product, price: -0.01 }],
    ['body/price', { ...product, price: 1_000_000.01 }],
    ['body/price', { ...product, price: 19.999 }],
    ['body/price', { ...product, price: '1' }],
    ['body/name', { ...product, name: '' }],
    ['body', { name: 'a' }],
    ['body', { ...product, shoe: 1 }],
  ],
  'PUT /api/products/1': [
    ['body', { name: 'a' }],
    ['body/price', { ...product, price: -1 }],
  ],
  'PATCH /api/products/1': [
    ['body/price', { price: null }],
    ['body/name', { name: null }],
    ['body/price', { price: 0.001 }],
    ['body', { shoe: 1 }],
  ],
  'PUT /api/products/1/categories': [
    ['body/0', [{}]],
    ['body/0/name', [{ name: '' }]],
    ['body/0', ['a']],
    ['body', {}],
    ['body/0', [{ name: 'a', price: 1 }]],
    ['', categories(101)],
  ],
  'POST /api/comments': [
    ['body/text', { ...comment, text: '' }],
    ['body/text', { ...comment, text: 1 }],
    ['body', { orderId: '1', userId: '1' }],
  ],
  'POST /api/keys': [
    ['body/name', { name: '' }],
    ['body/name', { name: 'x'.repeat(101) }],
    ['body', { name: 'a', key: 'mine' }],
  ],
  'POST /api/auth/login': [
    ['body', { email: 'a' }],
    ['body/email', { email: 1, password: 'x' }],
    ['body', { email: 'a', password: 'x', role: 'admin' }],
  ],
  'POST /api/auth/login?tokens=three': [['query/tokens', { email: 'a', password: 'x' }]],
};

const wrongBody: Action = {
  name: 'a body that is wrong at one place',
  weight: 5,
  draw(random, model) {
    const operation = random.pick(Object.keys(wrongBodies)) ?? '';
    const [method = '', path = ''] = operation.split(' ');
    const [, body] = random.pick(wrongBodies[operation] ?? []) ?? ['', null];
    return { method, path, sender: drawAdmin(random, model) ?? nobody, body };
  },
  judge(_, call, answer) {
    const { body, sender } = call;
    // Without an admin, the caller may be refused first.
    new Refusals()
      .when(true, 400)
      .when(sender.kind === 'nobody', 401)
      .judge(answer, 400);
    const rows = wrongBodies[`${call.method} ${call.path}`] ?? [];
    const [place = ''] = rows.find(([, each]) => JSON.stringify(each) === JSON.stringify(body)) ?? [];
    if (answer.status === 400 && !answer.text.startsWith(`{"error":"${place}`))
      throw new Fault(`${answer.text} does not name ${place}`);
  },
};

/** Queries that are refused, with the places that are wrong. */
const wrongQueries: Readonly<Record<string, string>> = {
  '/api/users?page=1&cursor=1': 'query/cursor',
  '/api/users?city=Ulm&city=Bonn': 'query/city',
  '/api/users?city=%ff': 'query/city',
  '/api/users?envelope=maybe': 'query/envelope',
  '/api/users?embed=posts': 'query/embed',
  '/api/posts?since=2026-01-01': 'query/since',
  '/api/posts?since=2026-13-01T00:00:00Z': 'query/since',
  '/api/posts?since=': 'query/since',
};

/** Ids that are none, positions that are none, and operations that there are not. */
const wrongPath: Action = {
  name: 'a request that is wrong at one place',
  weight: 4,
  draw(random, model) {
    const id = random.pick(noIds);
    const sender = drawAdmin(random, model) ?? nobody;
    const kind = random.pick(['users', 'orders', 'products', 'comments', 'posts']);
    const path = random.pick([
      '/api/nothing',
      ...Object.keys(wrongQueries),
      `/api/users?cursor=${id}`,
      `/api/feed?lastId=${id}`,
      `/api/posts?since=${id}`,
      ...[`/api/${kind}/${id}`, `/api/${kind}/${id}`, `/api/${kind}/${id}`],
    ]);
    return random.chance(0.05)
      ? { method: 'DELETE', path: '/api/users', sender }
      : { method: 'GET', path, sender };
  },
  judge(model, { method, path }, answer) {
    const [plain = '', query = ''] = path.split('?');
    const place = wrongQueries[path] ?? `query/${query.split('=')[0] ?? ''}`;
    const status = method === 'DELETE' ? 405 : query === '' ? 404 : 400;
    const isAnonymous = model.policy === 'protected' && /users|orders|comments/.test(plain);
    // A text that is no text in UTF-8 is no id, and a digit too many is a position.
    const isText = /%00|1{19}/.test(path);
    const refusals = new Refusals().when(true, status).when(isAnonymous, 401).when(isText, 400, 404, 200);
    if (answer.status === 200 && isText && status === 400) return;
    refusals.judge(answer, 400);
    if (answer.status === 400 && query !== '' && !answer.text.startsWith(`{"error":"${place}`))
      throw new Fault(`${answer.text} does not name ${place}`);
  },
};

/** A text that no record may have, at one of the places that have texts: too long, or with characters that XML or PostgreSQL cannot carry. */
const refusedText: Action = {
  name: 'a text that no record may have',
  weight: 2,
  draw(random, model) {
    const [path, most, bodyOf] = random.pick(texts);
    const bad = random.pick(['\0', '\b', '\u001f', '\ud800', '\udc00', '\ufffe', '\uffff', undefined]);
    const characters = Array.from(random.text(most));
    const text = bad === undefined ? '\u{1f600}'.repeat(most + 1) : characters.with(-1, bad).join('');
    return { method: 'POST', path, sender: drawAdmin(random, model) ?? nobody, body: bodyOf(text) };
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
  ['/api/users', 100, (city) => ({ name: 'a', email, city })],
  ['/api/users', 50, (phone) => ({ name: 'a', email, phone })],
  ['/api/products', 200, (name) => ({ name, price: 1 })],
  ['/api/products', 5_000, (description) => ({ name: 'a', price: 1, description })],
  ['/api/orders', 200, ofItem],
  ['/api/comments', 5_000, (text) => ({ orderId: '1', userId: '1', text })],
  ['/graphql', 300, (title) => ({ query: post, variables: { title, content: 'a' } })],
  ['/graphql', 100_000, (content) => ({ query: post, variables: { title: 'a', content } })],
];
type Place = readonly [path: string, most: number, bodyOf: (text: string) => unknown];

export const boundActions: readonly Action[] = [wrongBody, wrongPath, refusedText];
