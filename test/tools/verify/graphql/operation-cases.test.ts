/** The GraphQL requests that are made of a schema: the plain ones are valid, and all together use everything. */

import { basename } from 'node:path';
import { expect } from 'chai';
import {
  type GraphQLSchema,
  TypeInfo,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { readSchema } from '../../../../src/codegen/generator/graphql/read-schema.js';
import type { OperationCase } from '../../../../src/tools/verify/graphql/requests/graphql-request.js';
import {
  expectedOutcomeOf,
  writtenOf,
} from '../../../../src/tools/verify/graphql/requests/graphql-request.js';
import { OperationCases } from '../../../../src/tools/verify/graphql/requests/operation-cases.js';
import { rootFieldsOf } from '../../../../src/tools/values/graphql/operation-draft.js';
import { contractsFolder, describeWith } from '../../../support/outside-files.js';

const FILES = [
  'test/tools/verify/graphql/library.graphql',
  'schema.graphql',
  `${contractsFolder}swapi.graphql`,
];

for (const file of FILES) {
  describeWith(file, `the requests of ${basename(file)}`, () => {
    let schema: GraphQLSchema;
    let plain: readonly OperationCase[] = [];
    let edges: readonly OperationCase[] = [];

    before(async () => {
      schema = await readSchema(file);
      const roots = rootFieldsOf(schema);
      const cases = new OperationCases(schema, roots);
      plain = roots.flatMap((root) => [...cases.plain(root)]);
      edges = roots.filter(({ kind }) => kind !== 'subscription').flatMap((root) => [...cases.edges(root)]);
    });

    const refusalOf = (each: OperationCase): string => {
      const expected = expectedOutcomeOf(schema, writtenOf(schema, '/graphql', each, each.variables, {}));
      return 'refusal' in expected ? `${each.root.id}: ${each.about}: ${expected.refusal}` : '';
    };

    it('are valid where they are plain', () => {
      expect(plain.map(refusalOf).filter((text) => text !== '')).to.deep.equal([]);
    });

    it('are refused where they are broken', () => {
      const broken =
        /that the (?:schema|document) does not have|missing|within itself|ends early|no operation|not (?:used|declared)|without a value|another type|beyond Int/;
      const isMeant = ({ about }: OperationCase): boolean => broken.test(about);
      expect(
        edges.filter((each) => isMeant(each) && refusalOf(each) === '').map(({ about }) => about),
      ).to.deep.equal([]);
    });

    it('select every field, and give every argument', () => {
      const used = new Set<string>();
      for (const { document } of [...plain, ...edges]) {
        const types = new TypeInfo(schema);
        visit(
          document,
          visitWithTypeInfo(types, {
            Field: () =>
              void used.add(`${types.getParentType()?.name ?? ''}.${types.getFieldDef()?.name ?? ''}`),
            Argument: ({ name }) => void used.add(`${types.getFieldDef()?.name ?? ''}(${name.value})`),
          }),
        );
      }
      const wanted = Object.values(schema.getTypeMap())
        .filter((type) => !type.name.startsWith('__') && !isInputObjectType(type))
        .flatMap((type) =>
          isObjectType(type) || isInterfaceType(type)
            ? Object.values(type.getFields()).map((field) => ({ type, field }))
            : [],
        )
        .flatMap(({ type, field }) => [
          `${type.name}.${field.name}`,
          ...field.args.map(({ name }) => `${field.name}(${name})`),
        ]);
      expect(wanted.filter((each) => !used.has(each))).to.deep.equal([]);
    });
  });
}
