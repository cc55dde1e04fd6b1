/** Finds every failure of a value, from the schema that a generated check carries. */

import type { Check } from '../contract/contract.js';
import type { ApplicatorTo } from '../contract/keywords.js';
import { findings, typeFinding } from './assertion-failures.js';
import {
  type CheckedSchema,
  type Failure,
  type Finding,
  type SchemaKeywords,
  type Trial,
  Looked,
  finding,
} from './failure.js';
import { isObject } from './json-value.js';
import { explainList, explainObject } from './part-failures.js';

/**
 * The maximum number of steps of an explanation, which take half a second. The limit of checks is higher, so an explanation also
 * gives up where its check did.
 */
const MOST_STEPS = 200_000;

/** The number of parts of a value whose checks may refuse them before parts are no longer checked, because checks of nested parts repeat. */
const MOST_REFUSED = 32;

/**
 * Finds every failure of a value that a check refused: first of its type, then of the value itself, then of its items and
 * properties. Defaults are inserted as in the check.
 *
 * @returns an empty list for a value that fits, and for a check without its schema; one failure if the value takes too many
 * steps, or is nested too deeply
 */
export function failuresOf(check: Check, value: unknown): readonly Failure[] {
  try {
    return new Explanation().attempt(check, value, '').failures;
  } catch (error) {
    // Each level of the value takes a part of the stack.
    if (error instanceof RangeError)
      return [{ instancePath: '', keyword: '$ref', params: {}, message: 'is nested too deeply' }];
    if (!(error instanceof TooManySteps)) throw error;
    const { place: instancePath } = error;
    return [{ instancePath, keyword: 'steps', params: {}, message: 'takes too many steps to check' }];
  }
}

/** Shares attempts within one explanation, because alternatives of a recursive schema lead to the same checks again and again. */
class Explanation {
  readonly #schemas = new Map<Check, CheckedSchema>();
  readonly #trials = new Map<Check, Map<string, SchemaTrial>>();
  #steps = 0;
  #refused = 0;

  /** Whether a part needs no explanation, because the check that its schema refers to accepts it. A check is far faster than an explanation. */
  isFitting(schema: unknown, value: unknown): boolean {
    if (!isReference(schema) || typeof value !== 'object' || this.#refused === MOST_REFUSED) return false;
    const { $ref: check } = schema;
    try {
      if (check.isRemembered !== true && check(value)) return true;
    } catch {
      // The check takes too many steps, or too much of the stack. So does the explanation, which says so.
    }
    this.#refused += 1;
    return false;
  }

  /** The attempt to fit a value to the schema of a check. */
  attempt(check: Check, value: unknown, place: string): SchemaTrial {
    if (check.isRemembered !== true) return this.#made(check, value, place);
    // A place identifies an object or list. It does not identify a text: the name of a property has the place of its object.
    const key = typeof value === 'object' ? place : `${place} ${value as string}`;
    const known = this.#trials.get(check) ?? new Map<string, SchemaTrial>();
    this.#trials.set(check, known);
    let trial = known.get(key);
    if (trial === undefined) {
      this.#steps += 1;
      if (this.#steps > MOST_STEPS) throw new TooManySteps(place);
      known.set(key, (trial = this.#made(check, value, place)));
    }
    return trial;
  }

  #made(check: Check, value: unknown, place: string): SchemaTrial {
    let schema = this.#schemas.get(check);
    if (schema === undefined)
      this.#schemas.set(check, (schema = (check.schema?.() ?? true) as CheckedSchema));
    const trial = new SchemaTrial(this);
    trial.schema(schema, value, place);
    return trial;
  }
}

/** Whether a schema only refers to a check. */
function isReference(schema: unknown): schema is { readonly $ref: Check } {
  return isObject(schema) && typeof schema['$ref'] === 'function' && Object.keys(schema).length === 1;
}

class TooManySteps extends Error {
  constructor(readonly place: string) {
    super('too many steps');
  }
}

class SchemaTrial implements Trial {
  /** The failures, and the attempts that hold more of them: a copy for each level of a deep value would take the square of its depth. */
  readonly #found: (Failure | SchemaTrial)[] = [];
  readonly looked = new Looked();

  constructor(private readonly explanation: Explanation) {}

  /** Each failure once, because alternatives that lead to the same check find the same failures. */
  get failures(): readonly Failure[] {
    const seen = new Set<Failure | SchemaTrial>();
    const open: (Failure | SchemaTrial)[] = [this];
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (seen.has(each)) continue;
      seen.add(each);
      // A spread would take stack for each failure of a long list.
      if (each instanceof SchemaTrial) for (const inner of each.#found.toReversed()) open.push(inner);
    }
    return [...seen].flatMap((each) => (each instanceof SchemaTrial ? [] : [each]));
  }

  get fits(): boolean {
    return this.#found.length === 0;
  }

  fail(place: string, { keyword, params, message }: Finding): void {
    this.#found.push({ instancePath: place, keyword, params, message });
  }

  part(schema: unknown, value: unknown, place: string): boolean {
    return this.explanation.isFitting(schema, value) || this.#adopt(this.attempt(schema, value, place));
  }

  same(schema: unknown, value: unknown, place: string): void {
    const inner = this.attempt(schema, value, place);
    this.#adopt(inner);
    this.looked.add(inner.looked);
  }

  #adopt(inner: SchemaTrial): boolean {
    if (!inner.fits) this.#found.push(inner);
    return inner.fits;
  }

  attempt(schema: unknown, value: unknown, place: string): SchemaTrial {
    // A plain reference needs no attempt of its own, which saves half of the stack of a deep value.
    if (isReference(schema)) return this.explanation.attempt(schema.$ref, value, place);
    const trial = new SchemaTrial(this.explanation);
    trial.schema(schema as CheckedSchema, value, place);
    return trial;
  }

  schema(schema: CheckedSchema, value: unknown, place: string): void {
    if (typeof schema === 'boolean') {
      if (!schema) this.fail(place, finding('false schema', {}, 'boolean schema is false'));
      return;
    }
    const wrong = typeFinding(schema, value);
    if (wrong !== undefined) {
      this.fail(place, wrong);
      return;
    }
    const type = typeof value;
    if (type === 'number' || type === 'string')
      for (const each of findings(type, schema, value)) this.fail(place, each);
    for (const each of findings('any', schema, value)) this.fail(place, each);
    for (const [keyword, explain] of STEPS) if (keyword in schema) explain(this, schema, value, place);
    if (Array.isArray(value)) explainList({ trial: this, schema, value, place });
    else if (isObject(value)) explainObject({ trial: this, schema, value, place });
  }

  /** Checks the same value against alternatives. */
  alternatives(keyword: 'anyOf' | 'oneOf', schemas: readonly unknown[], value: unknown, place: string): void {
    const attempts = schemas.map((each) => this.attempt(each, value, place));
    const fitting = attempts.flatMap(({ fits }, index) => (fits ? [index] : []));
    for (const { looked, fits } of attempts) if (fits || fitting.length === 0) this.looked.add(looked);
    if (keyword === 'anyOf' ? fitting.length > 0 : fitting.length === 1) return;
    const params = keyword === 'anyOf' ? {} : { passingSchemas: fitting.length === 0 ? null : fitting };
    const message =
      keyword === 'anyOf' ? 'must match a schema in anyOf' : 'must match exactly one schema in oneOf';
    const alternatives = attempts.filter(({ fits }) => !fits).map(({ failures }) => failures);
    this.#found.push({ instancePath: place, keyword, params, message, alternatives });
  }
}

type Explain = (trial: SchemaTrial, schema: SchemaKeywords, value: unknown, place: string) => void;

/** The keywords that apply schemas to the same value; `then` and `else` are explained with `if`. */
type InPlace =
  | Exclude<ApplicatorTo<'value'>, 'then' | 'else' | 'dependentSchemas'>
  | ('$ref' | 'readOnly' | 'writeOnly' | 'nullOr');

/** In the order of the failures. */
const IN_PLACE: Readonly<Record<InPlace, Explain>> = {
  not: (trial, { not }, value, place) => {
    if (trial.attempt(not, value, place).fits) trial.fail(place, finding('not', {}, 'must NOT be valid'));
  },
  anyOf: (trial, { anyOf }, value, place) => {
    trial.alternatives('anyOf', anyOf as readonly unknown[], value, place);
  },
  oneOf: (trial, { oneOf }, value, place) => {
    trial.alternatives('oneOf', oneOf as readonly unknown[], value, place);
  },
  allOf: (trial, { allOf }, value, place) => {
    for (const each of allOf as readonly unknown[]) trial.same(each, value, place);
  },
  $ref: (trial, { $ref }, value, place) => {
    trial.same({ $ref }, value, place);
  },
  readOnly: (trial, _, __, place) => {
    trial.fail(place, finding('readOnly', {}, 'must NOT be sent: it is read-only'));
  },
  writeOnly: (trial, _, __, place) => {
    trial.fail(place, finding('writeOnly', {}, 'must NOT be returned: it is write-only'));
  },
  if: (trial, schema, value, place) => {
    const condition = trial.attempt(schema['if'], value, place);
    if (condition.fits) trial.looked.add(condition.looked);
    trial.same((condition.fits ? schema['then'] : schema['else']) ?? true, value, place);
  },
  nullOr: (trial, { nullOr }, value, place) => {
    if (value !== null) trial.same(nullOr, value, place);
  },
};

const STEPS = Object.entries(IN_PLACE);
