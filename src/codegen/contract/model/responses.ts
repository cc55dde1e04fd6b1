/** Reads the responses of an operation: statuses, headers and bodies. */

import type { HeaderModel, OperationModel, ResponseModel } from './model.js';
import type { HeaderObject, Referenced, ResponseObject } from '../schemas/document.js';
import { readContent } from './bodies.js';
import type { Reader } from './reader.js';
import { joinPointer } from '../../text/pointer.js';

/** Statuses whose response has no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
const WITHOUT_CONTENT = new Set(['204', '205', '304']);

/**
 * The responses of an operation, in the contract's order.
 *
 * @param direction - `request` for the responses that the service reads, to requests that it sends
 */
export function readResponses(
  reader: Reader,
  responses: Readonly<Record<string, Referenced<ResponseObject>>>,
  at: string,
  direction: 'request' | 'response',
): readonly ResponseModel[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    // There may be extensions among the statuses.
    if (status.startsWith('x-')) return [];
    const place = joinPointer(at, status);
    if (!status.startsWith('1')) return [readResponse(reader, status, response, place, direction)];
    const message = 'a response of status 1xx is not final, and cannot be answered';
    reader.unsupported('informational-response', place, message);
    return [];
  });
}

function readResponse(
  reader: Reader,
  status: string,
  declared: Referenced<ResponseObject>,
  at: string,
  direction: 'request' | 'response',
): ResponseModel {
  const { value, at: place } = reader.follow(declared, at);
  const component = /^#\/components\/responses\/([^/]+)$/.exec(place)?.[1];
  const content = readContent(reader, value.content ?? {}, joinPointer(place, 'content'), direction);
  const isSent = content.length === 0 || !WITHOUT_CONTENT.has(status);
  if (!isSent) {
    const message = `a ${status} has no content (RFC 9110 §15)`;
    reader.unsupported('content-not-sent', joinPointer(at, 'content'), message);
  }
  return {
    // A response whose content is not sent differs from its component.
    ...(component !== undefined && isSent && { component }),
    status: normalStatus(status),
    key: status,
    description: value.description ?? '',
    headers: readHeaders(reader, value.headers ?? {}, joinPointer(place, 'headers')),
    content: isSent ? content : [],
  };
}

/** `4xx` in the specification's spelling, `4XX`; `default` stays in lower case. */
function normalStatus(status: string): string {
  return /^[2-5]xx$/i.test(status) ? status.toUpperCase() : status;
}

function readHeaders(
  reader: Reader,
  headers: Readonly<Record<string, Referenced<HeaderObject>>>,
  at: string,
): readonly HeaderModel[] {
  return Object.entries(headers).flatMap(([name, declared]): readonly HeaderModel[] => {
    // "If a response header is defined with the name Content-Type, it SHALL be ignored" (Response Object).
    if (name.toLowerCase() === 'content-type') return [];
    if (!reader.isHeaderName(name, joinPointer(at, name))) return [];
    const { value: header, at: place } = reader.follow(declared, joinPointer(at, name));
    const node = reader.schemaOf(header, place);
    if (header.content !== undefined) {
      const message = 'a header is written by its schema, not by its media type';
      reader.unsupported('header-media-type', joinPointer(place, 'content'), message);
    }
    const [required, explode] = [header.required === true, header.explode === true];
    return [{ name, required, explode, at: place, ...(node && { node }) }];
  });
}

/** Whether one of the responses is no error: an operation without one can only refuse. */
export function declaresSuccess(responses: readonly Pick<ResponseModel, 'status'>[]): boolean {
  return responses.some(({ status }) => /^(?:[23]|default$)/.test(status));
}

/** Responses by status, for the lookup of the one that describes a status. */
export function byStatus(responses: readonly ResponseModel[]): ReadonlyMap<string, ResponseModel> {
  return new Map(responses.map((response) => [response.status, response]));
}

/** The place where a response is described. A component has one place for all its operations. */
export function responsePlace({ pointer }: OperationModel, { component, key }: ResponseModel): string {
  return component === undefined
    ? joinPointer(pointer, 'responses', key)
    : joinPointer('#/components/responses', component);
}
