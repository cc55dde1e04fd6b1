/**
 * Writes a large document of the shape that Dropshot, a server of Rust, gives its documents: unions tagged by an `enum` of one value, references
 * wrapped into `allOf` for their descriptions, and long patterns. `tsx test/bench/large-contract/dropshot-document.ts FILE [COPIES]`.
 */

import { writeFileSync } from 'node:fs';

type Schema = Readonly<Record<string, unknown>> & { readonly pattern?: string };

const OCTET = '([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])';
const HEX = '[0-9a-fA-F]{1,4}';
const IPV6 = [
  `(${HEX}:){7,7}${HEX}`,
  `(${HEX}:){1,7}:`,
  ...[1, 2, 3, 4, 5].map((n) => `(${HEX}:){1,${7 - n}}(:${HEX}){1,${n}}`),
  `${HEX}:((:${HEX}){1,6})`,
  `:((:${HEX}){1,7}|:)`,
  'fe80:(:[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}',
  `::(ffff(:0{1,4}){0,1}:){0,1}(${OCTET}\\.){3,3}${OCTET}`,
  `(${HEX}:){1,4}:(${OCTET}\\.){3,3}${OCTET}`,
].join('|');
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const SEMVER =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$';

const text = (pattern: string, others: Schema = {}): Schema => ({ type: 'string', pattern, ...others });

/** The schemas that all resources share. */
export const NAMED: Readonly<Record<string, Schema>> = {
  Name: text(`^(?!${UUID}$)^[a-z]([a-zA-Z0-9-]*[a-zA-Z0-9]+)?$`, { minLength: 1, maxLength: 63 }),
  Ipv4Net: text(`^(${OCTET}\\.){3}${OCTET}/([0-9]|1[0-9]|2[0-9]|3[0-2])$`),
  Ipv6Net: text(`^(${IPV6})/([0-9]|[1-9][0-9]|1[0-1][0-9]|12[0-8])$`),
  MacAddr: text('^([0-9a-fA-F]{0,2}:){5}[0-9a-fA-F]{0,2}$', { minLength: 5, maxLength: 17 }),
  L4PortRange: text('^[0-9]{1,5}(-[0-9]{1,5})?$', { minLength: 1, maxLength: 11 }),
  RoleName: text('[a-z-]+\\.[a-z-]+', { maxLength: 63 }),
  SemverVersion: text(SEMVER),
  ByteCount: { type: 'integer', format: 'uint64', minimum: 0 },
  Vni: { type: 'integer', format: 'uint32', minimum: 0 },
  Ipv4Range: object({ first: { type: 'string', format: 'ipv4' }, last: { type: 'string', format: 'ipv4' } }),
  IpNet: {
    oneOf: ['Ipv4Net', 'Ipv6Net'].map((name) => ({ title: name, allOf: [refer(name)] })),
  },
};

function refer(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function object(properties: Schema): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

const wrapped = (name: string): Schema => ({
  description: `The ${name} of the resource, as it was given when the resource was made`,
  allOf: [refer(name)],
});

const variant = (property: string, value: string, properties: Schema): Schema => ({
  description: `The resource is ${value}`,
  ...object({ [property]: { type: 'string', enum: [value] }, ...properties }),
});

const STATES = [
  'creating',
  'attached',
  'detached',
  'importing',
  'faulted',
  'destroyed',
  'migrating',
  'rebooting',
];

/** The schemas of one resource. Each copy of a document has them under another number. */
function resource(n: number): Readonly<Record<string, Schema>> {
  const names = Object.keys(NAMED);
  const pick = (offset: number): Schema => wrapped(names[(n + offset) % names.length] ?? 'Name');
  const nullable = (inner: Schema): Schema => ({ nullable: true, ...inner });
  return {
    [`State${n}`]: {
      oneOf: STATES.map((state, index) =>
        variant(
          'state',
          state,
          index % 2 === 0 ? {} : { instance: { type: 'string', format: 'uuid' }, at: pick(index) },
        ),
      ),
    },
    [`Source${n}`]: {
      oneOf: STATES.map((kind, index) =>
        variant('type', kind, {
          block_size: wrapped('ByteCount'),
          value: pick(index),
          subnet: {
            oneOf: [
              variant('type', 'v4', { value: refer('Ipv4Net') }),
              variant('type', 'v6', { value: refer('Ipv6Net') }),
            ],
          },
          ...(n > 0 && index === 0 && { parent: wrapped(`Resource${n - 1}`) }),
        }),
      ),
    },
    [`Resource${n}`]: {
      description: `A resource of the kind ${n}`,
      ...object({
        id: { type: 'string', format: 'uuid' },
        name: wrapped('Name'),
        size: wrapped('ByteCount'),
        state: wrapped(`State${n}`),
        source: wrapped(`Source${n}`),
        mac: wrapped('MacAddr'),
        subnets: { type: 'array', items: refer('IpNet') },
        gateway: nullable(wrapped('IpNet')),
        role: nullable(wrapped('RoleName')),
        version: wrapped('SemverVersion'),
        time_created: { type: 'string', format: 'date-time' },
      }),
    },
    [`Resource${n}Create`]: object({
      name: wrapped('Name'),
      description: { type: 'string' },
      size: wrapped('ByteCount'),
      source: wrapped(`Source${n}`),
      ports: { type: 'array', items: refer('L4PortRange'), uniqueItems: true },
    }),
    [`Resource${n}ResultsPage`]: object({
      items: { type: 'array', items: refer(`Resource${n}`) },
      next_page: { nullable: true, type: 'string' },
    }),
  };
}

const json = (name: string): Schema => ({ content: { 'application/json': { schema: refer(name) } } });
const failures = {
  '4XX': { $ref: '#/components/responses/Error' },
  '5XX': { $ref: '#/components/responses/Error' },
};

function pathsOf(n: number): Readonly<Record<string, Schema>> {
  const project = { in: 'query', name: 'project', schema: { $ref: '#/components/schemas/NameOrId' } };
  const limit = {
    in: 'query',
    name: 'limit',
    schema: { nullable: true, type: 'integer', format: 'uint32', minimum: 1 },
  };
  const answer = (status: number, body: Schema): Schema => ({
    [status]: { description: 'success', ...body },
    ...failures,
  });
  const id = {
    in: 'path',
    name: 'resource',
    required: true,
    schema: { $ref: '#/components/schemas/NameOrId' },
  };
  return {
    [`/v1/resources${n}`]: {
      get: {
        operationId: `resource${n}_list`,
        parameters: [limit, project],
        responses: answer(200, json(`Resource${n}ResultsPage`)),
      },
      post: {
        operationId: `resource${n}_create`,
        parameters: [project],
        requestBody: { required: true, ...json(`Resource${n}Create`) },
        responses: answer(201, json(`Resource${n}`)),
      },
    },
    [`/v1/resources${n}/{resource}`]: {
      get: {
        operationId: `resource${n}_view`,
        parameters: [id, project],
        responses: answer(200, json(`Resource${n}`)),
      },
      delete: { operationId: `resource${n}_delete`, parameters: [id], responses: answer(204, {}) },
    },
  };
}

/** A document with so many kinds of resources; 45 of them are 1.06 MB. */
export function dropshotDocument(copies: number): Schema {
  const numbers = [...Array(copies).keys()];
  return {
    openapi: '3.0.3',
    info: { title: 'Resources', version: '1.0.0' },
    paths: Object.assign({}, ...numbers.map(pathsOf)) as Schema,
    components: {
      responses: { Error: { description: 'Error', ...json('Error') } },
      schemas: {
        ...NAMED,
        Error: object({ message: { type: 'string' }, request_id: { type: 'string' } }),
        NameOrId: {
          oneOf: [
            { title: 'id', allOf: [{ type: 'string', format: 'uuid' }] },
            { title: 'name', allOf: [refer('Name')] },
          ],
        },
        ...(Object.assign({}, ...numbers.map(resource)) as Schema),
      },
    },
  };
}

const [, , file, copies = '45'] = process.argv;
if (process.argv[1]?.endsWith('dropshot-document.ts') && file !== undefined)
  writeFileSync(file, JSON.stringify(dropshotDocument(Number(copies)), undefined, 1));
