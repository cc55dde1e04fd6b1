/** Writes the body of the function that checks one schema: tests with early returns, in the order of their cost. */
import { type JsonType, sameRow } from '@concordat/runtime/parts';
import { type Code, code, joined, NOTHING, spaces } from '../../text/code.js';
import { isLookedItem, writeEach, writeItems } from './array-writer.js';
import { assertionConditions, leafConditions, typeCondition } from './assertion-conditions.js';
import { all, any, condition, exactlyOne, not, type Condition } from './condition.js';
import {
  ANY_KIND,
  Evaluation,
  onlyIf,
  narrowed,
  only,
  type StatementWriter,
  type Surroundings,
} from './surroundings.js';
import { schemaList, schemaOf, type LinkedSchema, type SchemaObject } from './linked-schema.js';
import { isLookedProperty, writeProperties } from './object-writer.js';
import type { Scope } from './scope.js';
import { type InPlace, fits, inPlaceConditions, needsStatements } from './value-conditions.js';

const VALUE = code`value`;
const ANY_SURROUNDINGS: Surroundings = { fail: NOTHING, kinds: ANY_KIND, evaluation: undefined };

/** The maximum width of a line with several conditions. */
const WIDTH = 110;

/** Whether the schemas of a keyword are written as statements: always, or if an `unevaluated` keyword depends on their evaluations. */
const STATED: Readonly<Record<InPlace, boolean | 'tracked'>> = {
  ...sameRow(true, 'allOf', 'if'),
  nullOr: true,
  ...sameRow('tracked' as const, '$ref', 'anyOf', 'oneOf'),
  ...sameRow(false, 'not', 'readOnly', 'writeOnly'),
};

const ALWAYS_STATED = Object.keys(STATED).filter((keyword) => STATED[keyword as InPlace] === true);
const EVER_STATED = Object.keys(STATED).filter((keyword) => STATED[keyword as InPlace] !== false);

export class FunctionWriter implements StatementWriter {
  #lines: Code[] = [];
  #depth = 1;
  /** True until the schema of the function itself has been started. */
  #isWhole = true;

  constructor(readonly scope: Scope) {}

  /** The statements of a function whose parameter is `value`. */
  body(schema: LinkedSchema): Code {
    if (needsStatements(schema)) {
      this.schema(schema, VALUE, { fail: code`return false;`, kinds: ANY_KIND, evaluation: undefined });
      this.line(code`return true;`);
    } else this.line(code`return ${fits(this.scope, schema, VALUE, ANY_KIND, '').holds.text};`);
    return joined(this.#lines);
  }

  /** The statements of a function that answers with the keys of the evaluated properties or items, or with false. */
  lookingBody(schema: LinkedSchema): Code {
    const evaluation = new Evaluation([]);
    const keys = this.scope.local('looked');
    this.line(code`const ${keys} = new Set();`);
    this.#declared(evaluation.variables, () =>
      this.schema(schema, VALUE, { fail: code`return false;`, kinds: ANY_KIND, evaluation }),
    );
    const add = (is: Condition, key: Code): void => {
      if (is.holds.text !== 'false') this.line(code`if (${is.holds.text}) ${keys}.add(${key});`);
    };
    this.#forKind('array', VALUE, ANY_SURROUNDINGS, () =>
      writeEach(this, VALUE, 0, (index) => add(isLookedItem(evaluation, index), index)),
    );
    const key = this.scope.local('key');
    this.#forKind('object', VALUE, ANY_SURROUNDINGS, () =>
      this.block(code`for (const ${key} in ${VALUE})`, () =>
        add(isLookedProperty(this.scope, evaluation, key), key),
      ),
    );
    this.line(code`return ${keys};`);
    return joined(this.#lines);
  }

  line(text: Code): void {
    this.#lines.push(code`${spaces(2 * this.#depth)}${text}\n`);
  }

  /** Writes statements in braces, or nothing if there are no statements. */
  block(head: Code, write: () => void): void {
    this.line(code`${head} {`);
    const opened = this.#lines.length;
    this.#depth += 1;
    write();
    this.#depth -= 1;
    if (this.#lines.length === opened) this.#lines.pop();
    else this.line(code`}`);
  }

  /** Writes statements that fail unless all conditions hold. A line has as many conditions as fit. */
  require(conditions: readonly Condition[], fail: Code): void {
    let pending: Condition | undefined;
    const write = (): void => {
      if (pending !== undefined && pending.fails.text !== 'false')
        this.line(pending.fails.text === 'true' ? fail : code`if (${pending.fails.text}) ${fail}`);
    };
    for (const next of conditions) {
      const both = pending === undefined ? next : all([pending, next]);
      if (pending !== undefined && both.fails.text.length + 2 * this.#depth + fail.length + 5 > WIDTH) {
        write();
        pending = next;
      } else pending = both;
    }
    write();
  }

  /** The statements that check a value against a schema. */
  schema(schema: LinkedSchema, value: Code, around: Surroundings): void {
    const isWhole = this.#isWhole;
    this.#isWhole = false;
    if (typeof schema === 'boolean') {
      if (!schema) this.line(around.fail);
      return;
    }
    if ('unevaluatedProperties' in schema || 'unevaluatedItems' in schema) {
      // With tracking, small referenced schemas are written inline; a separate function avoids repeating them.
      const isOwn = around.evaluation !== undefined || isWhole;
      if (isOwn) this.#tracked(schema, value, around);
      else this.require([fits(this.scope, schema, value, around.kinds, 'tracked')], around.fail);
    } else if (around.evaluation !== undefined && this.scope.evaluates(schema)) {
      this.#keywords(schema, value, around);
    } else if (needsStatements(schema)) {
      this.#keywords(schema, value, { ...around, evaluation: undefined });
    } else this.require([fits(this.scope, schema, value, around.kinds, '')], around.fail);
  }

  /** Writes a schema with an `unevaluated` keyword. The variables that record the evaluations are declared before it. */
  #tracked(schema: SchemaObject, value: Code, around: Surroundings): void {
    const variables = around.evaluation?.variables ?? [];
    const evaluation = new Evaluation(variables);
    const write = (): void => this.#keywords(schema, value, { ...around, evaluation });
    if (around.evaluation === undefined) this.#declared(variables, write);
    else write();
    around.evaluation?.adopt(evaluation, schema);
  }

  /** Writes statements, and before them the declarations of the variables that they add to a list. */
  #declared(variables: readonly Code[], write: () => void): void {
    const start = this.#lines.length;
    write();
    if (variables.length === 0) return;
    const declaration = code`${spaces(2 * this.#depth)}let ${joined(variables, code`, `)};\n`;
    this.#lines.splice(start, 0, declaration);
  }

  #keywords(schema: SchemaObject, value: Code, around: Surroundings): void {
    const { scope } = this;
    const { fail, evaluation } = around;
    const kinds = narrowed(around.kinds, schema);
    const inside = { ...around, kinds };
    this.require(
      [
        typeCondition(scope, schema, value, around.kinds),
        ...leafConditions(scope, schema, value, kinds),
        ...(evaluation ? [] : inPlaceConditions(scope, schema, value, kinds, ALWAYS_STATED)),
      ],
      fail,
    );
    if (evaluation !== undefined) this.#trackedInPlace(schema, value, { ...inside, evaluation });
    for (const part of schemaList(schema, 'allOf')) this.schema(part, value, inside);
    this.#nullOr(schema, value, inside);
    this.#branches(schema, value, inside);
    this.#forKind('array', value, inside, () => {
      this.require(assertionConditions(scope, schema, value, 'array'), fail);
      writeItems(this, schema, value, { ...inside, kinds: new Set(['array']) });
    });
    this.#forKind('object', value, inside, () =>
      writeProperties(this, schema, value, { ...inside, kinds: new Set(['object']) }),
    );
  }

  #forKind(kind: JsonType, value: Code, { kinds }: Surroundings, write: () => void): void {
    if (!kinds.has(kind)) return;
    if (only(kinds, kind)) write();
    else
      this.block(code`if (${typeCondition(this.scope, { type: kind }, value, ANY_KIND).holds.text})`, write);
  }

  #nullOr(schema: SchemaObject, value: Code, around: Surroundings): void {
    const other = schemaOf(schema, 'nullOr');
    if (other === undefined) return;
    const kinds = new Set([...around.kinds].filter((kind) => kind !== 'null'));
    this.block(code`if (${value} !== null)`, () => this.schema(other, value, { ...around, kinds }));
  }

  #branches(schema: SchemaObject, value: Code, around: Surroundings): void {
    const asked = schemaOf(schema, 'if');
    if (asked === undefined) return;
    const [yes, no] = [schemaOf(schema, 'then') ?? true, schemaOf(schema, 'else') ?? true];
    const holds = this.#tried(asked, value, around, yes !== true && no !== true);
    if (yes === true && no === true) return;
    this.block(code`if (${holds.holds.text})`, () => this.schema(yes, value, onlyIf(around, holds)));
    this.block(code`if (${holds.fails.text})`, () => this.schema(no, value, onlyIf(around, not(holds))));
  }

  /** The condition of an `if`, in a variable if it is used twice. */
  #tried(asked: LinkedSchema, value: Code, around: Surroundings, isAskedTwice: boolean): Condition {
    if (around.evaluation !== undefined)
      return this.#trial(asked, value, { ...around, evaluation: around.evaluation });
    const fitting = fits(this.scope, asked, value, around.kinds, 'if');
    if (!isAskedTwice) return fitting;
    const name = this.scope.local('fitting');
    this.line(code`const ${name} = ${fitting.holds.text};`);
    return condition(name);
  }

  /** References and alternatives, each checked once, with a record of what they evaluate. */
  #trackedInPlace(schema: SchemaObject, value: Code, around: Tracked): void {
    const { $ref } = schema;
    this.require(inPlaceConditions(this.scope, schema, value, around.kinds, EVER_STATED), around.fail);
    if (typeof $ref === 'string') this.#trackedReference($ref, value, around);
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      if (!(keyword in schema)) continue;
      const trials = schemaList(schema, keyword).map((each) => this.#trial(each, value, around));
      this.require([keyword === 'anyOf' ? any(trials) : exactlyOne(trials)], around.fail);
    }
  }

  /** The statements of a small schema, or a call of the function of a large one, so that code does not grow with each reference. */
  #trackedReference(id: string, value: Code, around: Tracked): void {
    const called = this.scope.looking(id);
    if (called === undefined) {
      this.schema(this.scope.schema(id), value, around);
      return;
    }
    const keys = around.evaluation.variable(this.scope, 'looked');
    this.line(code`${keys} = ${called}(${value});`);
    this.require([condition(keys)], around.fail);
    around.evaluation.add({ keys });
  }

  /** A variable that is true if the value fits a schema that need not hold. */
  #trial(schema: LinkedSchema, value: Code, around: Tracked): Condition {
    const { scope } = this;
    const name = around.evaluation.variable(scope, 'fitting');
    const fitting = condition(name);
    if (!scope.evaluates(schema)) {
      this.line(code`${name} = ${fits(scope, schema, value, around.kinds, 'part').holds.text};`);
      return fitting;
    }
    const label = scope.local('trial');
    this.line(code`${name} = false;`);
    this.block(code`${label}:`, () => {
      this.schema(schema, value, { ...onlyIf(around, fitting), fail: code`break ${label};` });
      this.line(code`${name} = true;`);
    });
    return fitting;
  }
}

type Tracked = Surroundings & { readonly evaluation: Evaluation };
