/** Compiles normalised schemas with Ajv: JSON Schema 2020-12 and the few keywords that normalising adds. */
import { _, Ajv2020, type CodeKeywordDefinition, Name, nil } from 'ajv/dist/2020.js';
import { resolveRef, SchemaEnv } from 'ajv/dist/compile/index.js';
import type { AnyValidateFunction } from 'ajv/dist/types/index.js';
import { callValidateCode } from 'ajv/dist/vocabularies/code.js';
import { getValidate } from 'ajv/dist/vocabularies/core/ref.js';
import { KEYWORDS } from './ajv-keywords.js';
import { FORMATS } from './formats.js';
import { patternExpression } from './keyword-checks.js';
import type { NormalSchema } from './normal-schema.js';

/** What the whole set of schemas asks of the compiler. */
export interface CompilerOptions {
  /** The ids of those that keep track of what they have looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly tracked: ReadonlySet<string>;
  /** True when a property is called as a member that every object inherits, such as `constructor`. */
  readonly ownProperties: boolean;
}

/** Compiles normalised schemas that refer to one another by id. */
export class SchemaCompiler {
  readonly #ajv: Ajv2020;
  readonly #tracked: ReadonlySet<string>;

  constructor({ tracked, ownProperties }: CompilerOptions) {
    this.#tracked = tracked;
    this.#ajv = new Ajv2020({
      strict: false,
      // JSON.parse makes Infinity of 1e999, which is no JSON number.
      strictNumbers: true,
      allErrors: false,
      // Only schemas that may insert defaults carry the keyword.
      useDefaults: true,
      // A list of names in a loop is easier to read than as many comparisons; a few comparisons are faster.
      loopRequired: 5,
      inlineRefs: false,
      validateSchema: false,
      meta: false,
      addUsedSchema: false,
      ownProperties,
      logger: false,
      code: { source: true, esm: true, lines: true, optimize: true, regExp: compiledPattern },
    });
    this.#ajv.opts.dynamicRef = false;
    const ownReference = this.#ajv.getKeyword('$ref') as CodeKeywordDefinition;
    for (const keyword of REPLACED) this.#ajv.removeKeyword(keyword);
    for (const keyword of [this.#reference(ownReference), ...KEYWORDS]) {
      this.#ajv.addKeyword(keyword);
    }
    addFormats(this.#ajv);
  }

  /** Makes a schema known, so that others can refer to it. */
  add(id: string, schema: NormalSchema): void {
    this.#ajv.addSchema(schema, id);
  }

  /** The check of a schema that was added, with its source. */
  compile(id: string): AnyValidateFunction {
    return this.#tracking(id, () => {
      const validate = this.#ajv.getSchema(id);
      if (validate === undefined) throw new Error(`there is no schema ${id}`);
      return validate;
    });
  }

  /** Ajv2020 makes every function keep track; this switches it on for those that must, which makes much less code. */
  #tracking<T>(id: string, compile: () => T): T {
    const { opts } = this.#ajv;
    const outer = opts.unevaluated;
    opts.unevaluated = this.#tracked.has(id);
    try {
      return compile();
    } finally {
      opts.unevaluated = outer ?? false;
    }
  }

  /**
   * A reference to another schema. Ajv goes on counting after a failed call; where nothing is tried, a failure is
   * final, and the check returns at once as it does for every other keyword.
   *
   * @param ownReference Ajv's own definition of the keyword
   */
  #reference(ownReference: CodeKeywordDefinition): CodeKeywordDefinition {
    return {
      keyword: '$ref',
      schemaType: 'string',
      code: (cxt) => {
        const { gen, it } = cxt;
        const id = String(cxt.schema);
        const target = this.#tracking(id, () => resolveRef.call(it.self, it.schemaEnv.root, it.baseId, id));
        const isTracked = it.opts.unevaluated === true && this.#tracked.has(id);
        if (isTracked || !(target instanceof SchemaEnv)) {
          ownReference.code(cxt);
          return;
        }
        const validate = getValidate(cxt, target);
        gen.if(_`!${callValidateCode(cxt, validate, nil)}`, () => {
          const errors = _`${validate}.errors`;
          if (it.compositeRule === true) {
            gen.assign(
              VALIDATE_ERRORS,
              _`${VALIDATE_ERRORS} === null ? ${errors} : ${VALIDATE_ERRORS}.concat(${errors})`,
            );
            gen.assign(ERROR_COUNT, _`${VALIDATE_ERRORS}.length`);
          } else {
            gen.assign(_`${it.validateName}.errors`, errors);
            gen.return(false);
          }
        });
      },
    };
  }
}

/** The variables of Ajv's generated code that hold the failures so far, and their number. */
const VALIDATE_ERRORS = new Name('vErrors');
const ERROR_COUNT = new Name('errors');

/** Keywords that mean something else here, or nothing. */
const REPLACED = ['$ref', 'readOnly', 'writeOnly', 'multipleOf', 'prefixItems', 'if', 'discriminator'];

function addFormats(ajv: Ajv2020): void {
  for (const [name, format] of FORMATS) {
    if (format === 'annotation') continue;
    if (format.test instanceof RegExp) ajv.addFormat(name, format.test);
    else if (format.type === 'number') ajv.addFormat(name, { type: 'number', validate: () => true });
    // Compiled here, called only in the generated file: there the name stands for the function.
    else ajv.addFormat(name, () => true);
  }
}

const compiledPattern = Object.assign(
  (pattern: string): RegExp => {
    const compiled = patternExpression(pattern);
    if (compiled === undefined) throw new Error(`"${pattern}" is not a regular expression`);
    return compiled;
  },
  { code: 'new RegExp' },
);
