/** Handlers for the fixtures: some that compile, and some that must not, with the compiler's errors. */

/** One handler, as a file of its own. */
export interface Snippet {
  readonly what: string;
  /** The folder of the fixture's generated files. */
  readonly fixture: 'bodies' | 'responses' | 'routing' | 'schemas' | 'security' | 'uploads';
  /** TypeScript; names of types are the fixture's. */
  readonly source: string;
  /** `TS2322` and a part of its message; nothing where the snippet compiles. */
  readonly refused?: readonly [code: string, message: RegExp];
}

const handler = (id: string, parameters: string, body: string) =>
  `export const handler: Operations['${id}'] = (${parameters}) => ${body};`;

/** An answer by itself: only there does the compiler look for properties too many. */
const answer = (operation: string, value: string) => `export const answer: ${operation}Response = ${value};`;

const headers = "headers: { 'X-Total': 1, 'X-Next': '/' }";
const picked = "path: { photo, id } }: Parameters<Operations['getPhoto']>[0]";

export const snippets: readonly Snippet[] = [
  // Requests
  {
    what: 'parameters have their types, whatever the order of the template',
    fixture: 'routing',
    source: handler(
      'getPhoto',
      `{ ${picked}`,
      '{ const a: string = photo; const b: number = id; void [a, b]; return { status: 204 }; }',
    ),
  },
  {
    what: 'a parameter is not of another type',
    fixture: 'routing',
    source: handler(
      'getPhoto',
      '{ path }',
      '{ const id: string = path.id; void id; return { status: 204 }; }',
    ),
    refused: ['TS2322', /Type 'number' is not assignable to type 'string'/],
  },
  {
    what: 'an operation overrides the parameter of its path',
    fixture: 'routing',
    source: handler(
      'deletePet',
      '{ query }',
      "{ const level: 'low' | 'high' | undefined = query.verbose; void level; return { status: 204 }; }",
    ),
  },
  {
    what: 'a parameter with a default is there',
    fixture: 'routing',
    source: handler(
      'getPet',
      '{ query }',
      '{ const verbose: boolean = query.verbose; void verbose; return { status: 204 }; }',
    ),
  },
  {
    what: 'a parameter without a default may be absent',
    fixture: 'routing',
    source: handler(
      'deletePet',
      '{ query }',
      '{ const verbose: string = query.verbose; void verbose; return { status: 204 }; }',
    ),
    refused: ['TS2322', /Type 'undefined' is not assignable to type 'string'/],
  },
  {
    what: 'the content type tells the bodies apart',
    fixture: 'bodies',
    source: handler(
      'addNote',
      'request',
      `{
  const text: string =
    request.contentType === 'text/plain'
      ? request.body
      : request.contentType === 'application/vnd.note.v2+json'
        ? request.body.body
        : request.body.text;
  return { status: 200, contentType: 'text/plain', body: text };
}`,
    ),
  },
  {
    what: 'a body is not used before its content type is known',
    fixture: 'bodies',
    source: handler('addNote', '{ body }', "({ status: 200, contentType: 'text/plain', body: body.text })"),
    refused: ['TS2339', /Property 'text' does not exist on type/],
  },
  {
    what: 'an optional body may be absent',
    fixture: 'bodies',
    source: handler(
      'changeNote',
      'request',
      '{ if (request.contentType === undefined) return { status: 204 }; void request.body; return { status: 204 }; }',
    ),
  },
  {
    what: 'a file is a file, and files are a list of them',
    fixture: 'bodies',
    source: handler(
      'upload',
      '{ body }',
      '{ const names: string[] = [body.picture, ...(body.attachments ?? [])].map((file: File) => file.name); void names; return { status: 204 }; }',
    ),
  },
  {
    what: 'a file is no text',
    fixture: 'uploads',
    source: handler(
      'upload',
      '{ body }',
      '{ const text: string = body.file; void text; return { status: 200, body: new Uint8Array() }; }',
    ),
    refused: ['TS2322', /Type 'File' is not assignable to type 'string'/],
  },
  {
    what: 'a readOnly property is not in a request',
    fixture: 'schemas',
    source: handler(
      'openAccount',
      '{ body }',
      "{ const id: number = body.id; void id; return { status: 201, body: { id: 1, name: body.name, plan: 'free' } }; }",
    ),
    refused: ['TS2339', /Property 'id' does not exist/],
  },
  // Responses
  {
    what: 'a writeOnly property is not in a response, and a readOnly one is',
    fixture: 'schemas',
    source: handler(
      'openAccount',
      '{ body }',
      '({ status: 201, body: { id: 1, name: body.name, plan: body.plan } })',
    ),
  },
  {
    what: 'a writeOnly property in a response',
    fixture: 'schemas',
    source: answer('OpenAccount', "{ status: 201, body: { id: 1, name: 'a', plan: 'b', password: 'c' } }"),
    refused: ['TS2353', /'password' does not exist in type/],
  },
  {
    what: 'each media type goes with its own body',
    fixture: 'bodies',
    source: handler(
      'addNote',
      '',
      "({ status: 200, contentType: 'application/vnd.note.v2+json', body: { version: 2, body: 'a' } })",
    ),
  },
  {
    what: 'a body under the media type of another',
    fixture: 'bodies',
    source: handler(
      'addNote',
      '',
      "({ status: 200, contentType: 'application/vnd.note.v2+json', body: { text: 'a' } })",
    ),
    refused: ['TS2353', /'text' does not exist in type 'NoteV2'/],
  },
  {
    what: 'one of several bodies without its media type',
    fixture: 'bodies',
    source: handler('addNote', '', "({ status: 200, body: { text: 'a' } })"),
    refused: ['TS2322', /Property 'contentType' is missing/],
  },
  {
    what: 'one value in several media types needs none',
    fixture: 'bodies',
    source: handler('addNote', '', "({ status: 202, body: { text: 'a' } })"),
  },
  {
    what: 'the preferred media type is one that a success has, and may be answered',
    fixture: 'bodies',
    source: `export const handler: Operations['addNote'] = (_, { mediaType }) => {
  if (mediaType === 'application/json' || mediaType === 'application/hal+json')
    return { status: 202, contentType: mediaType, body: { text: 'a' } };
  const others: 'application/vnd.note.v2+json' | 'text/plain' = mediaType;
  return { status: 200, contentType: 'text/plain', body: others };
};`,
  },
  {
    what: 'a preferred media type that the status does not have',
    fixture: 'bodies',
    source: handler(
      'addNote',
      '_, { mediaType }',
      "({ status: 202, contentType: mediaType, body: { text: 'a' } })",
    ),
    refused: ['TS2322', /not assignable/],
  },
  {
    what: 'a range of media types wants one to be named',
    fixture: 'bodies',
    source: handler('getBlob', '', '({ status: 200, body: Uint8Array.of(1) })'),
    refused: ['TS2322', /Property 'contentType' is missing/],
  },
  {
    what: 'required headers are given, optional ones may be',
    fixture: 'responses',
    source: handler(
      'getJob',
      '',
      `({ status: 200, headers: { 'X-Total': 1, 'X-Next': '/', 'X-Tags': ['a'] }, body: { id: 'a' } })`,
    ),
  },
  {
    what: 'no headers where one is required',
    fixture: 'responses',
    source: handler('getJob', '', "({ status: 200, body: { id: 'a' } })"),
    refused: ['TS2322', /Property 'headers' is missing/],
  },
  {
    what: 'a required header is missing',
    fixture: 'responses',
    source: handler('getJob', '', "({ status: 200, headers: { 'X-Total': 1 }, body: { id: 'a' } })"),
    refused: ['TS2741', /Property '"X-Next"' is missing/],
  },
  {
    what: 'a header of another type',
    fixture: 'responses',
    source: handler(
      'getJob',
      '',
      "({ status: 200, headers: { 'X-Total': '1', 'X-Next': '/' }, body: { id: 'a' } })",
    ),
    refused: ['TS2322', /Type 'string' is not assignable to type 'number'/],
  },
  {
    what: 'a header that is not declared',
    fixture: 'responses',
    source: answer(
      'GetJob',
      "{ status: 200, headers: { 'X-Total': 1, 'X-Next': '/', 'X-Other': 1 }, body: { id: 'a' } }",
    ),
    refused: ['TS2353', /'X-Other'' does not exist in type/],
  },
  {
    what: 'a field of a body is missing',
    fixture: 'responses',
    source: handler('getJob', '', `({ status: 200, ${headers}, body: {} })`),
    refused: ['TS2741', /Property 'id' is missing in type '\{\}'/],
  },
  {
    what: 'a range holds the statuses that are not named, and default the rest',
    fixture: 'responses',
    source: ['202', '204', '418', '404', '500', '302']
      .map((status, i) => {
        const body = status.startsWith('20') ? "'text'" : "{ message: 'no' }";
        return handler('getJob', '', `({ status: ${status}, body: ${body} })`).replace(
          'handler',
          `handler${String(i)}`,
        );
      })
      .join('\n'),
  },
  {
    what: 'a status of a range with the body of another',
    fixture: 'responses',
    source: handler('getJob', '', "({ status: 202, body: { message: 'no' } })"),
    refused: ['TS2322', /is not assignable to type 'string'/],
  },
  {
    what: 'a status that is not declared',
    fixture: 'responses',
    source: handler('deleteJob', '', '({ status: 200 })'),
    refused: ['TS2322', /Type '200' is not assignable to type '204 \| 404 \| 409'/],
  },
  {
    what: 'a number that is no status of HTTP',
    fixture: 'responses',
    source: handler('pauseJob', '', "({ status: 999, body: { message: 'no' } })"),
    refused: ['TS2322', /Type '999' is not assignable to type/],
  },
  {
    what: 'a body where there is none',
    fixture: 'responses',
    source: handler('deleteJob', '', "({ status: 204, body: 'x' })"),
    refused: ['TS2322', /not assignable/],
  },
  // Security
  {
    what: 'the security schemes have their names',
    fixture: 'security',
    source:
      'export const names: Record<SecuritySchemeName, 1> = { bearer: 1, basic: 1, headerKey: 1, queryKey: 1, cookieKey: 1, oauth: 1, openId: 1 };',
  },
  {
    what: 'a security scheme is missing',
    fixture: 'security',
    source:
      'export const names: Record<SecuritySchemeName, 1> = { bearer: 1, basic: 1, headerKey: 1, queryKey: 1, cookieKey: 1, oauth: 1 };',
    refused: ['TS2741', /Property 'openId' is missing/],
  },
];
