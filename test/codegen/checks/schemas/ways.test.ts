/** Compares compiled checks with Ajv for schemas that are reached in many ways: by references, in compositions, and beside null. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { AnySchema } from '../any-schema.js';
import { someOf } from '../../../support/budget.js';
import { compiled, component, documentOf, imported } from './compiled.js';

type Schemas = Record<string, AnySchema>;

const ref = (name: string): AnySchema => ({ $ref: `#/components/schemas/${name}` });
const tagged = (tag: string, prop: string): AnySchema => ({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', enum: [tag] }, prop: { type: prop } },
});
const union = (keyword: 'oneOf' | 'anyOf', mapping?: Readonly<Record<string, string>>): AnySchema => ({
  [keyword]: [ref('Text'), ref('Count')],
  discriminator: { propertyName: 'type', ...(mapping && { mapping }) },
});

/** The alternatives of the unions, and a schema whose alternatives extend it. */
const PARTS: Schemas = { Text: tagged('t', 'string'), Count: tagged('c', 'integer') };

const TARGETS: Readonly<Record<string, AnySchema>> = {
  Union: union('oneOf'),
  Mapped: union('oneOf', { t: '#/components/schemas/Text', c: 'Count' }),
  Any: union('anyOf'),
  Closed: { allOf: [union('oneOf')], required: ['prop'] },
  Record: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
  Word: { type: 'string', enum: ['t', 'c'] },
  List: { type: 'array', items: { type: 'integer' }, minItems: 1 },
};

/** Ways to reach a schema; `named` makes a component of a schema. */
const WAYS: Readonly<
  Record<string, (target: AnySchema, named: (schema: AnySchema) => AnySchema) => AnySchema>
> = {
  directly: (target) => target,
  byName: (target, named) => named(target),
  byTwoNames: (target, named) => named(named(target)),
  allOf: (target) => ({ allOf: [target] }),
  namedAllOf: (target, named) => named({ allOf: [named(target)] }),
  extended: (target, named) =>
    named({ allOf: [named(target), { properties: { more: { type: 'boolean' } } }] }),
  oneOf: (target) => ({ oneOf: [target] }),
  anyOf: (target, named) => named({ anyOf: [named(target)] }),
};

const NULLABLE: Readonly<Record<'3.0.3' | '3.1.0', typeof WAYS>> = {
  '3.0.3': {
    described: (target, named) => named({ description: 'A target', allOf: [named(target)], nullable: true }),
    typed: (target, named) => ({ type: 'object', nullable: true, oneOf: [named(target)] }),
  },
  '3.1.0': {
    orNull: (target, named) => ({ anyOf: [named(target), { type: 'null' }] }),
    eitherNull: (target, named) => named({ oneOf: [named(target), { type: 'null' }] }),
  },
};

const tags = ['t', 'c', 'x', undefined];
const OBJECTS = tags.flatMap((type) =>
  [{}, { prop: 'a' }, { prop: 5 }, { a: 1 }, { more: 1 }, { more: true, prop: 'a' }].map((rest) => ({
    ...(type !== undefined && { type }),
    ...rest,
  })),
);
const VALUES: readonly unknown[] = [...OBJECTS, null, 't', 'z', '', 1, true, [], [1], ['a'], [null]];

/** Every pair of ways to every target, and half of the pairs unless everything is tried. */
function schemasOf(version: '3.0.3' | '3.1.0'): {
  readonly schemas: Schemas;
  readonly roots: readonly string[];
} {
  const schemas: Schemas = { ...PARTS };
  const named = (schema: AnySchema): AnySchema => {
    const name = `Named${String(Object.keys(schemas).length)}`;
    schemas[name] = schema;
    return ref(name);
  };
  const roots: string[] = [];
  const ways = Object.entries({ ...WAYS, ...NULLABLE[version] });
  for (const [target, schema] of Object.entries(TARGETS)) {
    for (const [index, [first, inner]] of ways.entries()) {
      for (const [second, outer] of someOf(ways, 2, index % 2)) {
        const root = `${target}_${first}_${second}`;
        schemas[root] = outer(inner(schema, named), named);
        roots.push(root);
      }
    }
  }
  return { schemas, roots };
}

describe('a check agrees with Ajv on a schema that is reached in any way', () => {
  for (const version of ['3.0.3', '3.1.0'] as const) {
    it(`in OpenAPI ${version}`, async () => {
      const { schemas, roots } = schemasOf(version);
      const document = documentOf(version, schemas);
      const { unsupported, ...files } = compiled(
        document,
        roots.flatMap((name) => [component(name, 'request'), component(name, 'response')]),
      );
      expect(unsupported.filter(({ isNotice }) => isNotice !== true)).to.deep.equal([]);
      const checks = [await imported(files.requests.js), await imported(files.responses.js)];
      const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
      ajv.addSchema({ $id: 'document', ...document });
      const differences: string[] = [];
      const verdicts = { true: 0, false: 0 };
      for (const root of roots) {
        const judge = ajv.compile({ $ref: `document#/components/schemas/${root}` });
        for (const value of VALUES) {
          const isValid = judge(value);
          verdicts[`${isValid}`] += 1;
          for (const each of checks) {
            const isAccepted = each[`check${root}`]?.(structuredClone(value)) ?? true;
            if (isAccepted !== isValid)
              differences.push(`${root} ${JSON.stringify(value)} ${String(isAccepted)}`);
          }
        }
      }
      expect(differences.slice(0, 10)).to.deep.equal([]);
      expect(verdicts.true).to.be.greaterThan(roots.length);
      expect(verdicts.false).to.be.greaterThan(roots.length);
    });
  }
});
