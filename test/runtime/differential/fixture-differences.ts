/** The intended differences that only the fixture asks for: mostly what openapi-backend does not read of parameters. */
import { child } from '../../contract/contract-document.js';
import { SchemaChecks } from '../../support/schema-checks.js';
import { type Difference, REFUSED, withoutPairs } from './intended-differences.js';
import { decodedOr, mediaTypesOf, queryPairs, textsOf } from './question.js';

const JSON_INTEGER = /^-?(?:0|[1-9]\d*)$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isExact(text: string, type: unknown): boolean {
  return type === 'integer' ? Number.isSafeInteger(Number(text)) : Number.isFinite(Number(text));
}

export const fixtureDifferences: readonly Difference[] = [
  {
    name: 'what two templates fit is decided segment by segment',
    why: 'OpenAPI "Path Templating Matching" leaves it to the tool; the earlier concrete segment wins here',
    rule: ({ request }) =>
      request.path === '/pick/one/last' && request.method === 'GET' ? { route: 'pickFirst' } : undefined,
  },
  {
    name: 'the parameter of an operation wins over that of its path',
    why: 'OpenAPI, Operation Object: parameters override those of the Path Item',
    rewrite: (question) => {
      if (question.operation?.operation['operationId'] !== 'getThing') return question.request;
      const pairs = queryPairs(question.request.query).map(({ name, text, piece }) =>
        name === 'verbose' ? `verbose=${/^(true|false)$/.test(text) ? 'yes' : 'no'}` : piece,
      );
      return { ...question.request, query: pairs.join('&') };
    },
  },
  {
    name: 'numbers are written as in JSON, and exact',
    why: 'JSON Schema knows the numbers of RFC 8259 §6; no 0x10, +5, blank or 05, and no integer that is rounded to another',
    rule: (question) =>
      question.parameters.some((parameter) => {
        if (child(parameter.declared, 'x-lenient').value !== undefined) return false;
        const isArray = child(parameter.schema, 'type').value === 'array';
        const type = child(isArray ? child(parameter.schema, 'items') : parameter.schema, 'type').value;
        const pattern = type === 'integer' ? JSON_INTEGER : type === 'number' ? JSON_NUMBER : undefined;
        const texts = textsOf(question, parameter).flatMap((text) => (isArray ? text.split(',') : [text]));
        return (
          pattern !== undefined &&
          texts
            .map((text) => decodedOr(parameter.in === 'query' ? text.replaceAll('+', ' ') : text, text))
            .some((text) => !pattern.test(text) || !isExact(text, type))
        );
      })
        ? REFUSED
        : undefined,
  },
  {
    name: 'arrays in headers are lists',
    why: 'OpenAPI "Style Values": simple, comma-separated, in headers as in paths',
    rewrite: ({ request }) => {
      const { 'x-tags': tags, ...headers } = request.headers;
      const isList = tags !== undefined && (tags === '' || tags.split(',').every((tag) => tag.trim() !== ''));
      return isList ? { ...request, headers } : request;
    },
  },
  {
    name: 'arrays in paths may have labels',
    why: 'OpenAPI "Style Values": label',
    rule: (question) => {
      if (question.operation?.operation['operationId'] !== 'getLabels') return undefined;
      const [text = ''] = question.parameters.flatMap((parameter) => textsOf(question, parameter));
      const [, list] = /^\.(.*)$/.exec(text) ?? [];
      const integers = list?.split(list.includes(',') ? ',' : '.');
      const areAll = integers?.every((each) => JSON_INTEGER.test(each) && isExact(each, 'integer'));
      return { isAccepted: list === '' || areAll === true };
    },
  },
  {
    name: 'an empty text is the empty array',
    why: 'OpenAPI "Style Examples", column "empty"',
    rewrite: (question) => {
      const [first, ...more] = queryPairs(question.request.query).filter(({ name }) => name === 'ids');
      return withoutPairs(question, (pair) => pair.name === 'ids' && first?.text === '' && more.length === 0);
    },
  },
  {
    name: 'an array that is not exploded is given once',
    why: 'OpenAPI, Parameter Object: explode=false is one name with all values; given twice is a 400',
    rule: ({ request, operation }) => {
      const isAsked = operation?.operation['operationId'] === 'getLists';
      return isAsked && queryPairs(request.query).filter(({ name }) => name === 'ids').length > 1
        ? REFUSED
        : undefined;
    },
  },
  {
    name: 'bodies are checked in every media type of the contract',
    why: 'OpenAPI, Request Body Object: content has a schema for each media type',
    rule: (question, accepts) => {
      if (question.operation?.operation['operationId'] !== 'putNote') return undefined;
      const { body, headers } = question.request;
      if (body === undefined) return REFUSED;
      const [essence = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
      const media = mediaTypesOf(question).find(([mediaType]) => mediaType === essence)?.[1];
      if (media === undefined) return undefined;
      const value = essence === 'text/plain' ? { text: body } : parsed(body);
      if (value === undefined) return REFUSED;
      const problems = new SchemaChecks(question.document).problems(
        value.text,
        child(media, 'schema'),
        'body',
      );
      return { isAccepted: accepts && problems.length === 0 };
    },
  },
];

function parsed(text: string): { readonly text: unknown } | undefined {
  try {
    return { text: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
