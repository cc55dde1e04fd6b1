/** The operator's console: the page, its addresses, and signing in and out. */

import { h, link } from './parts/dom.js';
import { action, field, form, type Route, say, sentenceOf } from './parts/parts.js';
import { forget, isAdmin, Refusal, signIn, signOut, takeOver, user } from './parts/session.js';
import { auditView } from './views/audit.js';
import { keysView } from './views/keys.js';
import { overviewView } from './views/overview.js';
import { orderView, ordersView, postView, postsView } from './views/records.js';
import { usersView, userView } from './views/users.js';
import { webhooksView, webhookView } from './views/webhooks.js';

interface View {
  readonly name: string;
  readonly isForAdmins?: true;
  readonly list: (route: Route) => Promise<Node>;
  readonly one?: (id: string, route: Route) => Promise<Node>;
}

/** By the first part of their address. What the policy of a deployment forbids beside this, the service refuses. */
const views: Readonly<Record<string, View>> = {
  '': { name: 'Overview', list: overviewView },
  users: { name: 'Users', list: usersView, one: userView },
  keys: { name: 'API keys', isForAdmins: true, list: keysView },
  webhooks: { name: 'Webhooks', isForAdmins: true, list: webhooksView, one: webhookView },
  orders: { name: 'Orders', list: ordersView, one: orderView },
  posts: { name: 'Posts', list: postsView, one: postView },
  audit: { name: 'Audit log', isForAdmins: true, list: auditView },
};

/** After this time without a key or a click, the session ends. */
const IDLE_MS = 30 * 60_000;
const REFRESH_MS = 15_000;

const main = h('main', { id: 'main' });
const menu = h('nav', { class: 'menu', 'aria-label': 'Console' });
const status = h('p', { role: 'status', class: 'said' });
document.getElementById('console')?.replaceWith(menu, status, main);

let shown = 0;

function routeNow(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').map(decoded), query: Object.fromEntries(new URLSearchParams(query)) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function viewOf({ path: [name = ''] }: Route): View | undefined {
  const view = Object.hasOwn(views, name) ? views[name] : undefined;
  return view?.isForAdmins === true && !isAdmin() ? undefined : view;
}

/** @param isQuiet - leaves the focus where it is */
async function show(isQuiet = false): Promise<void> {
  const turn = ++shown;
  const route = routeNow();
  const [, id] = route.path;
  const view = viewOf(route);
  drawMenu(view);
  main.setAttribute('aria-busy', 'true');
  let content: Node;
  try {
    if (user === undefined) content = signInView();
    else if (view === undefined || (id !== undefined && view.one === undefined))
      content = problemView(
        'There is nothing here for you',
        'The address is wrong, or your role does not have this view.',
      );
    else
      content = await (id === undefined || view.one === undefined ? view.list(route) : view.one(id, route));
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      end('Your session has ended. Sign in again.');
      return;
    }
    content = problemView(view?.name ?? 'Console', sentenceOf(error));
  }
  if (turn !== shown) return;
  main.replaceChildren(content);
  main.removeAttribute('aria-busy');
  const title = main.querySelector('h1');
  document.title = `${title?.textContent ?? 'Console'} – Concordat`;
  if (!isQuiet) title?.focus();
}

function problemView(title: string, text: string): Node {
  return h('section', {}, h('h1', { tabindex: '-1' }, title), h('p', { class: 'problem' }, text));
}

function drawMenu(current: View | undefined): void {
  menu.replaceChildren();
  if (user === undefined) return;
  for (const [path, view] of Object.entries(views)) {
    if (view.isForAdmins === true && !isAdmin()) continue;
    const item = link(view.name, path);
    if (view === current) item.setAttribute('aria-current', 'page');
    menu.append(item);
  }
  const leave = async (): Promise<undefined> => {
    await signOut();
    end('You are signed out.');
  };
  const self = link(`${user.email} (${user.role})`, `users/${user.id}`);
  self.classList.add('who');
  menu.append(self, action('Sign out', undefined, leave));
}

function signInView(): Node {
  const { idp, demo = '[]' } = document.body.dataset;
  const [known] = JSON.parse(demo) as readonly { readonly email: string; readonly password: string }[];
  const begin = async (email: string, password: string): Promise<undefined> => {
    await signIn(email, password);
    begun();
  };
  const required = true;
  const fields = [
    field('Email', { name: 'email', type: 'email', required, autocomplete: 'username' }),
    field('Password', { name: 'password', type: 'password', required, autocomplete: 'current-password' }),
  ];
  const advice = 'The session ends when you leave or reload this page, and after 30 idle minutes.';
  return h(
    'section',
    { class: 'narrow' },
    h('h1', { tabindex: '-1' }, 'Sign in'),
    form('Sign in', 'Sign in', fields, ({ email = '', password = '' }) => begin(email, password)),
    known &&
      h(
        'p',
        {},
        action('Use the demo sign-in', undefined, () => begin(known.email, known.password)),
      ),
    idp !== undefined && h('p', {}, h('a', { href: 'api/auth/idp' }, 'Sign in with the identity provider')),
    h('p', { class: 'quiet' }, advice),
  );
}

function begun(): void {
  status.textContent = '';
  touch();
  void show();
}

function end(reason: string): void {
  forget();
  for (const dialog of document.querySelectorAll('dialog')) dialog.remove();
  main.replaceChildren();
  void show();
  say(reason, true);
}

document.addEventListener('said', (event) => {
  const { text, isProblem } = (event as CustomEvent<{ readonly text: string; readonly isProblem: boolean }>)
    .detail;
  status.textContent = text;
  status.classList.toggle('problem', isProblem);
  if (!isProblem) void show();
});
addEventListener('hashchange', () => {
  status.textContent = '';
  void show();
});

// A browser goes nowhere by a link to where it is, but who follows it wants to see what is new.
addEventListener('click', ({ target }) => {
  const followed = target instanceof Element ? target.closest('a')?.getAttribute('href') : undefined;
  if (followed?.startsWith('#') === true && followed === location.hash) void show();
});

let touched = Date.now();
function touch(): void {
  touched = Date.now();
}
for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, touch, { passive: true });
setInterval(() => {
  if (user === undefined) return;
  if (Date.now() - touched > IDLE_MS) end('You were signed out after 30 minutes without a key or a click.');
  else if (
    routeNow().path[0] === '' &&
    document.visibilityState === 'visible' &&
    !main.contains(document.activeElement?.closest('a, button') ?? null)
  )
    void show(true);
}, REFRESH_MS);

// A page that the browser keeps for its back button has no session and no data.
addEventListener('pagehide', () => {
  forget();
  main.replaceChildren();
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void show();
});

// A page of this service that has opened this one may hand over its token.
const opener = window.opener as Window | null;
addEventListener('message', ({ origin, source, data }) => {
  const { token } = Object(data) as { readonly token?: unknown };
  if (
    origin !== location.origin ||
    source === null ||
    source !== opener ||
    user !== undefined ||
    typeof token !== 'string'
  )
    return;
  takeOver(token).then(begun, (error: unknown) => say(sentenceOf(error), true));
});
opener?.postMessage('ready', location.origin);

void show(true);
