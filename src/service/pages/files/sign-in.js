/**
 * Signs in on a page, and hands the token over to the pages that are opened from it. The token is in the memory of the page. It gets the
 * event `signed-in`, and so does the page when another one hands a token over.
 */

'use strict';
(() => {
  const form = document.getElementById('sign-in');
  let token;

  const say = (text) => {
    const place = document.getElementById('signed-in-as');
    if (place !== null) place.textContent = text;
  };

  const begin = async (email, password) => {
    try {
      const answer = await fetch('api/auth/login?tokens=single', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      const body = await answer.json();
      if (!answer.ok) return say(body.error);
      signedIn(body.token);
      say('Signed in as ' + body.user.email + '. The pages that you open from here are signed in, too.');
    } catch {
      say('The service does not answer. Try again later.');
    }
  };

  const signedIn = (given) => {
    document.dispatchEvent(new CustomEvent('signed-in', { detail: { token: given } }));
    say('Signed in.');
  };

  document.addEventListener('signed-in', ({ detail }) => {
    token = detail.token;
    if (form === null) return;
    form.hidden = true;
    document.getElementById('copy-token').hidden = false;
  });

  if (form !== null) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void begin(form.elements.email.value, form.elements.password.value);
    });
    const demo = form.querySelector('[data-email]');
    demo?.addEventListener('click', () => begin(demo.dataset.email, demo.dataset.password));
  }

  const copy = async (button, text) => {
    const name = button.textContent;
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = isDone ? 'Copied' : 'Not allowed here';
    setTimeout(() => (button.textContent = name), 2000);
  };
  const tokenButton = document.getElementById('copy-token');
  tokenButton?.addEventListener('click', () => copy(tokenButton, token));
  for (const button of document.querySelectorAll('[data-copy]')) {
    const source = document.getElementById(button.dataset.copy);
    button.addEventListener('click', () => copy(button, source.textContent));
  }

  // A page that is opened from here, and only that page, may ask for the token.
  const opened = new Set();
  for (const link of document.querySelectorAll('a[data-hand-over]')) {
    link.addEventListener('click', (event) => {
      if (token === undefined) return;
      event.preventDefault();
      opened.add(window.open(link.href));
    });
  }
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || source === null) return;
    if (data === 'ready' && opened.delete(source)) source.postMessage({ token }, origin);
    else if (source === window.opener && typeof data?.token === 'string') signedIn(data.token);
  });
  window.opener?.postMessage('ready', location.origin);
})();
