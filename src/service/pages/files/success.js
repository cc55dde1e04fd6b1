/** Ends an external sign-in. The first lines remove the token from the address before the browser renders the page or can send it anywhere. */

'use strict';
(() => {
  const token = new URLSearchParams(location.search).get('token');
  history.replaceState(null, '', location.pathname);

  const show = (id, text) => {
    document.getElementById(id).textContent = text;
  };
  const reveal = (id) => {
    document.getElementById(id).hidden = false;
  };

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
    document.dispatchEvent(new CustomEvent('signed-in', { detail: { token } }));
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
