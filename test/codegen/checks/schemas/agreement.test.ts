/** Compares compiled checks with a plain reading of the specification, and with Ajv itself, on random schemas and values. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ValidatorRequest } from '../../../../src/codegen/checks/schemas/compile-validators.js';
import type { AnySchema } from '../any-schema.js';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { runs } from '../../../support/budget.js';
import { compiled, component, documentOf, imported } from './compiled.js';
import { holds } from './interpreter.js';
import { COMPONENTS, randomSchemas, value } from './random-schemas.js';

type Schemas = Readonly<Record<string, AnySchema>>;
type Verdict = (name: string, value: unknown) => boolean;

const values = fc.array(value, { minLength: 20, maxLength: 20 });

/** Each run compares sixty values with the schemas of a document. */
const RUNS = runs(200);

describe('a compiled check agrees', () => {
  it('with the specification, plainly read', async function () {
    this.timeout(120_000 + 1_000 * RUNS);
    await agree(
      true,
      'request',
      (schemas) => (name, candidate) => holds(schemas[name] ?? true, candidate, schemas),
    );
  });

  it('with Ajv', async function () {
    this.timeout(120_000 + 1_000 * RUNS);
    await agree(false, 'response', ajvVerdict);
  });
});

/** Fails on the first value on which a compiled check and another judge differ. */
async function agree(
  unevaluated: boolean,
  direction: 'request' | 'response',
  judge: (schemas: Schemas) => Verdict,
): Promise<void> {
  const verdicts = { true: 0, false: 0 };
  await fc.assert(
    fc.asyncProperty(randomSchemas(unevaluated), values, async (schemas, candidates) => {
      const wanted: readonly ValidatorRequest[] = COMPONENTS.map((name) => component(name, direction));
      const {
        unsupported,
        trivial,
        [`${direction}s` as const]: file,
      } = compiled(documentOf('3.1.0', schemas), wanted);
      // Judges overflow the stack on these; here they are unsupported, which other tests look at.
      fc.pre(unsupported.every(({ feature }) => feature !== 'endless-reference'));
      expect(unsupported).to.deep.equal([]);
      const checks = await imported(file.js);
      const verdict = judge(schemas);
      for (const name of COMPONENTS) {
        const check = checks[`check${name}`];
        expect(check === undefined).to.equal(trivial.has(`check${name}`));
        for (const candidate of candidates) {
          const accepted = check?.(structuredClone(candidate)) ?? true;
          const judged = judgement(() => verdict(name, candidate));
          // A judge overflows the stack on schemas that ask for themselves beside one that decides at once.
          fc.pre(judged !== undefined);
          expect(accepted, `${name} ${JSON.stringify(candidate)}`).to.equal(judged);
          const failures = check === undefined ? [] : failuresOf(check, structuredClone(candidate));
          expect(failures.length === 0, JSON.stringify(failures)).to.equal(accepted);
          verdicts[`${accepted}`] += 1;
        }
      }
    }),
    { numRuns: RUNS },
  );
  // Agreeing means something only where both verdicts occur often.
  expect(verdicts.true).to.be.greaterThan(100);
  expect(verdicts.false).to.be.greaterThan(100);
}

/** @returns undefined where the judge overflows the stack */
function judgement(judge: () => boolean): boolean | undefined {
  try {
    return judge();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function ajvVerdict(schemas: Schemas): Verdict {
  const ajv = new Ajv2020({ strict: false, strictNumbers: true, validateSchema: false, logger: false });
  // Keeping track of what no schema here asks for, Ajv 8.20 now and then writes code that crashes.
  ajv.opts.unevaluated = false;
  ajv.addSchema({ $id: 'document', ...documentOf('3.1.0', schemas) });
  const checks = new Map<string, ValidateFunction>();
  return (name, candidate) => {
    const check = checks.get(name) ?? ajv.compile({ $ref: `document#/components/schemas/${name}` });
    checks.set(name, check);
    return check(candidate);
  };
}
