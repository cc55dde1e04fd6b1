/** Changes of a document, each with the kinds of changes that `diff` must find, and how bad they are for clients and for servers. */

import type { Random } from '../simulation/random.js';
import type { Severity } from '../../src/tools/diff/change/change.js';
import { pointerToken } from './names.js';
import { type Node, isNode, memberOf } from './parts.js';

type Writable = Record<string, unknown>;

export interface Mutation {
  /** The kinds of changes when it is made, and when it is taken back; empty if it is none. */
  readonly kinds: readonly (readonly [done: string, undone: string])[];
  /** How bad the change is for clients that are not changed yet, done and undone. */
  readonly client: readonly [done: readonly Severity[], undone: readonly Severity[]];
  /** Whether it may change nothing, such as the schema of an alternative beside one that takes every value. */
  readonly mayBeIdle?: true;
  /** Changes an operation of the copy. @returns whether it could */
  readonly change: (operation: Writable, item: Writable, document: Writable, random: Random) => boolean;
}

const ANY: readonly Severity[] = ['breaking', 'dangerous', 'info', 'safe'];
const SAFE: readonly Severity[] = ['safe'];
const BREAKING: readonly Severity[] = ['breaking'];
const CAREFUL: readonly Severity[] = ['dangerous', 'safe'];

/** The keywords that may say something about a property that is added. */
const CONDITIONAL = /^(?:additional|pattern|unevaluated|dependent|propertyNames|if|not|allOf)/;

/** Adds an optional property to an object whose other keywords do not speak of its members. @returns whether it is such an object */
function withAnotherProperty(schema: Node): boolean {
  if (schema['type'] !== 'object' || !isNode(schema['properties'])) return false;
  if (Object.keys(schema).some((key) => CONDITIONAL.test(key))) return false;
  (schema['properties'] as Writable)['added-by-mutation'] = { type: 'integer' };
  return true;
}

/** Adds to a list that is a member of a part. */
const push = (part: Writable, name: string, value: unknown): boolean => {
  part[name] = [...(Array.isArray(part[name]) ? (part[name] as unknown[]) : []), value];
  return true;
};
const parameter = (required: boolean): object => ({
  ...{ name: 'added-by-mutation', in: 'query', schema: { type: 'integer' } },
  ...(required && { required }),
});
/** The methods that this operation's path does not have. */
const jsonBody = (operation: Writable): Writable | undefined => {
  const media = memberOf(memberOf(operation['requestBody'], 'content'), 'application/json');
  return isNode(media) ? media : undefined;
};

/** The components of a section that are no references and that a part of an operation refers to itself. */
function usedComponents(document: Node, operation: Node, section: string): readonly Writable[] {
  const text = JSON.stringify(operation);
  const members = memberOf(document['components'], section);
  return Object.entries(isNode(members) ? members : {}).flatMap(([name, part]) =>
    isNode(part) &&
    !('$ref' in part) &&
    text.includes(JSON.stringify(`#/components/${section}/${pointerToken(name)}`))
      ? [part as Writable]
      : [],
  );
}

/** Changes a component that an operation refers to, and with it all operations that do. */
const ofComponent =
  (section: string, change: (part: Writable) => boolean): Mutation['change'] =>
  (operation, _item, document, random) => {
    const part = random.pick(usedComponents(document, operation, section));
    return part !== undefined && change(part);
  };

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'another description': {
    kinds: [],
    client: [[], []],
    change: (operation) => ((operation['description'] = 'Another one'), true),
  },
  'a required parameter': {
    kinds: [['parameter-added', 'parameter-removed']],
    client: [BREAKING, CAREFUL],
    change: (operation) => push(operation, 'parameters', parameter(true)),
  },
  'an optional parameter': {
    kinds: [['parameter-added', 'parameter-removed']],
    client: [SAFE, CAREFUL],
    change: (operation) => push(operation, 'parameters', parameter(false)),
  },
  'a removed operation': {
    kinds: [
      ['operation-removed', 'operation-added'],
      ['callback-removed', 'callback-added'],
    ],
    client: [['breaking', 'dangerous', 'safe'], ANY],
    change: (operation, item) => {
      const method = Object.keys(item).find((each) => item[each] === operation);
      // Without it, requests for it may be those of another path.
      return method !== undefined && Reflect.deleteProperty(item, method);
    },
  },
  'another status': {
    kinds: [['status-added', 'status-removed']],
    client: [ANY, ANY],
    change: ({ responses }) => {
      if (!isNode(responses) || '418' in responses || '4XX' in responses || 'default' in responses)
        return false;
      (responses as Writable)['418'] = { description: 'A teapot' };
      return true;
    },
  },
  'a deprecation': {
    kinds: [['deprecation-changed', 'deprecation-changed']],
    client: [ANY, ANY],
    change: (operation) => operation['deprecated'] !== true && ((operation['deprecated'] = true), true),
  },
  'another extension': {
    kinds: [['extension-changed', 'extension-changed']],
    client: [['info'], ['info']],
    change: (operation) => ((operation['x-added-by-mutation'] = 1), true),
  },
  'another media type of the request': {
    kinds: [['request-media-type-added', 'request-media-type-removed']],
    client: [SAFE, BREAKING],
    change: (operation) => {
      const content = memberOf(operation['requestBody'], 'content');
      if (
        !isNode(content) ||
        Object.keys(content).some((type) => type.includes('*')) ||
        Object.keys(content).length === 0
      )
        return false;
      (content as Writable)['application/added-by-mutation+json'] = { schema: { type: 'integer' } };
      return true;
    },
  },
  'a body that need not be there': {
    kinds: [['request-body-became-optional', 'request-body-became-required']],
    client: [SAFE, BREAKING],
    change: ({ requestBody }) => {
      if (!isNode(requestBody) || requestBody['required'] !== true) return false;
      (requestBody as Writable)['required'] = false;
      return true;
    },
  },
  'another type of the body': {
    kinds: [['type-changed', 'type-changed']],
    client: [BREAKING, BREAKING],
    change: (operation) => {
      const media = jsonBody(operation);
      if (media === undefined) return false;
      const { schema } = media;
      if (
        !isNode(schema) ||
        Object.keys(schema).join() !== 'type' ||
        !['string', 'boolean'].includes(String(schema['type']))
      )
        return false;
      media['schema'] = { type: 'integer' };
      return true;
    },
  },
  'an optional property of the body': {
    kinds: [['property-added', 'property-removed']],
    client: [ANY, ANY],
    change: (operation) => {
      const schema = jsonBody(operation)?.['schema'];
      return isNode(schema) && withAnotherProperty(schema);
    },
  },
  'an optional property of a component': {
    kinds: [['property-added', 'property-removed']],
    client: [ANY, ANY],
    mayBeIdle: true,
    change: ofComponent('schemas', withAnotherProperty),
  },
  'a required property of a component': {
    kinds: [
      ['property-added', 'property-removed'],
      ['property-became-required', 'property-became-optional'],
    ],
    client: [ANY, ANY],
    mayBeIdle: true,
    change: ofComponent(
      'schemas',
      (schema) => withAnotherProperty(schema) && push(schema, 'required', 'added-by-mutation'),
    ),
  },
  'a value of the enum of a component': {
    kinds: [['enum-value-added', 'enum-value-removed']],
    client: [ANY, ANY],
    mayBeIdle: true,
    change: ofComponent(
      'schemas',
      (schema) =>
        schema['type'] === 'string' &&
        Array.isArray(schema['enum']) &&
        push(schema, 'enum', 'added-by-mutation'),
    ),
  },
  'a media type of a shared response': {
    kinds: [['response-media-type-added', 'response-media-type-removed']],
    client: [ANY, ANY],
    change: ofComponent('responses', ({ content }) => {
      if (!isNode(content) || Object.keys(content).length === 0) return false;
      if (Object.keys(content).some((type) => type.includes('*'))) return false;
      (content as Writable)['application/added-by-mutation+json'] = { schema: { type: 'integer' } };
      return true;
    }),
  },
  'a shared parameter that is required': {
    kinds: [['parameter-became-required', 'parameter-became-optional']],
    client: [BREAKING, SAFE],
    change: ofComponent(
      'parameters',
      (shared) => shared['required'] !== true && ((shared['required'] = true), true),
    ),
  },
};

const METHODS = /^(?:get|put|post|patch|delete|head|options)$/;

/** A copy of a document with one mutation. @returns undefined if none fits */
export function mutatedCopy(
  document: Node,
  random: Random,
): { readonly name: string; readonly copy: Node } | undefined {
  const copy = JSON.parse(JSON.stringify(document)) as Writable;
  const operations = Object.values(isNode(copy['paths']) ? copy['paths'] : {})
    .filter(isNode)
    .flatMap((item) =>
      Object.entries(item).flatMap(([method, operation]) =>
        METHODS.test(method) && isNode(operation) ? [{ operation, item }] : [],
      ),
    );
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { operation, item } = random.pick(operations) ?? {};
    const name = random.pick(Object.keys(MUTATIONS)) ?? '';
    if (
      operation !== undefined &&
      item !== undefined &&
      MUTATIONS[name]?.change(operation, item, copy, random) === true
    )
      return { name, copy };
  }
  return undefined;
}
