/** Shows a text of this service to people: the path after `#`. Paths of the service in it become links. */

'use strict';
(() => {
  const byId = (id) => document.getElementById(id);

  const show = async () => {
    const path = decodeURI(location.hash.slice(1));
    const base = new URL('.', location.href);
    const url = new URL(path.replace(/^\//, ''), base);
    byId('text').textContent = '';
    byId('next').hidden = true;
    // Only this service is read, whatever an address that was sent says.
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) {
      byId('title').textContent = 'This is no address of the service';
      return;
    }
    byId('title').textContent = path;
    document.title = path + ' – Concordat';
    byId('raw').href = url.href;
    try {
      const answer = await fetch(url, { headers: { Accept: 'application/json, */*;q=0.8' } });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get('content-type') ?? '');
      const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
      byId('text').append(...linked(shown));
      const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '');
      byId('next').hidden = next === null;
      if (next !== null) byId('next').href = '#' + encodeURI(next[1]);
    } catch {
      byId('text').textContent = 'The service does not answer. Try again later.';
    }
  };

  const linked = (text) =>
    text.split(/("\/api\/[^"]*")/).map((part) => {
      if (!part.startsWith('"/api/')) return part;
      const link = document.createElement('a');
      link.href = '#' + part.slice(1, -1);
      link.textContent = part;
      return link;
    });

  addEventListener('hashchange', () => void show());
  void show();
})();
