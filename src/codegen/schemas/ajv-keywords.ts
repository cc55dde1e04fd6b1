/** Ajv's side of the keywords that normalising adds to JSON Schema 2020-12, or gives another meaning. */
import { _, type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv/dist/2020.js';
import { alwaysValidSchema, mergeEvaluated } from 'ajv/dist/compile/util.js';
import type { AnySchema } from 'ajv/dist/types/index.js';
import type { DispatchOn } from './normal-schema.js';

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

/**
 * Ajv 8.20 writes `if (len0 > 0) {…; var valid0 = true}` and then asks `valid0`: an array that is shorter than the list
 * leaves out every keyword after this one, such as `contains`.
 */
const prefixItems: CodeKeywordDefinition = {
  keyword: 'prefixItems',
  type: 'array',
  schemaType: 'array',
  before: 'items',
  code(cxt: KeywordCxt) {
    const { gen, data, it } = cxt;
    const schemas = cxt.schema as readonly AnySchema[];
    if (it.opts.unevaluated === true && it.items !== true) {
      it.items = mergeEvaluated.items(gen, schemas.length, it.items);
    }
    const length = gen.const('len', _`${data}.length`);
    schemas.forEach((schema, index) => {
      if (alwaysValidSchema(it, schema)) return;
      const valid = gen.let('valid', true);
      gen.if(_`${length} > ${index}`, () => {
        const inner = gen.name('_valid');
        cxt.subschema({ keyword: 'prefixItems', schemaProp: index, dataProp: index }, inner);
        gen.assign(valid, inner);
      });
      cxt.ok(valid);
    });
  },
};

/**
 * Ajv 8.20 takes what `if` has looked at for evaluated also where the value fails it, and ignores an `if` that stands
 * alone (Core §10.2.2.1).
 */
const conditional: CodeKeywordDefinition = {
  keyword: 'if',
  schemaType: ['object', 'boolean'],
  trackErrors: true,
  code(cxt: KeywordCxt) {
    const { gen, parentSchema, it } = cxt;
    if (!('then' in parentSchema) && !('else' in parentSchema) && it.opts.unevaluated !== true) return;
    const condition = gen.name('_valid');
    const tested = cxt.subschema({ keyword: 'if', compositeRule: true, createErrors: false }, condition);
    cxt.reset();
    cxt.mergeValidEvaluated(tested, condition);
    const valid = gen.let('valid', true);
    const branch = (keyword: 'then' | 'else') => (): void => {
      if (!(keyword in parentSchema)) return;
      const inner = gen.name('_valid');
      const taken = cxt.subschema({ keyword }, inner);
      gen.assign(valid, inner);
      cxt.mergeValidEvaluated(taken, inner);
    };
    gen.if(condition, branch('then'), branch('else'));
    cxt.ok(valid);
  },
};

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

/** All of them but `$ref`, which is the compiler's own. */
export const KEYWORDS: readonly CodeKeywordDefinition[] = [
  ...[multipleOf, readOnly, writeOnly],
  ...[prefixItems, conditional, nullOr, dispatch],
];
