/** The calls that the links of an answer describe. */

import { type Json, type ParameterLocation, findByStatus } from '@concordat/runtime';
import { type CallbackCause, expressionValue } from '@concordat/runtime/client';
import {
  type ContractModel,
  type OpenApiDocument,
  type OperationObject,
  type Referenced,
  byStatus,
  followed,
  resolvePointer,
} from 'concordat/contract';
import { type Entity, isEntity } from '../../running/resources.js';
import { type Exchange, bodyOf } from './named-resources.js';

/** The call that a link describes: parameter values of another operation, keyed as `path.id` or `id`, and its body. */
export interface LinkedCall {
  readonly name: string;
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

interface LinkObject {
  readonly operationId?: string;
  readonly operationRef?: string;
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly requestBody?: Json;
}

/** The calls that an answer's links describe (OpenAPI, Link Object). A link is skipped if one of its expressions has no value. */
export function linkedCalls(
  document: OpenApiDocument,
  { operations }: ContractModel,
  exchange: Exchange,
): readonly LinkedCall[] {
  const { operation } = exchange.parts;
  const { responses = {} } = resolvePointer(document, operation.pointer) as OperationObject;
  const found = findByStatus(byStatus(operation.responses), exchange.answer.status);
  const response = found && followed(document, responses[found.key]);
  type Linked = { readonly links?: Readonly<Record<string, Referenced<LinkObject>>> };
  const { links = {} } = (response ?? {}) as Linked;
  const cause = causeOf(exchange);
  return Object.entries(links).flatMap(([name, described]) => {
    const link = followed(document, described);
    const id = link?.operationId ?? operations.find(({ pointer }) => pointer === link?.operationRef)?.id;
    if (link === undefined || id === undefined) return [];
    const given = Object.entries(link.parameters ?? {});
    const entries = given.map(([key, expression]) => [key, evaluated(expression, cause)] as const);
    if (entries.some(([, value]) => value === undefined || value === null)) return [];
    const body = link.requestBody === undefined ? undefined : withValues(link.requestBody, cause);
    if (link.requestBody !== undefined && body === undefined) return [];
    const parameters = Object.fromEntries(entries) as LinkedCall['parameters'];
    return [{ name, operationId: id, parameters, ...(body !== undefined && { body }) }];
  });
}

/** A body with its runtime expressions evaluated; undefined if one has no value. */
function withValues(body: Json, cause: CallbackCause): Json | undefined {
  if (!isEntity(body)) return evaluated(body, cause);
  const members = Object.entries(body).map(([name, value]) => [name, withValues(value, cause)] as const);
  const isWhole = members.every(([, value]) => value !== undefined);
  return isWhole ? (Object.fromEntries(members) as Entity) : undefined;
}

/** The value of a runtime expression; anything else is a constant. */
function evaluated(expression: Json, cause: CallbackCause): Json | undefined {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression;
  return expressionValue(expression, cause) as Json | undefined;
}

/** The call whose values the expressions of links name. */
function causeOf({ parts: { operation, parameters, body }, answer }: Exchange): CallbackCause {
  const valuesIn = (location: ParameterLocation): Readonly<Record<string, Json>> => {
    const own = parameters.filter(({ parameter }) => parameter.in === location);
    return Object.fromEntries(own.map(({ parameter, value }) => [parameter.name, value]));
  };
  const received = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat()[0]]);
  const headers = Object.fromEntries(received) as Readonly<Record<string, unknown>>;
  const [path, query, sent] = [valuesIn('path'), valuesIn('query'), valuesIn('header')];
  return {
    method: operation.method,
    request: { path, query, headers: sent, body: body?.value },
    response: { status: answer.status, headers, body: bodyOf(answer) },
  };
}
