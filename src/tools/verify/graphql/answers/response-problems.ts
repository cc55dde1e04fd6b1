/** Checks a GraphQL response against the specification: its members, its errors, and the nulls that errors cause. */

import { isObject, parsedJson } from '@concordat/runtime/parts';
import type { Reached } from '../requests/graphql-request.js';
import type { ResultProblem, ResultReader } from './result-problems.js';

/** The JSON form of an error in a response. */
export interface WrittenError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly WrittenError[];
}

/** Reads a body (GraphQL, "Response Format"). @returns the fault if it is no response */
export function responseOf(text: string): GraphqlResponse | string {
  const value = parsedJson(text);
  return value === undefined ? 'the body is not JSON' : responseIn(value);
}

/** Like `responseOf`, for a parsed value. */
export function responseIn(value: unknown): GraphqlResponse | string {
  if (!isObject(value)) return 'the body is not a JSON object';
  const { data, errors, extensions, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) return `the response has ${other}, beside data, errors and extensions`;
  if (extensions !== undefined && !isObject(extensions)) return 'extensions is not an object';
  if (data === undefined && errors === undefined) return 'the response has neither data nor errors';
  if (errors === undefined) return data === null ? 'data is null, and there are no errors' : { data };
  if (!Array.isArray(errors)) return 'errors is not a list';
  if (errors.length === 0) return 'errors is an empty list';
  for (const error of errors as readonly unknown[]) {
    const problem = errorProblem(error);
    if (problem !== undefined) return problem;
  }
  return { ...('data' in value && { data }), errors: errors as readonly WrittenError[] };
}

function errorProblem(error: unknown): string | undefined {
  if (!isObject(error)) return 'an error is not an object';
  const { message, path, locations, extensions } = error;
  if (typeof message !== 'string') return 'an error has no message';
  if (extensions !== undefined && !isObject(extensions))
    return 'the extensions of an error are not an object';
  if (path !== undefined && !(Array.isArray(path) && path.every(isKey)))
    return 'the path of an error is not a list of names and indexes';
  if (locations === undefined) return undefined;
  const isFine = Array.isArray(locations) && locations.length > 0 && locations.every(isLocation);
  return isFine ? undefined : 'the locations of an error are not a list of lines and columns from 1';
}

const isKey = (key: unknown): boolean =>
  typeof key === 'string' || (Number.isInteger(key) && Number(key) >= 0);

function isLocation(location: unknown): boolean {
  if (!isObject(location)) return false;
  return [location['line'], location['column']].every((each) => Number.isInteger(each) && Number(each) >= 1);
}

/** Compares the errors of an executed operation with the nulls in its data (GraphQL, "Handling Execution Errors"). */
export function errorProblems(
  reader: ResultReader,
  { operation }: Reached,
  { data, errors = [] }: GraphqlResponse,
): readonly ResultProblem[] {
  const problems: ResultProblem[] = [];
  const report = (message: string): void => void problems.push({ place: '', message });
  const targets: (readonly (string | number)[])[] = [];
  const reached: number[] = [];
  for (const { path } of errors) {
    if (path === undefined) {
      if (data !== null) report('an error beside data has no path');
      continue;
    }
    const way = reader.wayOf(path);
    const about = `the path ${path.join('.')} of an error`;
    if (way === undefined || path.length === 0) {
      report(`${about} leads to nothing that the ${operation.operation} selects`);
      continue;
    }
    const found = nullAt(data, path);
    if (found === undefined) report(`${about} leads to a value, or to nothing`);
    else {
      targets.push(path.slice(0, way.nullable.at(-1)));
      reached.push(found);
    }
  }
  for (const [index, length] of reached.entries()) {
    const target = targets[index] ?? [];
    const above = targets.filter((each) => each.length === length);
    const hasReason = above.some((each) => each.every((key, at) => key === target[at]));
    const lost = target.slice(0, length).join('.') || 'data';
    if (length < target.length && !hasReason)
      report(`an error at ${target.join('.')}, which may be null, makes ${lost} null`);
  }
  return problems;
}

/** The number of keys of a path that lead to the first null on it; undefined if there is none. */
function nullAt(data: unknown, path: readonly (string | number)[]): number | undefined {
  let value = data;
  for (const [index, key] of path.entries()) {
    if (value === null) return index;
    if (typeof value !== 'object') return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value === null ? path.length : undefined;
}
