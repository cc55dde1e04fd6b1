/**
 * Where the generated code and openapi-backend are meant to differ, and why. A rewrite is the request that
 * openapi-backend has to be sent to mean what we mean; a rule is our opinion where no request brings it there.
 */
import { child } from '../../contract/contract-document.js';
import type { Opinion } from './opinions.js';
import { decodedOr, mediaTypesOf, type Question, queryPairs, textsOf } from './question.js';
import type { PlainRequest } from './random-requests.js';

export interface Difference {
  readonly name: string;
  /** The specification or decision that we follow. */
  readonly why: string;
  readonly rewrite?: (question: Question) => PlainRequest;
  /** @returns undefined where the rule says nothing; `accepts` is whether openapi-backend does */
  readonly rule?: (question: Question, accepts: boolean) => Partial<Opinion> | undefined;
}

export const REFUSED = { isAccepted: false };

/** Drops the pieces of a query that a test picks. */
export function withoutPairs(
  { request }: Question,
  isDropped: (pair: ReturnType<typeof queryPairs>[number]) => boolean,
): PlainRequest {
  const kept = queryPairs(request.query).filter((pair) => !isDropped(pair));
  return { ...request, query: kept.map(({ piece }) => piece).join('&') };
}

/** In every contract. */
export const commonDifferences: readonly Difference[] = [
  {
    name: 'HEAD is served by GET',
    why: 'RFC 9110 §9.3.2: HEAD works wherever GET does',
    rewrite: ({ request }) => (request.method === 'HEAD' ? { ...request, method: 'GET' } : request),
  },
  {
    name: 'OPTIONS is answered for every path',
    why: 'RFC 9110 §9.3.7: OPTIONS answers with Allow',
    rule: ({ request, route }) =>
      request.method === 'OPTIONS' && route.size > 0 ? { route: 204 } : undefined,
  },
  {
    name: 'percent-encoded text is the text',
    why: 'RFC 3986 §6.2.2.2: %61 is a',
    rewrite: ({ request }) => ({
      ...request,
      path: request.path.replaceAll(/%([46][1-9A-F]|[57][0-9A]|3[0-9]|2D|2E|5F|7E)/gi, (encoded) =>
        decodeURIComponent(encoded),
      ),
    }),
  },
  {
    name: 'the domain of an email may be a single name',
    why: 'RFC 5321 §2.3.5 and §4.1.2, which `format: email` means (JSON Schema, Validation §7.3.2)',
    rewrite: ({ request }) => ({
      ...request,
      query: request.query.replaceAll('%40localhost', '%40example.com'),
      body: request.body?.replaceAll('@localhost"', '@example.com"'),
    }),
  },
  {
    name: 'a concrete path that lacks the method is a 405',
    why: 'OpenAPI "Path Templating Matching": concrete paths are matched before their templated counterparts, and then have their own methods',
    rule: ({ request, route, operation }) => {
      const [first] = route.values();
      const isConcrete = first !== undefined && !first.path.includes('{');
      return isConcrete && operation === undefined && request.method !== 'OPTIONS'
        ? { route: 405, ...REFUSED }
        : undefined;
    },
  },
  {
    name: 'unknown query parameters are ignored',
    why: 'the contract says so',
    rewrite: (question) =>
      withoutPairs(question, ({ name }) => {
        const [base = ''] = name.split('[');
        return !question.parameters.some((parameter) => {
          const isDeep = child(parameter.declared, 'style').value === 'deepObject';
          return parameter.in === 'query' && parameter.name === (isDeep ? base : name);
        });
      }),
  },
  {
    name: 'lenient parameters never fail',
    why: 'x-lenient of page and limit in the contract',
    rewrite: (question) =>
      withoutPairs(question, ({ name }) =>
        question.parameters.some(
          (parameter) =>
            parameter.name === name && child(parameter.declared, 'x-lenient').value !== undefined,
        ),
      ),
  },
  {
    name: 'malformed percent-encoding is a 400',
    why: 'RFC 3986 §2.1: a % is followed by two digits, and the bytes are UTF-8 (§2.5)',
    rule: (question) =>
      question.parameters.some(
        (parameter) =>
          parameter.in !== 'header' &&
          child(parameter.declared, 'x-lenient').value === undefined &&
          textsOf(question, parameter).some((text) => decodedOr(text, undefined) === undefined),
      )
        ? REFUSED
        : undefined,
  },
  {
    name: 'bodies of other media types are a 415',
    why: 'RFC 9110 §15.5.16: the Content-Type counts, not what the bytes look like',
    rule: (question) => {
      const declared = mediaTypesOf(question).map(([mediaType]) => mediaType);
      const { body, headers } = question.request;
      if (declared.length === 0 || body === undefined) return undefined;
      const [essence = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(/\s*;\s*/);
      const isText = parameters.every((parameter) => parameter === 'charset=utf-8');
      return declared.includes(essence) && isText ? undefined : REFUSED;
    },
  },
  {
    name: 'an empty body is none',
    why: 'RFC 9112 §6: Content-Length: 0 says that there is no content, and a body may be left out unless it is required',
    rewrite: ({ request }) => (request.body === '' ? { ...request, body: undefined } : request),
  },
  {
    name: 'multiples are exact',
    why: 'JSON Schema, Validation §6.2.1; openapi-backend needs a precision for 0.01, and within it takes 1e-9 for 0',
    rule: (question) => {
      const isTiny = /"(?:price|unitPrice|size)":-?[\d.]+e-/.test(question.request.body ?? '');
      return isTiny && mediaTypesOf(question).length > 0 ? REFUSED : undefined;
    },
  },
  {
    name: 'times have a T between date and time',
    why: 'RFC 3339 §5.6, which JSON Schema names for date-time (Validation §7.3.1)',
    rule: (question) => {
      const texts = question.parameters.flatMap((parameter) =>
        child(parameter.schema, 'format').value === 'date-time' ? textsOf(question, parameter) : [],
      );
      const values = [
        ...texts.map((text) => decodedOr(text.replaceAll('+', ' '), '')),
        question.request.body ?? '',
      ];
      return values.some((value) => /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(value)) ? REFUSED : undefined;
    },
  },
];
