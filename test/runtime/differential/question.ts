/** One request and its operation in the document, by which intended differences are judged. */
import { entries, child, follow, type Node, type OperationPlace } from '../../contract/contract-document.js';
import { compileRoutes, type Route } from '../../support/contract-routes.js';
import { type Parameter, parametersOf } from './parameters.js';
import type { PlainRequest } from './random-requests.js';

export interface Question {
  readonly document: Node;
  readonly request: PlainRequest;
  /** The operations of the request's path. */
  readonly route: Route;
  /** That of its method, `HEAD` being `GET`. */
  readonly operation: OperationPlace | undefined;
  readonly parameters: readonly Parameter[];
}

export function compileQuestions(document: Node): (request: PlainRequest) => Question {
  const routeOf = compileRoutes(document);
  return (request) => {
    const route = routeOf(request.path);
    const operation = route.get(request.method === 'HEAD' ? 'GET' : request.method);
    const parameters = operation === undefined ? [] : parametersOf(document, operation);
    return { document, request, route, operation, parameters };
  };
}

/** The pieces of a query, each with its decoded name. */
export function queryPairs(
  query: string,
): readonly { readonly name: string; readonly text: string; readonly piece: string }[] {
  return query
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [name = '', ...rest] = piece.split('=');
      return { name: decodedOr(name, name), text: rest.join('='), piece };
    });
}

/** The texts that a request gives its parameters, as they came. */
export function textsOf(
  { request, operation, parameters }: Question,
  parameter: Parameter,
): readonly string[] {
  switch (parameter.in) {
    case 'query':
      return queryPairs(request.query)
        .filter(({ name }) => name === parameter.name)
        .map(({ text }) => text);
    case 'header':
      return [request.headers[parameter.name.toLowerCase()]].filter((text) => text !== undefined);
    case 'cookie':
      return (request.headers['cookie'] ?? '')
        .split('; ')
        .filter((piece) => piece.startsWith(`${parameter.name}=`))
        .map((piece) => piece.slice(parameter.name.length + 1));
    default: {
      if (operation === undefined || !parameters.includes(parameter)) return [];
      const source = operation.path
        .split(/(\{[^}]+\})/)
        .map((piece) =>
          piece === `{${parameter.name}}`
            ? '([^/]+)'
            : piece.startsWith('{')
              ? '[^/]+'
              : piece.replaceAll('.', '\\.'),
        )
        .join('');
      return [new RegExp(`^${source}$`).exec(request.path)?.[1]].filter((text) => text !== undefined);
    }
  }
}

/** The media types of the request body that the operation takes, with their Media Type Objects. */
export function mediaTypesOf({ document, operation }: Question): ReturnType<typeof entries> {
  if (operation === undefined) return [];
  const { operation: value, pointer } = operation;
  return entries(child(follow(document, child({ value, pointer }, 'requestBody')), 'content'));
}

/** The text without its percent-encoding, or something else where that is malformed. */
export function decodedOr<Other>(text: string, other: Other): string | Other {
  try {
    return decodeURIComponent(text);
  } catch {
    return other;
  }
}
