/** Checks every example of a contract against its schema, and requires examples where readers need them. */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { child, entries, follow, isNode, type Node, operationsOf, type Place } from './contract-document.js';
import { exampleSites, examplesOf } from './example-sites.js';
import type { Problem } from './problem.js';

/** The keywords that OpenAPI 3.1 adds to JSON Schema (Schema Object, fixed fields). */
const OPENAPI_KEYWORDS = ['discriminator', 'xml', 'externalDocs', 'example'];

/** The examples that do not match their schema, and the places where an example is missing. */
export function exampleProblems(document: Node): Problem[] {
  return [...misfits(document), ...missingExamples(document)];
}

function misfits(document: Node): Problem[] {
  // 19.99 / 0.01 is not a whole number in floating point; rounded to six decimals it is.
  const ajv = new Ajv2020({
    allErrors: true,
    formats: fullFormats,
    multipleOfPrecision: 6,
    strictTypes: false,
  });
  // References are resolved in the whole document, whose other fields are not schema keywords.
  ajv.addVocabulary([...OPENAPI_KEYWORDS, ...Object.keys(document)]);
  ajv.addSchema(document, 'contract', undefined, false);
  const compiled = new Map<string, ValidateFunction>();
  return exampleSites(document).flatMap(({ example, schema }) => {
    try {
      const validate = compiled.get(schema) ?? ajv.compile({ $ref: `contract${fragment(schema)}` });
      compiled.set(schema, validate);
      if (validate(example.value)) return [];
      return [
        problem('example-fits-schema', example, ajv.errorsText(validate.errors, { dataVar: 'example' })),
      ];
    } catch (error) {
      return [problem('schema-compiles', { value: undefined, pointer: schema }, String(error))];
    }
  });
}

/** The request bodies and successful JSON responses without an example. */
function missingExamples(document: Node): Problem[] {
  const carriers = operationsOf(document).flatMap(({ operation, pointer }) => {
    const place = { value: operation, pointer };
    const successes = entries(child(place, 'responses')).filter(([status]) => status.startsWith('2'));
    return [child(place, 'requestBody'), ...successes.map(([, response]) => response)];
  });
  const mediaTypes = carriers
    .map((carrier) => child(child(follow(document, carrier), 'content'), 'application/json'))
    .filter(({ value }) => isNode(value));
  const bare = mediaTypes.filter((mediaType) => examplesOf(document, mediaType).length === 0);
  return [...new Map(bare.map((place) => [place.pointer, place])).values()].map((place) =>
    problem('has-example', place, 'A reader needs an example here.'),
  );
}

function problem(rule: string, { pointer }: Place, message: string): Problem {
  return { rule, place: pointer, message };
}

/** A pointer as a URI fragment (RFC 6901, section 6). */
function fragment(pointer: string): string {
  return pointer
    .split('/')
    .map((segment) => (segment === '#' ? segment : encodeURIComponent(segment)))
    .join('/');
}
