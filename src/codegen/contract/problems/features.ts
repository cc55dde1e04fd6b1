/** The names of the unsupported features and of the harmless faults of contracts, as `accept` spells them, each with its meaning. */

/** Valid parts of a contract that the generator does not support. */
export const UNSUPPORTED_FEATURES = {
  servers:
    'separate servers of a path or operation, with another path than the first server of the contract, are ignored',
  'path-with-query': 'a path that has `?` or `#` is never found',
  'duplicate-operation-id':
    'of several operations with one `operationId`, the first keeps it, and the others are named by method and path',
  'same-path':
    'paths that differ only by the names of their parameters are one path; of two operations with one method, the first is served',
  'recursive-callback':
    'the callbacks of a callback that asks for itself, and those after the first thousand',
  'parameter-media-type': 'a parameter in another media type than JSON is not decoded',
  'undefined-style': 'the specification does not say how the style carries this value',
  method: 'a method that an HTTP server of Node does not pass on',
  'nested-parameter': 'the specification does not say how the style carries nested values',
  'allow-reserved':
    'a `+` in the value of a query parameter is read as a space; of another parameter, a note says that clients encode the value',
  'allow-empty-value': 'an empty value does not fit the schema',
  'undecoded-body':
    'a request body that is not JSON, text or a form reaches the handler as bytes, unchecked; where its schema is a text, this is a note',
  'media-type-parameters': 'parameters of a media type are ignored',
  'same-media-type': 'two media types that differ in parameters only',
  'encoding-headers': 'headers of a part are not read',
  'unknown-field': 'an encoding for a property that the form does not have',
  'form-shape': 'a form whose schema may be something other than an object',
  'additional-fields': 'fields that the schema does not name remain text',
  'ambiguous-part': 'a part that is a file in one alternative and text in another',
  'undecoded-part': 'a part in another content type than JSON or text is not decoded',
  'file-schema': 'a keyword that restricts a file is not checked',
  'item-schema': 'an `itemSchema` of a media type that is not sequential',
  'sequence-schema': 'a `schema` beside an `itemSchema`: all items together',
  'unchecked-parts': 'a keyword about several parts of a form that is read part by part',
  'undeclared-security':
    'a security scheme that nothing declares; it is a bearer token, for which the service needs a security handler of that name',
  'mutual-tls': 'no request satisfies the scheme, because TLS ends before the service',
  'informational-response': 'a 1xx response cannot be answered',
  'content-not-sent': 'content of a status that has none (204, 205, 304)',
  'header-name': 'a header whose name HTTP does not allow is never sent',
  'header-media-type': 'a response header with `content`',
  'xml-form': 'XML attributes, prefixes, namespaces and names inside a schema',
  'unknown-keyword':
    'a keyword that is a letter away from one of the dialect, or restricts values in another version; others are notes',
  'invalid-keyword': 'a keyword whose value the dialect does not allow',
  'bad-pattern': 'a pattern that is not a regular expression of JavaScript',
  'slow-pattern': 'a pattern that takes exponential time, or over 50 ms for a text of 10,000 characters',
  'undecided-pattern':
    'a pattern with a back reference or an unbounded look-behind, or one that is too large',
  dialect: 'a schema dialect other than 2020-12 whose meta-schema is not among the `remotes`',
  'endless-reference': 'a schema that refers to itself for the same value',
  'invalid-default':
    'a `default` that its own schema refuses, or that brings over 1,000 others, is not inserted',
  'default-in-composition': 'a `default` inside `anyOf`, `oneOf` and the like',
  'discriminator-branch': 'an alternative that a discriminator cannot choose',
  'discriminator-mapping': 'a mapping, or a `defaultMapping`, to a schema that is no alternative',
  'discriminator-inheritance': 'a discriminator without alternatives that name it',
  'untyped-value': 'a value with its own type under a keyword that the generated types leave out',
  federation: 'a directive of Apollo Federation; it is ignored',
  'incremental-delivery': '`@defer` and `@stream`; a query gets its whole result at once',
} as const;

/**
 * Faults that do not affect the generated files, or whose meaning is certain. The team accepts one by name, like an unsupported
 * feature, or all with `lenient`.
 */
export const HARMLESS_FAULTS = {
  'missing-documentation':
    "a field that only documentation needs is missing, such as `info.title` or a response's `description`",
  'invalid-documentation':
    'a field that only documentation needs has a wrong value, such as `info.version: 1` or a null description',
  'unexpected-field': 'a field that the specification does not have; it is ignored',
  'unknown-format': 'a format that is not known says no more than its type; it is reported once per format',
  'exclusive-bound':
    '`exclusiveMinimum: true` from OpenAPI 3.1, or a number in 3.0; it keeps its meaning from the other version',
  'required-flag':
    'a boolean `required` in a schema; it is ignored, with a note if it is false or belongs to no property',
  'idle-overlay-action': 'an action of an overlay that selects nothing changes nothing',
  'undeclared-path-parameter': 'a path parameter that nothing declares; it is a required string',
  'body-by-schema':
    'a body in `*/*`, `application/*` or `text/plain` that its schema describes as no text is JSON; a text in a response in `*/*` is `text/plain`',
  'ignored-keyword':
    'what OpenAPI 3.0 ignores: keywords beside a `$ref`, and `nullable` without a `type` or with an `enum` without null',
  'large-integer':
    'an `int64` beyond 2^53 − 1 is refused unless its values are `bigint`; it is reported once per contract',
  'no-success': 'an operation that declares no success can only be answered by errors',
} as const;

/** Features that are noted at each place and stop nothing: requests are read and answered as the contract says. */
const NOTICED: ReadonlySet<FeatureName> = new Set([
  'body-by-schema',
  'default-in-composition',
  'form-shape',
  'idle-overlay-action',
  'ignored-keyword',
  'invalid-default',
  'invalid-documentation',
  'large-integer',
  'missing-documentation',
  'no-success',
  'unknown-format',
]);

/** Notes about parts that the generator supports, each with its meaning. */
const NOTES = {
  'unfit-refusal': 'a declared error response does not accept the body that the engine sends',
} as const;

/** The kind of a note. */
export type NoteKind = FeatureName | keyof typeof NOTES;

/** Whether a feature stops nothing, everywhere or at its place. */
export function isNoticed(part: { readonly feature?: FeatureName; readonly isNotice?: boolean }): boolean {
  return part.isNotice === true || (part.feature !== undefined && NOTICED.has(part.feature));
}

export type HarmlessFault = keyof typeof HARMLESS_FAULTS;

export type FeatureName = keyof typeof UNSUPPORTED_FEATURES | HarmlessFault;

export function isHarmless(feature: FeatureName | undefined): feature is HarmlessFault {
  return feature !== undefined && Object.hasOwn(HARMLESS_FAULTS, feature);
}

/** The features of a GraphQL schema that `accept` can name. */
const SCHEMA_FEATURES: ReadonlySet<string> = new Set(['federation', 'incremental-delivery']);

/** Splits the acceptances by contract. A single contract gets all of them, so that those that it cannot need are reported. */
export function acceptancesOf({
  openapi,
  schema,
  accept = [],
}: {
  readonly openapi?: string;
  readonly schema?: string | readonly string[];
  readonly accept?: readonly string[];
}): { readonly openapi: readonly string[]; readonly schema: readonly string[] } {
  const isOfSchema = (key: string): boolean => SCHEMA_FEATURES.has(key.split(' at ')[0] ?? '');
  return {
    openapi: accept.filter((key) => schema === undefined || !isOfSchema(key)),
    schema: accept.filter((key) => openapi === undefined || isOfSchema(key)),
  };
}
