/** Compiles every schema of the contracts beside this checkout, when there are any. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadContract } from '../../../../src/codegen/contract/load/load.js';
import { dialectOf } from '../../../../src/codegen/contract/schemas/dialect.js';
import { isObject, type OpenApiDocument } from '../../../../src/codegen/contract/schemas/document.js';
import type { ValidatorRequest } from '../../../../src/codegen/checks/schemas/compile-validators.js';
import { joinPointer } from '../../../../src/codegen/text/pointer.js';
import { contractsFolder as folder, describeWith } from '../../../support/outside-files.js';
import { compiled, imported } from './compiled.js';

/** What these contracts say that no check can hold them to. */
const GAPS: Readonly<Record<string, readonly string[]>> = {
  'github-rest.openapi-3.0.json': ['default-in-composition'],
  'train-travel/openapi.yaml': ['unknown-format'],
};

describeWith(folder, 'the contracts in ../shared/contracts', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /openapi.*\.(json|ya?ml)$/.test(file),
  );

  for (const file of files) {
    it(`compile: ${file}`, async () => {
      const { document } = await loadContract(join(folder, file));
      const places = [...schemasIn(document, '#')];
      const wanted = places.flatMap((pointer, index): ValidatorRequest[] => [
        { name: `request_${index}_`, schema: { pointer }, direction: 'request' },
        { name: `response_${index}_`, schema: { pointer }, direction: 'response' },
      ]);
      const { requests, responses, unsupported, trivial } = compiled(document, wanted);
      expect(
        // Each of these contracts has integers that are larger in other languages.
        [...new Set(unsupported.map(({ feature }) => feature))].filter((each) => each !== 'large-integer'),
        JSON.stringify(unsupported),
      ).to.have.members(GAPS[file] ?? []);
      const checks = { ...(await imported(requests.js)), ...(await imported(responses.js)) };
      expect(Object.keys(checks).length + trivial.size).to.equal(wanted.length);
      for (const { name } of wanted) {
        const check = checks[name];
        // Whatever the schema, some value is decided without a crash.
        for (const value of [null, 'text', 1.5, [], [{}], {}])
          expect(check?.(value) ?? true).to.be.a('boolean');
      }
      expect(dialectOf(document).version).to.equal(document.openapi.slice(0, 3));
    });
  }
});

/** The places of the schemas that the document's operations use, and of its components. */
function* schemasIn(document: OpenApiDocument, at: string): Generator<string> {
  for (const name of Object.keys(document.components?.schemas ?? {}))
    yield joinPointer('#/components/schemas', name);
  yield* usedIn((document as { readonly paths?: unknown }).paths, `${at}/paths`);
}

function* usedIn(value: unknown, at: string): Generator<string> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* usedIn(item, joinPointer(at, index));
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (key === 'schema') yield joinPointer(at, key);
      else if (key !== 'example' && key !== 'examples') yield* usedIn(member, joinPointer(at, key));
    }
  }
}
