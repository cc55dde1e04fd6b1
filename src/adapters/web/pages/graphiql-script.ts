/** What the GraphiQL page does in the browser. */

/** Queries go by POST; subscriptions come as server-sent events, which take the same headers and any proxy. */
export const graphiqlScript = `'use strict';
(() => {
  const url = location.pathname;

  const fetcher = (request, options = {}) => {
    const headers = options.headers ?? {};
    const document = options.documentAST;
    const operation = document?.definitions.find(
      (definition) =>
        definition.kind === 'OperationDefinition' &&
        (!request.operationName || definition.name?.value === request.operationName),
    );
    if (operation?.operation === 'subscription') {
      return graphqlSse.createClient({ url, headers, retryAttempts: 0 }).iterate(request);
    }
    return fetch(url, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(request),
    }).then((answer) => answer.json());
  };

  const defaultQuery = '# Ask for what you want, and press Ctrl-Enter.\\n{\\n  posts {\\n    id\\n    title\\n    author {\\n      name\\n    }\\n  }\\n}\\n';
  const element = React.createElement(GraphiQL, { fetcher, defaultQuery, shouldPersistHeaders: false });
  ReactDOM.createRoot(document.getElementById('graphiql')).render(element);
})();
`;
