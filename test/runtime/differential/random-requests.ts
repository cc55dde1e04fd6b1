/** Random requests to a contract: near enough to it that most are understood, and far enough that many are refused. */
import fc from 'fast-check';
import {
  child,
  entries,
  follow,
  type Node,
  type OperationPlace,
  operationsOf,
} from '../../contract/contract-document.js';
import { type Parameter, parametersOf } from './parameters.js';
import { mostly, valuesOf } from './schema-values.js';

/** A request as text. */
export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export function randomRequests(document: Node): fc.Arbitrary<PlainRequest> {
  const operations = operationsOf(document);
  return fc.constantFrom(...operations).chain((operation) => requestsTo(document, operation));
}

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

function requestsTo(document: Node, operation: OperationPlace): fc.Arbitrary<PlainRequest> {
  const parameters = parametersOf(document, operation);
  const at = (location: string): readonly Parameter[] => parameters.filter((each) => each.in === location);
  return fc
    .record({
      method: mostly(20, fc.constant(operation.method.toUpperCase()), fc.constantFrom(...METHODS)),
      path: pathsOf(document, operation.path, at('path')),
      query: queriesOf(document, at('query')),
      headers: headersOf(document, at('header')),
      cookie: cookiesOf(document, at('cookie')),
      content: bodiesOf(document, operation),
    })
    .map(({ headers, cookie, content, ...request }) => ({
      ...request,
      headers: { ...headers, ...(cookie !== '' && { cookie }), ...content.headers },
      body: content.body,
    }));
}

/** Texts that no schema has in mind. */
const ODD = [
  '',
  '%20',
  '0x10',
  '+5',
  '05',
  '.5',
  '5.',
  '1e2',
  '1e999',
  '-0',
  'NaN',
  'TRUE',
  'a,b',
  '1,2',
  '.1.2',
  '9007199254740993',
  '%',
  '%ff',
  '%zz',
  '%00',
  '%2F',
  '%2C',
  'null',
  'undefined',
  '[1]',
  '{}',
];

/** A text for a value, as a client would write it, or an odd one. */
function textsOf(document: Node, { declared, schema }: Parameter): fc.Arbitrary<string> {
  const isLabel = child(declared, 'style').value === 'label';
  const texts = valuesOf(document, schema).map((value) =>
    isLabel ? `.${textOf(value, '.')}` : textOf(value),
  );
  return mostly(12, texts, fc.constantFrom(...ODD));
}

function textOf(value: unknown, delimiter = ','): string {
  if (Array.isArray(value)) return value.map((item) => textOf(item)).join(delimiter);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Lone surrogates have no encoding.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
}

function pathsOf(document: Node, template: string, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const pieces = template.split(/(\{[^}]+\})/).map((piece) => {
    const parameter = parameters.find(({ name }) => piece === `{${name}}`);
    if (parameter === undefined) return fc.constant(piece);
    return mostly(15, textsOf(document, parameter), fc.constantFrom('mine', 'current', 'last', 'one'));
  });
  const usual = fc.tuple(...pieces).map((texts) => texts.join(''));
  const change = fc.constantFrom(
    (path: string) => `${path}/`,
    (path: string) => `/${path}`,
    (path: string) => `${path}/x`,
    (path: string) => path.toUpperCase(),
    (path: string) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    (path: string) => path.slice(0, path.lastIndexOf('/')),
  );
  return mostly(
    8,
    usual,
    fc.tuple(usual, change).map(([path, apply]) => apply(path)),
  );
}

function queriesOf(document: Node, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const pairs = parameters.map((parameter) => {
    const { name } = parameter;
    const text = textsOf(document, parameter);
    const pair = fc.oneof(
      { weight: 20, arbitrary: text.map((each) => `${name}=${each}`) },
      { weight: 2, arbitrary: fc.tuple(text, text).map(([a, b]) => `${name}=${a}&${name}=${b}`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('min', 'name', 'x'), text)
          .map(([member, each]) => `${name}[${member}]=${each}`),
      },
      { weight: 1, arbitrary: fc.constant(name) },
      { weight: 1, arbitrary: fc.constant(`${name}=1&${name}=2`) },
    );
    return fc.option(pair, { nil: '', freq: 2 });
  });
  const stranger = fc.constantFrom('x=1', 'PAGE=2', 'constructor=1', 'x[]=1', '=');
  return fc
    .tuple(fc.tuple(...pairs), mostly(12, fc.constant(''), stranger))
    .map(([known, other]) => [...known, other].filter((text) => text !== '').join('&'));
}

function headersOf(document: Node, parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  const named = parameters.map((parameter) =>
    fc.option(
      textsOf(document, parameter).map((text): [string, string] => [
        parameter.name.toLowerCase(),
        visible(text),
      ]),
      { nil: undefined, freq: 6 },
    ),
  );
  return fc
    .tuple(...named)
    .map((headers) => Object.fromEntries(headers.filter((header) => header !== undefined)));
}

function cookiesOf(document: Node, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const named = parameters.map((parameter) =>
    fc.option(
      textsOf(document, parameter).map((text) => `${parameter.name}=${text.replaceAll(/[;\s]/g, '')}`),
      { nil: '', freq: 4 },
    ),
  );
  return fc.tuple(...named).map((cookies) => cookies.filter((cookie) => cookie !== '').join('; '));
}

/** What a header can hold, and a server does not trim. */
function visible(text: string): string {
  return decodeURIComponent(
    text.replaceAll(/%(?![0-9A-Fa-f]{2})|%[89A-Fa-f][0-9A-Fa-f]|%[01][0-9A-Fa-f]|%7[fF]/g, ''),
  ).trim();
}

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const NO_CONTENT: Content = { headers: {}, body: undefined };

function bodiesOf(document: Node, { operation, pointer }: OperationPlace): fc.Arbitrary<Content> {
  const declared = follow(document, child({ value: operation, pointer }, 'requestBody'));
  const content = entries(child(declared, 'content'));
  if (content.length === 0)
    return mostly(30, fc.constant(NO_CONTENT), fc.constant(contentOf('application/json', '{')));
  const bodies = content.map(([mediaType, media]) => {
    const values = valuesOf(document, child(media, 'schema'));
    const text = values.map((value) =>
      mediaType.startsWith('text/') && typeof value === 'string' ? value : JSON.stringify(value),
    );
    const odd = fc.oneof(
      text.map((each) => each.slice(0, -1)),
      fc.constantFrom(
        '',
        ' ',
        '{',
        '[]',
        'null',
        '0',
        '""',
        '"x"',
        'true',
        '{"__proto__":1}',
        '{"a":1}{}',
        'nonsense',
      ),
    );
    const types = mostly(
      15,
      fc.constantFrom(mediaType, mediaType.toUpperCase(), `${mediaType}; charset=utf-8`),
      fc.constantFrom(
        '',
        'text/html',
        'application/x-www-form-urlencoded',
        'application/jsonx',
        `${mediaType}; charset=utf-16`,
      ),
    );
    return fc.tuple(types, mostly(12, text, odd)).map(([type, body]) => contentOf(type, body));
  });
  return mostly(25, fc.oneof(...bodies), fc.constantFrom(NO_CONTENT, contentOf('application/json', '')));
}

function contentOf(type: string, body: string): Content {
  const length = String(Buffer.byteLength(body));
  return { headers: { ...(type !== '' && { 'content-type': type }), 'content-length': length }, body };
}
