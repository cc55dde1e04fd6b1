/** The Ajv instance that compiles units: JSON Schema 2020-12 with the keywords of a normalised schema. */
import { _, Ajv2020, type CodeKeywordDefinition, type KeywordCxt, Name, nil } from 'ajv/dist/2020.js';
import { resolveRef, SchemaEnv } from 'ajv/dist/compile/index.js';
import { callValidateCode } from 'ajv/dist/vocabularies/code.js';
import reference from 'ajv/dist/vocabularies/core/ref.js';
import { FORMATS } from './formats.js';
import { patternExpression } from './keyword-checks.js';
import type { DispatchOn } from './normal-schema.js';

/** What the whole set of units asks of the instance. */
export interface CompilerOptions {
  /** True when some unit has `unevaluatedProperties` or `unevaluatedItems`, which make all others keep track. */
  readonly unevaluated: boolean;
  /** True when a property is called as a member that every object inherits, such as `constructor`. */
  readonly ownProperties: boolean;
}

/** Makes an Ajv that knows the keywords of a normalised schema and keeps the source of what it compiles. */
export function unitCompiler({ unevaluated, ownProperties }: CompilerOptions): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // JSON.parse makes Infinity of 1e999, which is no JSON number.
    strictNumbers: true,
    allErrors: false,
    // Only units that may insert defaults carry the keyword.
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
  // Ajv2020 switches both on for everybody; a schema set without these keywords does with much less code.
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = unevaluated;
  ajv
    .removeKeyword('$ref')
    .removeKeyword('readOnly')
    .removeKeyword('writeOnly')
    .removeKeyword('multipleOf')
    .removeKeyword('discriminator');
  for (const keyword of [call, multipleOf, readOnly, writeOnly, nullOr, dispatch]) ajv.addKeyword(keyword);
  for (const [name, format] of FORMATS) {
    if (format === 'annotation') continue;
    if (format.test instanceof RegExp) ajv.addFormat(name, format.test);
    else if (format.type === 'number') ajv.addFormat(name, { type: 'number', validate: () => true });
    // Compiled here, called only in the generated file: there the name stands for the function.
    else ajv.addFormat(name, () => true);
  }
  return ajv;
}

const compiledPattern = Object.assign(
  (pattern: string): RegExp => {
    const compiled = patternExpression(pattern);
    if (compiled === undefined) throw new Error(`"${pattern}" is not a regular expression`);
    return compiled;
  },
  { code: 'new RegExp' },
);

/**
 * A reference to a unit. Ajv goes on counting after a failed call; where nothing is tried, a failure is final, and
 * the check returns at once as it does for every other keyword.
 */
const call: CodeKeywordDefinition = {
  keyword: '$ref',
  schemaType: 'string',
  code(cxt: KeywordCxt) {
    const { gen, it } = cxt;
    const id: unknown = cxt.schema;
    if (it.compositeRule === true || it.opts.unevaluated === true) {
      reference.default.code(cxt);
      return;
    }
    const unit = resolveRef.call(it.self, it.schemaEnv.root, it.baseId, String(id));
    if (!(unit instanceof SchemaEnv)) throw new Error(`there is no unit ${String(id)}`);
    const validate = reference.getValidate(cxt, unit);
    gen.if(_`!${callValidateCode(cxt, validate, nil)}`, () => {
      gen.assign(_`${it.validateName}.errors`, _`${validate}.errors`);
      gen.return(false);
    });
  },
};

const multipleOf: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: {
    message: ({ schemaCode }) => _`"must be multiple of " + ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
  code(cxt: KeywordCxt) {
    const isMultiple = cxt.gen.scopeValue('func', {
      key: 'isMultiple',
      ref: isMultipleInGenerated,
      code: _`isMultiple`,
    });
    cxt.fail(_`!${isMultiple}(${cxt.data}, ${cxt.schemaCode})`);
  },
};

function isMultipleInGenerated(): boolean {
  return true;
}

const readOnly = absent('readOnly', 'must NOT be sent: it is read-only');
const writeOnly = absent('writeOnly', 'must NOT be returned: it is write-only');

/** A property that must not travel in this direction. */
function absent(keyword: string, message: string): CodeKeywordDefinition {
  return {
    keyword,
    schemaType: 'boolean',
    error: { message, params: _`{}` },
    code: (cxt) => {
      cxt.fail(_`true`);
    },
  };
}

/** Null, or what a schema says. */
const nullOr: CodeKeywordDefinition = {
  keyword: 'nullOr',
  schemaType: ['object', 'boolean'],
  code(cxt: KeywordCxt) {
    const { gen, data } = cxt;
    const valid = gen.let('valid', true);
    gen.if(_`${data} !== null`, () => {
      const inner = gen.name('_valid');
      const evaluated = cxt.subschema({ keyword: 'nullOr' }, inner);
      gen.assign(valid, inner);
      cxt.mergeValidEvaluated(evaluated, valid);
    });
    cxt.ok(valid);
  },
};

/** The branch that a property picks. That the property has one of the values is checked before, by `enum`. */
const dispatch: CodeKeywordDefinition = {
  keyword: 'dispatch',
  type: 'object',
  schemaType: 'array',
  code(cxt: KeywordCxt) {
    const { gen, data, parentSchema } = cxt;
    const branches = cxt.schema as readonly unknown[];
    const { property, values } = parentSchema['dispatchOn'] as DispatchOn;
    const tag = gen.const('tag', _`${data}[${property}]`);
    const valid = gen.let('valid', true);
    branches.forEach((branch, index) => {
      if (branch === true) return;
      const picked = (values[index] ?? []).map((value) => _`${tag} === ${value}`);
      const [first = _`false`, ...more] = picked;
      gen.if(
        more.reduce((either, next) => _`${either} || ${next}`, first),
        () => {
          const inner = gen.name('_valid');
          const evaluated = cxt.subschema({ keyword: 'dispatch', schemaProp: index }, inner);
          gen.assign(valid, inner);
          cxt.mergeEvaluated(evaluated, Name);
        },
      );
    });
    cxt.ok(valid);
  },
};
