/** The page at which an external sign-in ends: it removes the token from the address, and shows the signed-in user. */

import type { AssetFolder } from './assets.js';
import { html, htmlPage } from './html.js';
import type { Page } from './page.js';
import { style } from './style.js';

export function successPage(assets: AssetFolder): Page {
  const stylesheet = assets.add('page.css', style);
  const script = assets.add('success.js', successScript);
  return htmlPage('signed-in', async () => ({
    title: 'Signed in – Concordat',
    // The script comes first and is not a module, so that it removes the token from the address before anything else runs.
    scripts: [`../${await script()}`],
    styles: [`../${await stylesheet()}`],
    headers: { 'Cache-Control': 'no-store' },
    body,
  }));
}

const body = html`<body>
  <main>
    <h1 id="title">Signing you in…</h1>
    <p id="message" class="quiet" role="status"></p>
    <noscript><p>This page needs JavaScript to take the token out of the address.</p></noscript>
    <div id="signed-in" hidden>
      <dl class="box">
        <dt>Name</dt>
        <dd id="name"></dd>
        <dt>Email</dt>
        <dd id="email"></dd>
        <dt>Role</dt>
        <dd id="role"></dd>
        <dt>User</dt>
        <dd id="user"></dd>
      </dl>
      <h2>What next?</h2>
      <p>
        <span id="lifetime"></span> Send it with each request, as <code>Authorization: Bearer</code> and the
        token. It is kept nowhere: once you leave this page, it is gone.
      </p>
      <p class="row">
        <button id="copy" type="button">Copy the token</button>
        <span id="copied" class="quiet" role="status"></span>
      </p>
      <ul>
        <li>Send a request from the <a href="../docs">API reference</a>.</li>
        <li>
          Ask <code>{ me { id name } }</code> in <a href="../graphql">GraphiQL</a>, with the token in the
          headers.
        </li>
      </ul>
    </div>
    <div id="signed-out" hidden>
      <p class="row"><a href="../api/auth/idp">Sign in again</a> <a href="../">Start page</a></p>
    </div>
  </main>
</body>`;

/** The script's first lines remove the token from the address before the browser renders the page or can send it anywhere. */
const successScript = `'use strict';
(() => {
  const token = new URLSearchParams(location.search).get('token');
  history.replaceState(null, '', location.pathname);

  const show = (id, text) => { document.getElementById(id).textContent = text; };
  const reveal = (id) => { document.getElementById(id).hidden = false; };

  const signedOut = (message) => {
    show('title', 'You are not signed in');
    show('message', message);
    reveal('signed-out');
  };

  // A token that says itself how long it is valid is a JSON Web Token (RFC 7519 §4.1).
  const lifetime = () => {
    try {
      const [, payload] = token.split('.');
      const { iat, exp } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')));
      if (typeof exp !== 'number') return 'This is your token.';
      const end = 'until ' + new Date(exp * 1000).toLocaleString();
      const minutes = Math.round((exp - iat) / 60);
      if (!(minutes > 0)) return 'Your token is valid ' + end + '.';
      const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
      return 'Your token is valid for ' + count + ' ' + unit + (count === 1 ? '' : 's') + ', ' + end + '.';
    } catch {
      return 'This is your token.';
    }
  };

  const signedIn = (user) => {
    show('title', 'You are signed in');
    show('message', '');
    show('name', user.name);
    show('email', user.email);
    show('role', user.role);
    show('user', user.id);
    show('lifetime', lifetime());
    reveal('signed-in');
    document.getElementById('copy').addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(token);
        show('copied', 'Copied.');
      } catch {
        show('copied', 'The browser does not allow it here. This is the token: ' + token);
      }
    });
  };

  const start = async () => {
    if (!token) {
      signedOut('There is no token here any more: it is shown once.');
      return;
    }
    try {
      const answer = await fetch('../api/profile', { headers: { Authorization: 'Bearer ' + token } });
      if (answer.ok) signedIn(await answer.json());
      else signedOut('The token is not valid, or not any more.');
    } catch {
      signedOut('The service does not answer. Try again later.');
    }
  };

  document.addEventListener('DOMContentLoaded', start);
})();
`;
