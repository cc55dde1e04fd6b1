/** The page at which an external sign-in ends: it removes the token from the address, and shows the signed-in user. */

import type { AssetFolder } from './assets.js';
import { html, htmlPage } from './html.js';
import type { Page } from './page.js';

export function successPage(assets: AssetFolder): Page {
  const stylesheet = assets.add('page.css');
  const script = assets.add('success.js');
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
