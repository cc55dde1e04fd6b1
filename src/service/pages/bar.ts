/** What all pages share: the header with the links between them, and the form that signs in. */

import { type Html, html } from './html.js';
import type { DemoSignIn } from '@concordat/core';

/** The facts about the service that pages show. */
export interface SiteFacts {
  /** Of the service. */
  readonly version: string;
  /** The address that browsers use, without a trailing slash; by default, that of the request's `Host`. */
  readonly publicUrl?: string | undefined;
  /** Demo users with public passwords. */
  readonly demoSignIns?: readonly DemoSignIn[];
  /** Whether people can sign in with an identity provider. */
  readonly hasExternalSignIn?: boolean;
  readonly hasConsole?: boolean;
}

/** The styles of every page, before its own. */
export const SHARED_STYLES = ['theme.css', 'bar.css'] as const;

/**
 * @param current - the path of the page
 *
 * @param root - the relative path from the page to the first one
 *
 * @param beside - shown at the end
 */
export function barOf({ hasConsole }: SiteFacts, current: string, root = './', beside?: Html): Html {
  const pages = [
    ['docs', html`API<span class="wide"> reference</span>`],
    ['graphql', 'GraphiQL'],
    ...(hasConsole === true ? [['console', 'Console'] as const] : []),
  ] as const;
  return html`<header class="bar">
    <nav aria-label="Concordat">
      <a class="brand" href="${root}">Concordat</a>
      ${pages.map(([path, name]) => {
        const mark = path === current ? html` aria-current="page"` : undefined;
        return html`<a href="${root}${path}" data-hand-over${mark}>${name}</a> `;
      })}
    </nav>
    ${beside}
  </header>`;
}

/** Works with `sign-in.js`. */
export function signInForm({ demoSignIns = [], hasExternalSignIn }: SiteFacts): Html {
  const [demo] = demoSignIns;
  return html`<form id="sign-in" class="fields" aria-label="Sign in" hidden>
      <label><span>Email</span><input name="email" type="email" autocomplete="username" required /></label>
      <label
        ><span>Password</span><input name="password" type="password" autocomplete="current-password" required
      /></label>
      <button>Sign in</button>
      ${
        demo &&
        html`<button type="button" class="plain" data-email="${demo.email}" data-password="${demo.password}">
          Use the demo sign-in
        </button> `
      }
      ${hasExternalSignIn === true ? html`<a href="api/auth/idp">Sign in with the identity provider</a>` : undefined}
    </form>
    <p id="signed-in-as" role="status"></p>
    <button id="copy-token" type="button" class="plain" hidden>Copy the token</button>`;
}
