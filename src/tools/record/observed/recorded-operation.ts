/** The exchanges of one method on one path: parameters, bodies, responses and credentials. */

import { isSensitiveName } from '@concordat/runtime/observe';
import type { OperationObject, ParameterObject, ResponseObject } from 'concordat/contract';
import { BoundedMap } from './bounded-map.js';
import { type Exchange, ObservedBody, type SentBody, isJsonType, mediaTypeOf } from './observed-body.js';
import { ObservedFields } from './observed-fields.js';
import { ObservedText, type WriteOptions } from './observed-text.js';
import type { PlaceBudget } from './observed-value.js';
import { isVariableName } from './names.js';
import { type CredentialPlace, type FoundCredential, isKeyParameter, textsOf } from './credentials.js';

const MOST_PARAMETERS = 60;
const MOST_MEDIA_TYPES = 20;
const MOST_HEADERS = 40;
const MOST_CREDENTIALS = 30;

/** Headers of responses that servers and proxies set everywhere, or that belong to the body or to the connection. */
const COMMON_HEADER =
  /^(?:accept-ranges|age|allow|alt-svc|access-control-.*|cache-control|connection|content-.*|cross-origin-.*|date|etag|expires|keep-alive|last-modified|link|nel|origin-agent-cluster|permissions-policy|pragma|proxy-.*|referrer-policy|report-to|server|server-timing|set-cookie|strict-transport-security|te|trailer|transfer-encoding|upgrade|vary|via|www-authenticate|x-content-type-options|x-dns-prefetch-control|x-download-options|x-frame-options|x-permitted-cross-domain-policies|x-powered-by|x-request-id|x-response-time|x-xss-protection|cf-.*|x-amz.*)$/i;

interface ObservedResponse {
  count: number;
  readonly headers: BoundedMap<string, ObservedText>;
  readonly bodies: BoundedMap<string, ObservedBody>;
}

export class RecordedOperation {
  /** The requests that were answered with success, a redirect or 304. */
  #accepted = 0;
  /** The requests that were refused as invalid: 400 or 422. */
  #refused = 0;
  #withBody = 0;
  readonly #query: ObservedFields;
  /** In how many of the requests that were refused as invalid a parameter was. */
  readonly #refusedWith = new BoundedMap<string, { count: number }>(MOST_PARAMETERS);
  readonly #bodies = new BoundedMap<string, ObservedBody>(MOST_MEDIA_TYPES);
  readonly #responses = new BoundedMap<number, ObservedResponse>();
  /** The sets of credentials of accepted requests: the places as JSON. */
  readonly #credentials = new BoundedMap<string, readonly string[]>(MOST_CREDENTIALS);

  constructor(private readonly budget: PlaceBudget) {
    this.#query = new ObservedFields(MOST_PARAMETERS, budget);
  }

  get isAccepted(): boolean {
    return this.#accepted > 0;
  }

  /** @param caller - identifies the caller */
  add(
    exchange: Exchange,
    query: URLSearchParams,
    credentials: readonly FoundCredential[],
    caller: string,
  ): void {
    const { status, requestHeaders, requestBody } = exchange;
    const isAccepted = status < 400;
    const isRefused = status === 400 || status === 422;
    if (isAccepted) this.#accepted += 1;
    if (isRefused) {
      this.#refused += 1;
      for (const name of new Set(query.keys())) {
        const found = this.#refusedWith.known(name, () => ({ count: 0 }));
        if (found) found.count += 1;
      }
    }
    if (isAccepted) {
      const parameters = [...query].filter(([name]) => !isKeyParameter(name));
      this.#query.add(parameters, caller);
      const places = [...new Set(credentials.map(({ place }) => JSON.stringify(place)))].sort();
      this.#credentials.known(places.join(), () => places);
      if (requestBody?.length !== 0) {
        this.#withBody += 1;
        this.#addBody(this.#bodies, { headers: requestHeaders, bytes: requestBody }, caller);
      }
    }
    this.#addResponse(exchange, caller);
  }

  #addResponse(
    { status, responseHeaders: headers, responseBody: bytes, method }: Exchange,
    caller: string,
  ): void {
    const response = this.#responses.known(status, () => ({
      count: 0,
      headers: new BoundedMap(MOST_HEADERS),
      bodies: new BoundedMap(MOST_MEDIA_TYPES),
    }));
    if (response === undefined) return;
    response.count += 1;
    for (const [name, given] of Object.entries(headers)) {
      if (COMMON_HEADER.test(name) || isVariableName(name) || !/^[a-z][\w-]*$/.test(name)) continue;
      const texts = response.headers.known(name, () => new ObservedText());
      for (const text of textsOf(given)) texts?.add(text, { caller, isSensitive: isSensitiveName(name) });
    }
    const isBare = status === 204 || status === 205 || status === 304 || method === 'HEAD';
    if (isBare || bytes?.length === 0) return;
    this.#addBody(response.bodies, { headers, bytes }, caller);
  }

  #addBody(bodies: BoundedMap<string, ObservedBody>, sent: SentBody, caller: string): void {
    const type = mediaTypeOf(sent.headers);
    const body = bodies.known(type, () =>
      this.budget.take() ? new ObservedBody(type, this.budget) : undefined,
    );
    if (body?.add(sent, caller) === false) this.budget.unread += 1;
  }

  /** @param other - is not used afterwards */
  merge(other: RecordedOperation): void {
    this.#accepted += other.#accepted;
    this.#refused += other.#refused;
    this.#withBody += other.#withBody;
    this.#query.merge(other.#query);
    this.#refusedWith.merge(other.#refusedWith, (own, { count }) => (own.count += count));
    this.#bodies.merge(other.#bodies, (own, theirs) => own.merge(theirs));
    this.#credentials.merge(other.#credentials, () => undefined);
    this.#responses.merge(other.#responses, (own, theirs) => {
      own.count += theirs.count;
      own.headers.merge(theirs.headers, (one, another) => one.merge(another));
      own.bodies.merge(theirs.bodies, (one, another) => one.merge(another));
    });
  }

  /** The bodies of errors in JSON. */
  *errorBodies(): Generator<ObservedBody> {
    for (const [status, { bodies }] of this.#responses) {
      if (status < 400) continue;
      for (const [type, body] of bodies) if (isJsonType(type)) yield body;
    }
  }

  /** The body of the successful responses in JSON. */
  get success(): ObservedBody | undefined {
    const bodies = this.#responses.get(200)?.bodies.sorted ?? [];
    return bodies.find(([type]) => isJsonType(type))?.[1];
  }

  /** The sets of credentials that sufficed, without those that have more than another. */
  get credentials(): readonly (readonly CredentialPlace[])[] {
    const sets = this.#credentials.sorted.map(([, places]) => places);
    const isNeedless = (set: readonly string[]): boolean =>
      sets.some((other) => other !== set && other.length > 0 && other.every((place) => set.includes(place)));
    return sets
      .filter((set) => !isNeedless(set))
      .map((set) => set.map((place) => JSON.parse(place) as CredentialPlace));
  }

  queryParameters(options: WriteOptions): readonly ParameterObject[] {
    return this.#query.described(options).map(({ name, schema, count }) => {
      // Without a request that was refused for the lack of it, it may be left out.
      const isRequired =
        count === this.#accepted && (this.#refusedWith.get(name)?.count ?? 0) < this.#refused;
      return { name, in: 'query', ...(isRequired && { required: true }), schema };
    });
  }

  /** The Request Body Object; undefined if no accepted request had a body. */
  requestBody(options: WriteOptions): OperationObject['requestBody'] {
    if (this.#bodies.size === 0) return undefined;
    const isRequired = this.#withBody === this.#accepted;
    return { ...(isRequired && { required: true }), content: contentOf(this.#bodies, options) };
  }

  /** The responses by their statuses. */
  responses(options: WriteOptions): ReadonlyMap<number, Omit<ResponseObject, 'description'>> {
    const known = this.#responses.sorted.filter(([status]) => status !== 405 && status !== 501);
    return new Map(
      known.map(([status, { headers, bodies }]) => {
        const described = headers.sorted.map(
          ([name, texts]) => [name, { schema: texts.asAny(options) }] as const,
        );
        const response: Omit<ResponseObject, 'description'> = {
          ...(described.length > 0 && { headers: Object.fromEntries(described) }),
          ...(bodies.size > 0 && { content: withFileRange(contentOf(bodies, options)) }),
        };
        return [status, response];
      }),
    );
  }
}

type Content = NonNullable<ResponseObject['content']>;

const contentOf = (bodies: BoundedMap<string, ObservedBody>, options: WriteOptions): Content =>
  Object.fromEntries(bodies.sorted.map(([type, body]) => [type, body.mediaType(options)]));

/** Two types of text or bytes are files, of which there will be other types too. */
function withFileRange(content: Content): Content {
  const isFile = (type: string): boolean => !/[/+](?:json|xml)$|urlencoded$|^multipart\//.test(type);
  const files = Object.keys(content).filter(isFile);
  const [top, ...others] = new Set(files.map((type) => type.replace(/\/.*/, '')));
  if (files.length < 2) return content;
  const rest = Object.entries(content).filter(([type]) => !files.includes(type));
  return { ...Object.fromEntries(rest), [others.length > 0 ? '*/*' : `${top ?? '*'}/*`]: {} };
}
