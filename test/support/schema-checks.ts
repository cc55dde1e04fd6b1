/** Checks values against any schema of a document. */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { follow, type Node, type Place } from '../contract/contract-document.js';

/** The schemas of a document, compiled on first use. */
export class SchemaChecks {
  // 19.99 / 0.01 is not a whole number in floating point; rounded to six decimals it is.
  readonly #ajv = new Ajv2020({ formats: fullFormats, multipleOfPrecision: 6, strict: false });
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(private readonly document: Node) {
    this.#ajv.addSchema(document, 'contract', undefined, false);
  }

  /** @param what - the name of the value in the messages */
  problems(value: unknown, schema: Place, what: string): readonly string[] {
    const { pointer } = follow(this.document, schema);
    const check = this.#checks.get(pointer) ?? this.#ajv.compile({ $ref: `contract${fragment(pointer)}` });
    this.#checks.set(pointer, check);
    return check(value) ? [] : [this.#ajv.errorsText(check.errors, { dataVar: what })];
  }
}

/** A pointer as a URI fragment (RFC 6901, section 6). */
function fragment(pointer: string): string {
  return pointer
    .split('/')
    .map((segment) => (segment === '#' ? segment : encodeURIComponent(segment)))
    .join('/');
}
