/** The rules of this contract that no general linter has. Each entry is one rule and returns the problems it finds. */
import {
  child,
  entries,
  follow,
  isNode,
  items,
  type Node,
  objectsOf,
  type OperationPlace,
  operationsOf,
  type Place,
  rootOf,
} from './contract-document.js';
import type { Problem } from './problem.js';

type Finding = Omit<Problem, 'rule'>;

/** The rules for every operation. */
const EVERY_OPERATION = ['400', '406', '429', '500', '503'];
const WITH_BODY = ['413', '415'];
const WITH_CALLER = ['401', '403'];

const RULES: Readonly<Record<string, (document: Node) => Finding[]>> = {
  'operation-is-described': everyOperation(({ operation }) => [
    ...['operationId', 'summary', 'description', 'security', 'tags']
      .filter((field) => operation[field] === undefined || operation[field] === '')
      .map((field) => `has no ${field}`),
  ]),
  'operation-id-is-camel-case': everyOperation(({ operation }) =>
    /^[a-z][a-zA-Z0-9]*$/.test(String(operation['operationId'])) ? [] : ['operationId is not camelCase'],
  ),
  'summary-is-a-title': everyOperation(({ operation }) => {
    const summary = String(operation['summary']);
    return summary.length <= 60 && !summary.endsWith('.')
      ? []
      : ['summary is over 60 characters or ends in a full stop'];
  }),
  'statuses-are-complete': everyOperation(({ operation }) => {
    const looksAtCallers = Array.isArray(operation['security']) && operation['security'].length > 0;
    const declared = isNode(operation['responses']) ? Object.keys(operation['responses']) : [];
    const due = [
      ...EVERY_OPERATION,
      ...(operation['requestBody'] === undefined ? [] : WITH_BODY),
      ...(looksAtCallers ? WITH_CALLER : []),
    ];
    return due.filter((status) => !declared.includes(status)).map((status) => `does not declare ${status}`);
  }),
  'error-is-shared': (document) =>
    responsesOf(document)
      .filter(({ status, place }) => status >= '400' && !(isNode(place.value) && '$ref' in place.value))
      .map(({ place }) => ({
        place: place.pointer,
        message: 'An error response is a $ref to components.responses.',
      })),
  'json-and-xml-say-the-same': (document) =>
    unique(
      responsesOf(document)
        .map(({ place }) => child(follow(document, place), 'content'))
        .filter(({ value }) => value !== undefined && !offersBoth(value))
        .map(({ pointer }) => ({
          place: pointer,
          message: 'JSON and XML are offered, with one and the same schema $ref.',
        })),
    ),
  'object-is-written-once': (document) => {
    const objects = objectsOf(child(rootOf(document), 'components'))
      .concat(objectsOf(child(rootOf(document), 'paths')))
      .filter(({ node }) => node['type'] === 'object' && isNode(node['properties']));
    const firsts = new Map<string, string>();
    return objects.flatMap(({ node, pointer }) => {
      const shape = canonical(node);
      const first = firsts.get(shape);
      if (first === undefined) firsts.set(shape, pointer);
      return first === undefined ? [] : [{ place: pointer, message: `The same object schema as ${first}.` }];
    });
  },
  'object-is-closed-and-described': (document) =>
    entries(child(child(rootOf(document), 'components'), 'schemas')).flatMap(([, place]) => {
      const { value } = place;
      if (!isNode(value)) return [];
      const described = typeof value['description'] === 'string' || '$ref' in value;
      const closed =
        value['type'] !== 'object' ||
        value['additionalProperties'] === false ||
        value['unevaluatedProperties'] === false ||
        // Each alternative is checked by this rule separately.
        Array.isArray(value['oneOf']) ||
        isBase(document, place);
      return [
        ...(described ? [] : [{ place: place.pointer, message: 'The schema has no description.' }]),
        ...(closed ? [] : [{ place: place.pointer, message: 'The object schema is open.' }]),
      ];
    }),
  'component-is-used': (document) => {
    const used = new Set(objectsOf(rootOf(document)).map(({ node }) => node['$ref']));
    return entries(child(rootOf(document), 'components'))
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([, section]) => entries(section))
      .filter(([, { pointer }]) => !used.has(pointer))
      .map(([, { pointer }]) => ({ place: pointer, message: 'Nothing refers to this component.' }));
  },
  'extension-is-documented': (document) => {
    const text = String(child(child(rootOf(document), 'info'), 'description').value);
    return objectsOf(rootOf(document)).flatMap(({ node, pointer }) =>
      Object.keys(node)
        .filter((key) => key.startsWith('x-') && !text.includes(`\`${key}`))
        .map((key) => ({
          place: `${pointer}/${key}`,
          message: `info.description does not say what ${key} means.`,
        })),
    );
  },
};

/** The violations of the house rules. */
export function houseRuleProblems(document: Node): Problem[] {
  return Object.entries(RULES).flatMap(([rule, check]) =>
    check(document).map((finding) => ({ rule, ...finding })),
  );
}

function everyOperation(check: (operation: OperationPlace) => string[]): (document: Node) => Finding[] {
  return (document) =>
    operationsOf(document).flatMap((operation) =>
      check(operation).map((message) => ({ place: operation.pointer, message })),
    );
}

function responsesOf(document: Node): { status: string; place: Place }[] {
  return operationsOf(document).flatMap(({ operation, pointer }) =>
    entries(child({ value: operation, pointer }, 'responses')).map(([status, place]) => ({ status, place })),
  );
}

function offersBoth(content: unknown): boolean {
  const place = { value: content, pointer: '' };
  const refs = ['application/json', 'application/xml'].map(
    (mediaType) => child(child(child(place, mediaType), 'schema'), '$ref').value,
  );
  return typeof refs[0] === 'string' && refs[0] === refs[1] && entries(place).length === 2;
}

/** Whether other schemas include this one; those must then be closed themselves. */
function isBase(document: Node, { pointer }: Place): boolean {
  return objectsOf(child(child(rootOf(document), 'components'), 'schemas')).some(
    ({ node, pointer: at }) =>
      (node['$ref'] === pointer && 'unevaluatedProperties' in node) ||
      items(child({ value: node, pointer: at }, 'allOf')).some(
        ({ value }) => isNode(value) && value['$ref'] === pointer,
      ),
  );
}

/** The constraints of a schema, without its descriptions and in a fixed order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (!isNode(item)) return item;
    const kept = Object.entries(item).filter(([name]) => key === 'properties' || name !== 'description');
    return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function unique(findings: Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.place, finding])).values()];
}
