/** Starts GraphiQL. Queries are sent by POST; each subscription has its own WebSocket, with the token as a connection parameter. */

'use strict';
(() => {
  const url = location.pathname;

  // By the text: what GraphiQL has parsed may be the text of a moment ago.
  const isSubscription = ({ query, operationName }) => {
    const text = query.replace(/#.*/g, '');
    const names = [...text.matchAll(/(?:^|[}\s])subscription\b\s*(\w*)/g)].map(([, name]) => name);
    return operationName ? names.includes(operationName) : /(?:^|\})\s*subscription\b/.test(text);
  };

  // The name may be that of the text of a moment ago, too.
  const current = ({ operationName, ...request }) =>
    new RegExp(`\\b(?:query|mutation|subscription)\\s+${operationName}\\b`).test(request.query)
      ? { ...request, operationName }
      : request;

  const fetcher = (given, options = {}) => {
    if (given.operationName !== 'IntrospectionQuery') document.body.classList.add('has-answer');
    const request = current(given);
    const headers = options.headers ?? {};
    if (isSubscription(request)) {
      const name = Object.keys(headers).find((each) => each.toLowerCase() === 'authorization');
      return graphqlWs
        .createClient({
          url: location.href.replace(/^http/, 'ws').replace(/[?#].*$/, ''),
          connectionParams: name ? { authorization: headers[name] } : {},
          retryAttempts: 0,
        })
        .iterate(request);
    }
    return fetch(url, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(request),
    }).then((answer) => answer.json());
  };

  // The editors would indent with Tab, and never let the keyboard out again; in a list of suggestions it still chooses.
  document.addEventListener(
    'keydown',
    (event) => {
      const isInEditor = event.target.closest('.CodeMirror') !== null;
      if (event.key === 'Tab' && isInEditor && !document.querySelector('.CodeMirror-hints'))
        event.stopPropagation();
    },
    true,
  );

  const defaultQuery =
    document.body.dataset.query ??
    '# Ctrl-Enter runs\n# Token: Sign in\nquery Posts {\n  posts {\n    id\n    title\n    author {\n      name\n    }\n  }\n}\n';
  const root = ReactDOM.createRoot(document.getElementById('graphiql'));
  const render = (headers) => {
    root.render(
      React.createElement(GraphiQL, { fetcher, defaultQuery, headers, shouldPersistHeaders: false }),
    );
  };
  render();
  document.addEventListener('signed-in', ({ detail: { token } }) => {
    render(JSON.stringify({ Authorization: 'Bearer ' + token }, null, 2));
  });
})();
