/** Draws an OpenAPI document from a seed: most are small and tidy, and now and then one is large, odd or faulty. */

import { Random } from '../simulation/random.js';
import { drawComponent, drawFamily, drawForm, drawGraph, drawLarge } from './draw-components.js';
import { type Operation, OperationDrawer, isToken } from './draw-operation.js';
import { SchemaDrawer, type SchemaObject, type Version } from './draw-schema.js';
import { withSamples } from './draw-samples.js';
import { withFaults } from './faults.js';
import { Names, pointerToken } from './names.js';

/** A document as plain data. */
export type Document = Readonly<Record<string, unknown>>;

const VERSIONS = { '3.0': ['3.0.0', '3.0.3'], '3.1': ['3.1.0', '3.1.1'], '3.2': ['3.2.0'] } as const;

export interface DrawOptions {
  /** The most operations of a large document. */
  readonly most: number;
}

export function drawDocument(seed: number, { most }: DrawOptions): Document {
  const random = new Random(seed);
  const version = random.pick(['3.0', '3.0', '3.1', '3.1', '3.2'] as const satisfies readonly Version[]);
  const oddity = random.pick([0, 0, 0.02, 0.1, 0.5]);
  const names = new Names(random, oddity);
  const taken = new Set<string>();
  const count = random.size(40);
  // A reference is a URI, and 3.0 and 3.1 allow only some names; other documents have them all the same.
  const isFit = (name: string): boolean => random.chance(0.2) || /^[\w.-]+$/.test(name);
  const components = Array.from({ length: count }, () => names.draw(taken, isFit));
  const forms = components.map(() => drawForm((all) => random.pick(all)));
  const drawer = new SchemaDrawer(
    random,
    names,
    version,
    components,
    (index) => forms[index] === 'object' || forms[index] === 'allOf',
    random.chance(0.2),
  );
  const schemas: Record<string, SchemaObject> = {
    ...Object.fromEntries(
      components.map((name, at) => [name, drawComponent(drawer, at, forms[at] ?? 'object')]),
    ),
    ...(random.chance(0.15) && drawFamily(drawer, 'Animal')),
    ...(random.chance(0.08) && drawGraph(drawer, random.chance(0.1) ? 60 : 8)),
    ...(random.chance(0.05) && drawLarge(drawer)),
  };
  const securitySchemes = drawSecurity(random, names);
  const sharedNames = ['One', 'NotFound', 'a.b-c_d'];
  const shared = {
    responses: random.chance(0.3) ? sharedNames : [],
    parameters: random.chance(0.2) ? sharedNames : [],
  };
  const operations = new OperationDrawer(drawer, Object.keys(securitySchemes), shared);
  const paths = drawPaths(drawer, operations, Object.keys(schemas), most);
  const document: Document = {
    openapi: random.pick(VERSIONS[version]),
    info: {
      title: names.any() || 'A',
      version: random.pick(['1', '0.1.0', '2.3.4-rc.1', 'v1']),
      ...(random.chance(0.3) && { description: random.text(200) }),
    },
    ...(random.chance(0.5) && { servers: drawServers(random) }),
    ...(random.chance(0.3) && { tags: [{ name: 'a' }, { name: names.any(), description: random.text(20) }] }),
    ...(random.chance(0.2) &&
      Object.keys(securitySchemes).length > 0 && {
        security: [{ [Object.keys(securitySchemes)[0] ?? '']: [] }],
      }),
    paths,
    ...(version !== '3.0' &&
      random.chance(0.1) && {
        webhooks: { [names.any() || 'a']: { post: operations.operation('post', []) } },
      }),
    components: {
      schemas,
      ...(shared.responses.length > 0 && {
        responses: Object.fromEntries(shared.responses.map((name) => [name, operations.response(false)])),
      }),
      ...(shared.parameters.length > 0 && {
        parameters: Object.fromEntries(
          shared.parameters.map((name, index) => [
            name,
            operations.parameter('query', `shared${String(index)}`),
          ]),
        ),
      }),
      ...(Object.keys(securitySchemes).length > 0 && { securitySchemes }),
    },
    ...(random.chance(0.1) && { 'x-c': { a: ['__proto__', 1] } }),
  };
  const sampled = random.chance(0.4) ? withSamples(document, random) : document;
  return random.chance(0.3) ? withFaults(sampled, random) : sampled;
}

function drawServers(random: Random): readonly object[] {
  const all = [
    { url: '/' },
    { url: '/v1' },
    { url: 'https://api.example.com/v1/' },
    { url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
    { url: '/{base}', variables: { base: { default: 'v2' } } },
  ];
  return Array.from({ length: random.size(3) }, () => random.pick(all) ?? {});
}

function drawSecurity(random: Random, names: Names): Readonly<Record<string, object>> {
  const kinds = [
    { type: 'http', scheme: 'bearer' },
    { type: 'http', scheme: 'basic' },
    { type: 'apiKey', in: 'header', name: 'X-Key' },
    { type: 'apiKey', in: 'query', name: 'key' },
    { type: 'apiKey', in: 'cookie', name: 'key' },
    { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://example.com/token', scopes: {} } } },
    { type: 'openIdConnect', openIdConnectUrl: 'https://example.com/id' },
  ];
  const taken = new Set<string>();
  const isFit = (name: string): boolean => /^[\w.-]+$/.test(name);
  return Object.fromEntries(
    Array.from({ length: random.whole(0, 3) }, () => [names.draw(taken, isFit), random.pick(kinds) ?? {}]),
  );
}

/** Paths of resources with lists, items and actions, and others. */
function drawPaths(
  drawer: SchemaDrawer,
  operations: OperationDrawer,
  components: readonly string[],
  most: number,
): Readonly<Record<string, unknown>> {
  const { random, names } = drawer;
  const paths: Record<string, Record<string, unknown>> = {};
  const isTaken = new Set<string>();
  const add = (path: string, method: string, operation: Operation): void => {
    (paths[path] ??= {})[method] = operation;
  };
  const segments = new Set<string>();
  const count = random.chance(0.005) ? most : random.size(12);
  for (let number = 0; number < count; number += 1) {
    const segment = names.draw(
      segments,
      (name) => !/[/{}?#]/.test(name) && name !== '' && !/^\.{1,2}$/.test(name),
    );
    const ending = random.pick(['', '', '', '', '', '.json', '/', ':list']);
    if (isTaken.has(segment)) continue;
    isTaken.add(segment);
    const component = random.pick(components);
    const record =
      component === undefined || random.chance(0.2)
        ? undefined
        : { $ref: `#/components/schemas/${pointerToken(component)}` };
    const base = `${random.chance(0.1) ? '/api' : ''}/${segment}`;
    const id = names.draw(new Set(), (name) => !/[{}/?#]/.test(name) && name !== '');
    const item = `${base}/{${id}}${ending === ':list' ? '' : ending}`;
    const kind = random.next();
    if (kind < 0.6) {
      add(`${base}${ending}`, 'get', operations.operation('get', [], listOf(drawer, record)));
      if (random.chance(0.6))
        add(`${base}${ending}`, 'post', operations.operation('post', [], envelope(drawer, record)));
      for (const method of ['get', 'put', 'patch', 'delete'])
        if (random.chance(0.5))
          add(item, method, operations.operation(method, [id], envelope(drawer, record)));
      if (random.chance(0.2))
        add(
          `${base}/{${id}}${random.pick(['/', ':'])}archive`,
          'post',
          operations.operation('post', [id], record),
        );
      if (random.chance(0.1))
        add(`${base}/{${id}}/parts/{part}`, 'get', operations.operation('get', [id, 'part']));
    } else {
      const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'] as const;
      add(`${base}${ending}`, random.pick(methods), operations.operation('post', [], record));
    }
    if (random.chance(0.05)) {
      const shared = operations.parameter('query', names.draw(new Set(), isToken));
      Object.assign(paths[`${base}${ending}`] ?? {}, { parameters: [{ ...shared, name: 'ofPath' }] });
    }
  }
  return paths;
}

function listOf(drawer: SchemaDrawer, record: SchemaObject | undefined): SchemaObject | undefined {
  const { random } = drawer;
  if (record === undefined || random.chance(0.1)) return undefined;
  const items = { type: 'array', items: record };
  const name = random.pick(['data', 'items', 'results', 'records', 'content']);
  const count = random.pick(['total', 'count', 'total_count', 'totalElements']);
  const form = random.whole(0, 3);
  if (form === 0) return items;
  if (form === 1) return { type: 'object', required: [name], properties: { [name]: items } };
  if (form === 2)
    return {
      type: 'object',
      required: [name, count],
      properties: { [name]: items, [count]: { type: 'integer' } },
    };
  return {
    type: 'object',
    properties: {
      [name]: items,
      meta: { type: 'object', properties: { [count]: { type: 'integer' }, next: { type: 'string' } } },
    },
  };
}

function envelope(drawer: SchemaDrawer, record: SchemaObject | undefined): SchemaObject | undefined {
  const { random } = drawer;
  if (record === undefined || random.chance(0.75)) return record;
  const name = random.pick(['data', 'item', 'result']);
  return { type: 'object', required: [name], properties: { [name]: record } };
}
