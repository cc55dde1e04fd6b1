/** The types say of a value what its check says, where openapi-typescript by itself would not. */

import { expect } from 'chai';
import type { Schema } from '../../../src/codegen/openapi.js';
import { typesFile } from '../../../src/codegen/write/types-file.js';

/** The type that a schema of OpenAPI 3.0 is written as. */
async function typeOf(schema: Schema): Promise<string | undefined> {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Types', version: '1' },
    paths: {},
    components: { schemas: { A: schema, B: { type: 'object' as const } } },
  };
  return /^ +A: (.+);$/m.exec(await typesFile(document, '// A banner'))?.[1];
}

describe('the types of a nullable schema', () => {
  const rows: readonly (readonly [string, Schema, string])[] = [
    ['have null beside a type', { type: 'string', nullable: true }, 'string | null'],
    [
      'have none beside a reference',
      { nullable: true, allOf: [{ $ref: '#/components/schemas/B' }] },
      'components["schemas"]["B"]',
    ],
    ['have none that an enum leaves out', { type: 'string', nullable: true, enum: ['a'] }, '"a"'],
    ['have the null of an enum', { type: 'string', nullable: true, enum: ['a', null] }, '"a" | null'],
  ];
  for (const [what, schema, type] of rows) {
    it(what, async () => {
      const written = await typeOf(schema);
      expect(written?.split(' | ').sort()).to.deep.equal(type.split(' | ').sort());
    });
  }
});
