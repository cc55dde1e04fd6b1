/** Finds the resources that answers name: by ids, by `Location` and by the contract's links. */

import { type Json, type ParameterLocation, findByStatus } from '@concordat/runtime';
import { type CallbackCause, expressionValue, parseExactJson } from '@concordat/runtime/client';
import {
  type ContractModel,
  type OpenApiDocument,
  type OperationObject,
  type Referenced,
  byStatus,
  resolvePointer,
} from 'concordat/contract';
import type { CheckedAnswer } from '@concordat/runtime/testing';
import type { RequestParts } from '../../running/wire-request.js';
import type { Answer } from '../run/server.js';
import { type Entity, type KnownResources, type PathValues, isEntity, namesOf } from './known-resources.js';

/** A request that was answered. */
export interface Exchange {
  readonly parts: RequestParts;
  readonly answer: CheckedAnswer;
}

/** The call that a link describes: parameter values of another operation, keyed as `path.id` or `id`, and its body. */
export interface LinkedCall {
  readonly name: string;
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, Json>>;
  readonly body?: Json;
}

/** Remembers the resources that a success names. @returns their path values */
export function learn(
  known: KnownResources,
  { operations }: ContractModel,
  exchange: Exchange,
): readonly PathValues[] {
  const found: PathValues[] = [];
  const add = (template: string, values: PathValues, entity?: Entity): void => {
    known.add(template, values, entity);
    found.push(values);
  };
  const { operation } = exchange.parts;
  const above = pathValuesOf(exchange.parts);
  const body = bodyOf(exchange.answer);
  for (const name of new Set(operations.flatMap(({ path }) => childNames(operation.path, path)))) {
    for (const entity of entitiesOf(body, operation.method === 'POST' ? 1 : 2)) {
      const id = entity[name] ?? entity['id'];
      if (isId(id)) add(`${operation.path}/{${name}}`, [...above, id], entity);
    }
  }
  for (const { path } of operations) {
    for (const [member, name] of membersBelow(operation.path, path)) {
      const list = isEntity(body) ? body[member] : undefined;
      for (const entity of entitiesOf(Array.isArray(list) ? (list as readonly Json[]) : [], 1)) {
        const id = entity[name] ?? entity['id'];
        if (isId(id)) add(`${operation.path}/${member}/{${name}}`, [...above, id], entity);
      }
    }
  }
  const location = locationOf(exchange.answer);
  if (location !== undefined) {
    for (const template of new Set(operations.map((each) => each.path))) {
      const values = valuesIn(template, location);
      if (values !== undefined && values.length > 0) add(template, values);
    }
  }
  return found;
}

/** The values of a request's path parameters. */
export function pathValuesOf({ operation, parameters }: RequestParts): PathValues {
  return namesOf(operation.path).flatMap(
    (name) =>
      parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)?.value ?? [],
  );
}

/** The name of the parameter that directly follows a path in a longer one. */
function childNames(path: string, below: string): readonly string[] {
  const rest = below.startsWith(`${path}/`)
    ? /^\{([^}/]+)\}(?:\/|$)/.exec(below.slice(path.length + 1))
    : null;
  return rest?.[1] === undefined ? [] : [rest[1]];
}

/** The member of a resource that lists the items of a path, and their parameter: `items` for `/orders/{id}/items/{itemId}`. */
function membersBelow(path: string, below: string): readonly (readonly [member: string, name: string])[] {
  const rest = below.startsWith(`${path}/`) ? below.slice(path.length + 1) : '';
  const [, member, name] = /^([^/{}]+)\/\{([^}/]+)\}$/.exec(rest) ?? [];
  return member === undefined || name === undefined ? [] : [[member, name]];
}

function isId(value: unknown): value is string | number {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

/** The objects of a body down to a depth, in lists and in wrapping objects. */
function entitiesOf(body: Json | undefined, depth: number): readonly Entity[] {
  if (depth < 0) return [];
  if (Array.isArray(body)) return body.flatMap((item: Json) => entitiesOf(item, depth - 1));
  if (!isEntity(body)) return [];
  if ('id' in body) return [body];
  return [body, ...Object.values(body).flatMap((member) => entitiesOf(member, depth - 1))];
}

/** The JSON body of an answer. Its integers beyond 2^53 are bigints, which are sent again with all their digits. */
export function bodyOf(answer: Answer): Json | undefined {
  if ('failure' in answer || !/[/+]json/.test(String(answer.headers['content-type']))) return undefined;
  try {
    return parseExactJson(answer.text) as Json;
  } catch {
    return undefined;
  }
}

export function locationOf(answer: Answer): string | undefined {
  return 'headers' in answer ? [answer.headers['location'] ?? []].flat()[0] : undefined;
}

/** The path values of a `Location`, whose path may begin with the server's base path; undefined if it is of another template. */
export function valuesIn(template: string, location: string): PathValues | undefined {
  const path = location.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*/s, '');
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '([^/]+)');
  return new RegExp(`${pattern}/?$`).exec(path)?.slice(1).map(decoded);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
  const described = findByStatus(byStatus(operation.responses), exchange.answer.status);
  const response = described && followed(document, responses[described.key]);
  const { links = {} } = (response ?? {}) as {
    readonly links?: Readonly<Record<string, Referenced<LinkObject>>>;
  };
  const cause = causeOf(exchange);
  return Object.entries(links).flatMap(([name, given]) => {
    const link = followed(document, given);
    const id = link?.operationId ?? operations.find(({ pointer }) => pointer === link?.operationRef)?.id;
    if (link === undefined || id === undefined) return [];
    const entries = Object.entries(link.parameters ?? {}).map(
      ([key, expression]) => [key, evaluated(expression, cause)] as const,
    );
    if (entries.some(([, value]) => value === undefined || value === null)) return [];
    const body = link.requestBody === undefined ? undefined : withValues(link.requestBody, cause);
    if (link.requestBody !== undefined && body === undefined) return [];
    const parameters = Object.fromEntries(entries) as LinkedCall['parameters'];
    return [{ name, operationId: id, parameters, ...(body !== undefined && { body }) }];
  });
}

function followed<T>(document: OpenApiDocument, value: Referenced<T> | undefined): T | undefined {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
  return resolvePointer(document, value.$ref) as T;
}

/** A body with its runtime expressions evaluated; undefined if one has no value. */
function withValues(body: Json, cause: CallbackCause): Json | undefined {
  if (!isEntity(body)) return evaluated(body, cause);
  const members = Object.entries(body).map(([name, value]) => [name, withValues(value, cause)] as const);
  return members.some(([, value]) => value === undefined)
    ? undefined
    : (Object.fromEntries(members) as Entity);
}

/** The value of a runtime expression; anything else is a constant. */
function evaluated(expression: Json, cause: CallbackCause): Json | undefined {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression;
  return expressionValue(expression, cause) as Json | undefined;
}

/** The call whose values the expressions of links name. */
function causeOf({ parts: { operation, parameters, body }, answer }: Exchange): CallbackCause {
  const valuesIn = (location: ParameterLocation): Readonly<Record<string, Json>> =>
    Object.fromEntries(
      parameters.flatMap(({ parameter, value }) =>
        parameter.in === location ? [[parameter.name, value]] : [],
      ),
    );
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat()[0]]);
  return {
    method: operation.method,
    request: {
      path: valuesIn('path'),
      query: valuesIn('query'),
      headers: valuesIn('header'),
      body: body?.value,
    },
    response: {
      status: answer.status,
      headers: Object.fromEntries(headers) as Readonly<Record<string, unknown>>,
      body: bodyOf(answer),
    },
  };
}
