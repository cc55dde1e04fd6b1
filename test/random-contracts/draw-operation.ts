/**
 * Draws operations. The weights are those of the documents that `draw-schema.ts` names: 3,600 parameters, of which 45 % are in the query,
 * 30 % in the path and 1 % in headers, 350 styles or `explode`s, of ten bodies nine are JSON, statuses 200, 401, 404, 403, 400, 429 and 204.
 */

import type { SchemaDrawer, SchemaObject } from './draw-schema.js';

export type Operation = Readonly<Record<string, unknown>>;

const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

const OTHER_TYPES = [
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', 'application/octet-stream'],
  ...[
    'application/xml',
    'application/problem+json',
    'application/vnd.a.v1+json',
    'image/png',
    '*/*',
    'text/*',
    'application/*',
  ],
  ...[
    'application/json; charset=utf-8',
    'text/csv',
    'application/jsonl',
    'application/json-seq',
    'text/event-stream',
  ],
];
const SEQUENTIAL = ['application/jsonl', 'application/x-ndjson', 'application/json-seq', 'text/event-stream'];

export class OperationDrawer {
  readonly #ids = new Set<string>();

  constructor(
    private readonly schemas: SchemaDrawer,
    private readonly securitySchemes: readonly string[],
    /** The names of component responses and parameters. */
    private readonly shared: Readonly<Record<'responses' | 'parameters', readonly string[]>>,
  ) {}

  operation(method: string, pathNames: readonly string[], record?: SchemaObject): Operation {
    const { schemas, securitySchemes } = this;
    const { random, names } = schemas;
    const taken = new Set<string>();
    const parameters = [
      ...pathNames.map((name) => this.parameter('path', name)),
      ...Array.from({ length: random.chance(0.5) ? 0 : random.size(30) }, () => {
        const place = random.pick(['query', ...Array<string>(14).fill('query'), 'header', 'cookie']);
        return this.parameter(place, names.draw(taken, place === 'query' ? undefined : isToken));
      }),
      ...(this.shared.parameters.length > 0 && random.chance(0.1)
        ? [{ $ref: `#/components/parameters/${String(random.pick(this.shared.parameters))}` }]
        : []),
    ];
    return {
      ...(random.chance(0.85) && { operationId: names.draw(this.#ids) }),
      ...(random.chance(0.5) && { tags: [names.any()] }),
      ...(random.chance(0.5) && { summary: random.text(60) }),
      ...(random.chance(0.04) && { deprecated: true }),
      ...(parameters.length > 0 && { parameters }),
      ...(/^(?:post|put|patch)$/.test(method) && random.chance(0.9) && { requestBody: this.body(record) }),
      responses: this.responses(method, record),
      ...(securitySchemes.length > 0 && random.chance(0.3) && { security: this.#security() }),
      ...(random.chance(0.02) && { servers: [{ url: '/other' }] }),
      ...(random.chance(0.03) && {
        callbacks: { [names.any()]: { '{$request.body#/url}': { post: this.operation('get', []) } } },
      }),
      ...(random.chance(0.03) && { 'x-b': random.text(20) }),
    };
  }

  #security(): readonly object[] {
    const { random } = this.schemas;
    const one = (): object => ({ [random.pick(this.securitySchemes) ?? '']: [] });
    return random.pick([[], [{}], [one()], [one(), {}], [one(), one()], [{ ...one(), ...one() }]]);
  }

  parameter(place: string, name: string): Readonly<Record<string, unknown>> {
    const { random, version } = this.schemas;
    const isStyled = random.chance(0.15);
    const style = isStyled ? random.pick(STYLES[place] ?? []) : undefined;
    const isObject = style === 'deepObject' || (isStyled && random.chance(0.3));
    const flat = (): SchemaObject => this.schemas.scalar();
    const schema = isObject
      ? { type: 'object', properties: { a: flat(), b: flat() } }
      : style === 'spaceDelimited' || style === 'pipeDelimited' || random.chance(0.1)
        ? { type: 'array', items: { type: random.pick(['string', 'integer']) } }
        : flat();
    const described = {
      name,
      in: place,
      ...((place === 'path' || random.chance(0.2)) && { required: true }),
      ...(random.chance(0.4) && { description: random.text(40) }),
      ...(random.chance(0.02) && { deprecated: true }),
    };
    if (random.chance(0.02))
      return { ...described, content: { 'application/json': { schema: this.schemas.any(-1, 1) } } };
    const noNulls = place === 'path' && Object.keys(schema).length === 0 ? { type: 'string' } : schema;
    return {
      ...described,
      schema: version === '3.0' ? noNulls : { ...noNulls, ...(random.chance(0.05) && { title: name }) },
      ...(style !== undefined && { style }),
      ...(isStyled && {
        explode: style === 'deepObject' || (!/Delimited/.test(String(style)) && random.chance(0.5)),
      }),
    };
  }

  body(record?: SchemaObject): object {
    const { random } = this.schemas;
    return {
      ...(random.chance(0.7) && { required: true }),
      content: this.content(record, random.chance(0.1)),
    };
  }

  /** @param isOther - whether it has a media type beside JSON, or in place of it */
  content(record: SchemaObject | undefined, isOther: boolean): Readonly<Record<string, unknown>> {
    const { random } = this.schemas;
    const json = { 'application/json': { schema: record ?? this.schemas.member(-1, 2) } };
    if (!isOther) return json;
    const type = random.pick(OTHER_TYPES) ?? '';
    return { ...(random.chance(0.5) && json), [type]: this.media(type) };
  }

  media(type: string): object {
    const { schemas } = this;
    const { random, version } = schemas;
    if (SEQUENTIAL.includes(type) && version === '3.2') return { itemSchema: schemas.object(-1, 1) };
    if (SEQUENTIAL.includes(type) || /^text|octet|image/.test(type))
      return random.chance(0.5) ? {} : { schema: { type: 'string' } };
    if (/form/.test(type)) {
      const file = version === '3.0' ? { type: 'string', format: 'binary' } : {};
      const fields = { a: schemas.scalar(), b: { type: 'array', items: { type: 'string' } } };
      return {
        schema: { type: 'object', properties: { ...fields, ...(type.startsWith('multi') && { file }) } },
      };
    }
    return random.chance(0.2) ? {} : { schema: schemas.object(-1, 2) };
  }

  responses(method: string, record?: SchemaObject): Readonly<Record<string, unknown>> {
    const { random } = this.schemas;
    const success =
      method === 'delete'
        ? '204'
        : random.pick(['200', '200', '200', '200', '201', '202', '204', '2XX', 'default']);
    const failures = ['401', '404', '403', '400', '429', '500', '4XX', '5XX', 'default', '304', '409', '422'];
    const others = Array.from({ length: random.whole(0, 3) }, () => random.pick(failures) ?? '404');
    const isEmpty = (status: string): boolean => ['204', '304'].includes(status) || random.chance(0.3);
    return {
      [success]: this.response(success === '204', record),
      ...Object.fromEntries(
        others
          .filter((status) => status !== success)
          .map((status) => [
            status,
            this.shared.responses.length > 0 && status !== '304' && random.chance(0.3)
              ? { $ref: `#/components/responses/${String(random.pick(this.shared.responses))}` }
              : this.response(isEmpty(status)),
          ]),
      ),
    };
  }

  response(isEmpty: boolean, record?: SchemaObject): object {
    const { random, names } = this.schemas;
    const taken = new Set<string>();
    const headers = Array.from({ length: random.chance(0.9) ? 0 : random.size(5) }, () => {
      const name = names.draw(taken, isToken);
      return [
        `x-${name}`,
        { schema: this.schemas.scalar(), ...(random.chance(0.2) && { required: true }) },
      ] as const;
    });
    return {
      description: random.text(40),
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      ...(!isEmpty && { content: this.content(record, random.chance(0.07)) }),
      ...(this.#ids.size > 0 &&
        random.chance(0.03) && { links: { [names.any()]: { operationId: [...this.#ids][0] } } }),
    };
  }
}

/** The names of headers and cookies (RFC 9110, section 5.6.2). */
export const isToken = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
