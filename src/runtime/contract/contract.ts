/**
 * The shape of a generated REST contract: the data that `generated/routing.ts` holds, and that engines and clients run. A generated
 * contract that drifts from this file does not compile where it is passed to them, because the compiler compares the two.
 */

/** An HTTP method that has a field in a Path Item, or any other that `additionalOperations` names (OpenAPI 3.2). */
export type Method =
  | ('GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE' | 'QUERY')
  | (string & Record<never, never>);

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A handler without types: the compiler knows neither its request nor its answer. */
export type UntypedHandler = (request: never, context: never) => unknown;

/** The shape of the generated type `Operations`: one signature per operation. */
export type Signatures<Handlers> = Readonly<Record<keyof Handlers, UntypedHandler>>;

/**
 * A whole contract: its operations, its path tree and its security schemes.
 *
 * `Handlers` is the generated type `Operations`: with it, `restEngine` knows each operation's request and answers.
 */
export interface RestContract<
  Id extends string = string,
  Scheme extends string = string,
  Handlers extends Signatures<Handlers> = Readonly<Record<Id, UntypedHandler>>,
> {
  /** For the compiler only: it is always absent at run time. */
  readonly handlers?: Handlers;
  /** By operationId. */
  readonly operations: Readonly<Record<Id, OperationContract>>;
  /** The root of the path tree; the empty path `/` is the root's `literals['']`. */
  readonly paths: PathNode;
  /** By the scheme's name in security requirements. */
  readonly securitySchemes: Readonly<Record<Scheme, SecurityScheme>>;
  /** The `xml.name` of each component schema that has one, by schema. */
  readonly xmlNames: Readonly<Record<string, string>>;
  /** The document's own `x-` fields. */
  readonly extensions?: Readonly<Record<string, Json>>;
  /** By the name of a response's check, if a closed schema can be reached from its schema. */
  readonly surplus?: Readonly<Record<string, OmitSurplus>>;
  /** The checks of stored fields, by record and field, if an overlay adds any, and `failureOf` of `@concordat/runtime`. */
  readonly stored?: { readonly checks: Record<string, ResponseChecks>; readonly failureOf: Explain };
  /** The `bodyCodecs` of `@concordat/runtime`, if the contract has forms or streams; others do without their code. */
  readonly bodyCodecs?: object;
}

/**
 * One position in the tree of paths. The children are tried in the order of OpenAPI's "Path Templating Matching":
 * concrete segments first (`literals`), then segments that mix text and parameters, then a segment that is one parameter.
 */
export interface PathNode {
  /** The operations that end here, by method. */
  readonly operations?: Readonly<Partial<Record<Method, string>>>;
  /** Children by the segment's text, percent-decoded. */
  readonly literals?: Readonly<Record<string, PathNode>>;
  /** Children whose segment mixes text and parameters, as in `{name}.json`; each group of the pattern is one parameter. */
  readonly patterns?: readonly { readonly pattern: RegExp; readonly node: PathNode }[];
  /** The child whose whole segment is one parameter. It never matches an empty segment. */
  readonly parameter?: PathNode;
}

/** The requests and responses of one operation. */
export interface OperationContract {
  readonly method: Method;
  /** The path template, as the contract writes it. Its parameters are numbered in the order of the template. */
  readonly path: string;
  readonly tags?: readonly string[];
  /** In the order of the contract. */
  readonly parameters?: readonly ParameterCodec[];
  /** Checks `{ path, query, headers, cookies }` after decoding; absent when decoding is check enough. */
  readonly checkParameters?: Check;
  /** Converts `{ path, query, headers, cookies }` after its check. */
  readonly decodeParameters?: Convert;
  /** Converts them back, for clients. */
  readonly encodeParameters?: Convert;
  /** Whether conversions need the exact digits of integers beyond 2^53. */
  readonly exact?: true;
  readonly requestBody?: RequestBodyContract;
  /** Alternatives, in order; with an empty list, credentials are ignored. */
  readonly security: readonly SecurityRequirement[];
  /** By status (`200`), range (`4XX`) or `default`. */
  readonly responses: Readonly<Record<string, ResponseContract>>;
  readonly deprecated?: true;
  /** The operation's `x-` fields, for the engine and the service. */
  readonly extensions?: Readonly<Record<string, Json>>;
}

/** `querystring` is the whole query as one value (OpenAPI 3.2). */
export type ParameterLocation = 'path' | 'query' | 'querystring' | 'header' | 'cookie';
export type ParameterStyle =
  'matrix' | 'label' | 'form' | 'simple' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'cookie';

/** Rules that turn the text of one parameter into a value (OpenAPI "Style Values" and "Style Examples"). */
export interface ParameterCodec {
  readonly in: ParameterLocation;
  readonly name: string;
  readonly required?: true;
  /** Absent for a parameter that has `content`: its text is JSON, except that `value` decides for a `querystring`. */
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly value: Coercion;
  /** The fields of a query string that is a form. */
  readonly fields?: FieldCodecs;
  /** The value of an absent parameter. */
  readonly default?: Json;
  /** `x-lenient`: a value that the schema refuses becomes `fallback`, or `maximum` when it is larger than that. */
  readonly lenient?: { readonly fallback: Json; readonly minimum?: number; readonly maximum?: number };
}

/** The part of a schema that decides how text becomes a value; the validator checks every other keyword. */
export type Coercion =
  | { readonly type: ScalarType | readonly ScalarType[] }
  | { readonly type: 'array'; readonly items: Coercion }
  | {
      readonly type: 'object';
      readonly properties: Readonly<Record<string, Coercion>>;
      /** For properties that are not named; absent when they remain text. */
      readonly additional?: Coercion;
    }
  /** Several shapes: the first that accepts the text wins, arrays and objects before scalars. */
  | { readonly anyOf: readonly Coercion[] }
  /** JSON text (`content: application/json`, and objects inside form bodies). */
  | { readonly type: 'json' };

/** The scalar types of a text. Several are tried in the order null, boolean, exact, integer, number, string. */
export type ScalarType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | ExactInteger;

/** An integer that is a bigint beyond 2^53. */
export type ExactInteger = 'exact';

/** A request body: one codec per media type or media type range (RFC 9110 §8.3.1, OpenAPI Media Type Object). */
export interface RequestBodyContract {
  readonly required?: true;
  /** `x-body-limit`: the maximum size in bytes, instead of the engine's `bodyLimit`. */
  readonly limit?: number;
  /** By media type or range (`application/*`), lower-case, without parameters, most specific first. `encode` is for clients. */
  readonly content: Readonly<Record<string, BodyCodec & { readonly encode?: Convert }>>;
}

/** The rules that turn the bytes of a body into a value. */
export type BodyCodec =
  /** JSON and `+json`, or `text/*`: a string. */
  | { readonly kind: 'json' | 'text'; readonly check?: Check; readonly decode?: Convert }
  /** Anything else: a `Uint8Array`, unchanged. */
  | { readonly kind: 'bytes' }
  /** `application/x-www-form-urlencoded`, or `multipart/form-data`. */
  | {
      readonly kind: 'form' | 'multipart';
      readonly fields: FieldCodecs;
      readonly check?: Check;
      readonly decode?: Convert;
    }
  /** `x-stream`: bytes as they arrive, as an `AsyncIterable<Uint8Array>`. */
  | { readonly kind: 'byte-stream' }
  /** `x-stream`: the parts of `multipart/form-data` as they arrive, as an `AsyncIterable`. */
  | { readonly kind: 'parts'; readonly fields: PartFields; readonly closed?: true }
  /** A sequential media type: an `AsyncIterable` of items. `check` checks one item. */
  | { readonly kind: 'items'; readonly items: Sequence; readonly check?: Check; readonly decode?: Convert };

/** The fields of a form that is read part by part. A part with another name is skipped, or refused if the form is `closed`. */
export type PartFields = Readonly<Record<string, PartField>>;

/** One field of such a form. */
export interface PartField {
  readonly value: Coercion | FileCodec;
  readonly required?: true;
  /** Whether several parts may have this name. */
  readonly several?: true;
  /** Checks the value of one part. */
  readonly check?: Check;
}

/** The format of the items of a sequential media type (OpenAPI 3.2, "Sequential Media Types"). */
export type Sequence =
  /** `application/jsonl` and `application/x-ndjson`; `application/json-seq` (RFC 7464). */
  | { readonly format: 'json-lines' | 'json-seq' }
  /**
   * `text/event-stream`: an item is an event with the fields `data`, `event`, `id` and `retry`. `data` is text. With `json`
   * it is JSON in every event; with `mixed`, in the events that pass the check when it is read as JSON.
   */
  | { readonly format: 'events'; readonly data?: 'json' | 'mixed' }
  /** `multipart/mixed` and similar: an item is the content of a part. `first` has the codecs of the first parts. */
  | { readonly format: 'multipart'; readonly first?: readonly PartCodec[]; readonly part: PartCodec };

/** The content of one part of a sequence. */
export interface PartCodec {
  readonly kind: 'json' | 'text' | 'bytes';
  /** The media types and ranges that it may have; the first is sent. */
  readonly contentTypes: readonly [string, ...string[]];
}

/** The fields of a form body by name; a field that is not named remains text. */
export type FieldCodecs = Readonly<Record<string, FieldCodec>>;

/** One field of a form body (OpenAPI Encoding Object). */
export interface FieldCodec {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly value: Coercion | FileCodec | { readonly type: 'array'; readonly items: FileCodec };
  readonly default?: Json;
}

/** A part of a multipart body that is a file. */
export interface FileCodec {
  readonly type: 'file';
  /** The media types and ranges (`image/*`) that it may have, lower-case; absent when any is allowed. */
  readonly contentTypes?: readonly string[];
}

/** One status of an operation. */
export interface ResponseContract {
  /** By media type; absent when the response has no body. */
  readonly content?: Readonly<Record<string, ResponseBody>>;
  /** By header name, as the contract spells it. */
  readonly headers?: Readonly<Record<string, ResponseHeader>>;
}

/** One representation of a response. An encoder that the service registers writes the kind `other`. */
export type ResponseBody = RepresentationContract &
  (
    | { readonly kind: 'json' | 'text' | 'bytes' | 'other' }
    /** An `AsyncIterable` of items; `check` checks one item. */
    | { readonly kind: 'items'; readonly items: Sequence }
  );

interface RepresentationContract {
  /** The Content-Type to send, when the contract's media type has parameters, such as `text/csv; charset=utf-8`. */
  readonly contentType?: string;
  /** The name of its component schema; encoders such as XML name elements after it. */
  readonly schema?: string;
  /** The name of its check in `response-validators.js`. */
  readonly check?: string;
  /** `decode` converts the JSON form back, for clients; `exact` if it needs the digits of integers beyond 2^53. */
  readonly encode?: Convert;
  readonly decode?: Convert;
  readonly exact?: true;
}

export interface ResponseHeader {
  readonly required?: true;
  readonly explode?: boolean;
  /** The name of its check in `response-validators.js`. */
  readonly check?: string;
  readonly encode?: Convert;
}

/** Returns a value without the members that closed schemas do not declare: the value itself if there are none. */
export type OmitSurplus = (value: unknown, surplus: Surplus) => unknown;

interface Surplus {
  /** Gets the keys that lead to each omitted member, innermost first. */
  readonly places: (string | number)[][];
  /** Throws if a value does not fit in which members could only be omitted by choosing among schemas. */
  readonly require: (check: Check, value: unknown) => void;
}

/** The exports of the generated `response-validators.js`. */
export type ResponseChecks = Readonly<Record<string, Check>>;
type Explain = (check: Check, value: unknown, subject: string) => string;

/** The required scopes, by scheme name; a request must satisfy all schemes (Security Requirement Object). */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** The place of a caller's credential (Security Scheme Object). OAuth 2.0 and OpenID Connect are bearer tokens on the wire. */
export type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'oauth2' }
  | { readonly type: 'openIdConnect' }
  /** Never satisfied: the engine's requests do not carry client certificates. */
  | { readonly type: 'mutualTLS' };

/** A compiled JSON Schema check. In requests it inserts the defaults of absent properties. */
export interface Check {
  (value: unknown): boolean;
  /** The schema, built on demand, from which failures are explained. */
  readonly schema?: () => unknown;
  /** Whether alternatives may lead to it again and again for the same value, so that its verdict is found once per check. */
  readonly isRemembered?: boolean;
}

/**
 * Converts a whole value between its JSON form and the form that handlers use, and returns a copy.
 *
 * @param exact - the same value with bigints for integers beyond 2^53, which a number cannot hold exactly
 * @throws an error whose `place` lists the keys that lead to the part that cannot be converted, innermost first
 */
export type Convert = (value: unknown, exact?: unknown) => unknown;

/** The property of a decoded request that has the values of each parameter location. */
export const PLACES = {
  path: 'path',
  query: 'query',
  querystring: 'query',
  header: 'headers',
  cookie: 'cookies',
} as const satisfies Readonly<Record<ParameterLocation, string>>;
