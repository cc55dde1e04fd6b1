/** Pairs of operations for the tests of `concordat diff`, with the verdicts that are expected of each. */

import type { Severity, Verdict } from '../../../src/tools/diff/change/change.js';

/** `unproven`: breaking, without a witness. */
type Found = Severity | 'unproven';

/** What is expected of one change: its kind, and its severity for clients and for servers. */
export type Expected = readonly [kind: string, client: Found, server: Found];

export function foundIn({ severity, unproven }: Verdict): Found {
  return unproven === true ? 'unproven' : severity;
}

/** An operation in two versions; undefined where a version does not have it. */
export interface OperationPair {
  readonly title: string;
  /** What stands behind the path of the pair. */
  readonly path?: string;
  /** The same in the new version, where it differs. */
  readonly newPath?: string;
  /** Absent for a request of the client. */
  readonly sent?: 'webhook' | 'callback' | 'callback of a callback';
  readonly old: object | undefined;
  readonly new: object | undefined;
  readonly changes: readonly Expected[];
}

const done = { responses: { 204: { description: 'Done' } } };

/** An operation that takes a parameter. */
export const parameter = (more: object): object => ({
  ...done,
  parameters: [{ name: 'q', in: 'query', ...more }],
});

/** An operation that takes a query parameter with a schema. */
export const query = (schema: object): object => parameter({ schema });

/** An operation that takes a JSON body. */
export const takes = (schema: object, required = true): object => ({
  ...done,
  requestBody: { required, content: { 'application/json': { schema } } },
});

/** An operation that takes an object with a property. */
export const takesIn = (schema: object): object => takes({ type: 'object', properties: { a: schema } });

/** An operation that answers with JSON. */
export const gives = (schema: object): object => givesAs({ 'application/json': { schema } });

export const givesAs = (content: object, more: object = {}): object => ({
  responses: { 200: { description: 'Found', content, ...more } },
});

export const plain = done;

export const text = { type: 'string' };
export const integer = { type: 'integer' };
export const objectOf = (
  properties: object,
  required: readonly string[] = [],
  more: object = {},
): object => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...more,
});

/** Changes of whole operations, and of who may call them. */
export const operationPairs: readonly OperationPair[] = [
  {
    title: 'an operation is removed',
    old: plain,
    new: undefined,
    changes: [['operation-removed', 'breaking', 'safe']],
  },
  {
    title: 'an operation is added',
    old: undefined,
    new: plain,
    changes: [['operation-added', 'safe', 'breaking']],
  },
  {
    title: 'an operation is removed after its sunset',
    old: { ...plain, 'x-deprecation': { sunset: '2020-01-31' } },
    new: undefined,
    changes: [['operation-removed', 'dangerous', 'safe']],
  },
  {
    title: 'an operation is removed before its sunset',
    old: { ...plain, 'x-sunset': '2999-12-31' },
    new: undefined,
    changes: [['operation-removed', 'breaking', 'safe']],
  },
  {
    title: 'a sunset moves forward',
    old: { ...plain, 'x-sunset': '2999-12-31' },
    new: { ...plain, 'x-sunset': '2998-12-31' },
    changes: [['sunset-changed', 'dangerous', 'safe']],
  },
  {
    title: 'an operation is deprecated',
    old: plain,
    new: { ...plain, deprecated: true },
    changes: [['deprecation-changed', 'safe', 'safe']],
  },
  {
    title: 'an operation is renamed',
    old: { ...plain, operationId: 'before' },
    new: { ...plain, operationId: 'after' },
    changes: [['operation-id-changed', 'dangerous', 'dangerous']],
  },
  {
    title: 'only texts change',
    old: { ...plain, summary: 'Before' },
    new: { ...plain, summary: 'After', description: 'Longer' },
    changes: [],
  },
  {
    title: 'a credential is asked for',
    old: plain,
    new: { ...plain, security: [{ bearer: [] }] },
    changes: [['security-changed', 'breaking', 'safe']],
  },
  {
    title: 'a credential is no longer asked for',
    old: { ...plain, security: [{ bearer: [] }] },
    new: plain,
    changes: [['security-changed', 'safe', 'breaking']],
  },
  {
    title: 'another credential counts too',
    old: { ...plain, security: [{ bearer: [] }] },
    new: { ...plain, security: [{ bearer: [] }, { key: [] }] },
    changes: [['security-changed', 'safe', 'breaking']],
  },
  {
    title: 'a scope is asked for',
    old: { ...plain, security: [{ bearer: ['read'] }] },
    new: { ...plain, security: [{ bearer: ['read', 'write'] }] },
    changes: [['security-changed', 'breaking', 'safe']],
  },
  {
    title: 'an extension of the service changes',
    old: { ...plain, 'x-quota': 10 },
    new: { ...plain, 'x-quota': 20 },
    changes: [['extension-changed', 'info', 'info']],
  },
];
