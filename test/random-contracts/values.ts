/** Draws values for schemas, most of which fit, and changes them at one place; Ajv says which of them fit. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Random } from '../simulation/random.js';
import type { Document } from './draw-document.js';
import { FORMATS, PATTERNS } from './draw-schema.js';
import { type Node, isNode } from './parts.js';

/** A schema of OpenAPI 3.0 as one of JSON Schema 2020-12. */
function upgraded(schema: unknown, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((each: unknown) => upgraded(each));
  if (!isNode(schema)) return schema;
  // Keywords beside a reference are ignored.
  if (!isMap && typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const { nullable, exclusiveMinimum, ...others } = isMap
    ? ({ ...schema, nullable: undefined } as Node)
    : schema;
  const entries = Object.entries(isMap ? schema : others).map(([key, inner]) =>
    ['enum', 'example', 'default', 'mapping'].includes(key) && !isMap
      ? [key, inner]
      : [key, upgraded(inner, key === 'properties' && !isMap)],
  );
  const whole = Object.fromEntries(entries) as Record<string, unknown>;
  if (isMap) return whole;
  if (exclusiveMinimum === true && 'minimum' in whole) {
    whole['exclusiveMinimum'] = whole['minimum'];
    delete whole['minimum'];
  }
  if (nullable === true && typeof whole['type'] === 'string') whole['type'] = [whole['type'], 'null'];
  return whole;
}

/**
 * A schema without what Ajv does otherwise than 2020-12, in other words: a `$dynamicRef` that is a pointer is a `$ref` (Core §8.2.3.2), and a
 * condition of `dependentSchemas` that does not hold leaves what other keywords evaluate (§10.2.2.4).
 */
function asAjvReads(schema: unknown): unknown {
  const text = JSON.stringify(schema).replaceAll('"$dynamicRef":"#/', '"$ref":"#/');
  return JSON.parse(text, (_, part: unknown) => {
    if (!isNode(part) || !isNode(part['dependentSchemas'])) return part;
    const { dependentSchemas, allOf = [], ...others } = part;
    const conditions = Object.entries(dependentSchemas).map(([name, then]) => ({
      if: { required: [name] },
      then,
    }));
    return { ...others, allOf: [...(allOf as readonly unknown[]), ...conditions] };
  });
}

/** The schemas of a document, judged by Ajv. */
export class Judge {
  // Those formats whose texts are drawn, and no others: an unknown format says nothing.
  readonly #ajv = new Ajv2020({
    formats: Object.fromEntries(
      Object.entries(fullFormats).filter(([name]) => Object.hasOwn(FORMATS, name) || name === 'int32'),
    ),
    strict: false,
    validateSchema: false,
    logger: false,
    multipleOfPrecision: 6,
    ownProperties: true,
    // What is evaluated is looked up by name, also by that of a member that every object inherits.
    code: {
      process: (text) => text.replaceAll(/(\bprops\d+ (?:=|\|\|) )\{\}/g, '$1Object.create(null)'),
    },
  });
  readonly #schemas: Readonly<Record<string, unknown>>;
  readonly #is30: boolean;

  constructor(document: Document) {
    this.#is30 = String(document['openapi']).startsWith('3.0');
    const { components } = document;
    const schemas = isNode(components) && isNode(components['schemas']) ? components['schemas'] : {};
    this.#schemas = Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.#read(schema)]),
    );
    this.#ajv.addSchema(
      { $id: 'document', components: { schemas: this.#schemas } },
      undefined,
      undefined,
      false,
    );
  }

  #read(schema: unknown): unknown {
    return this.#is30 ? upgraded(schema) : asAjvReads(schema);
  }

  /**
   * A check of a schema of the document; undefined where Ajv has none.
   *
   * @param isRequest - whether an absent property may get a default: then the check does not decide about a value without a required one
   */
  checkOf(schema: unknown, isRequest = false): ((value: unknown) => boolean | undefined) | undefined {
    try {
      const check: ValidateFunction = this.#ajv.compile(leadingTo(this.#read(schema), 'document') as Node);
      const isUndecided = (): boolean => isRequest && check.errors?.[0]?.keyword === 'required';
      return (value) => check(value) || (isUndecided() ? undefined : false);
    } catch {
      return undefined;
    }
  }

  /** A value for a schema, which often fits. */
  draw(schema: unknown, random: Random): unknown {
    return new ValueDrawer(this.#schemas, random).draw(this.#read(schema), 0);
  }
}

/** The schema with references into another document. */
function leadingTo(schema: unknown, id: string): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('Ref":"#', `Ref":"${id}#`).replaceAll('$ref":"#', `$ref":"${id}#`),
  ) as unknown;
}

class ValueDrawer {
  #count = 0;

  constructor(
    private readonly schemas: Readonly<Record<string, unknown>>,
    private readonly random: Random,
  ) {}

  draw(schema: unknown, depth: number): unknown {
    this.#count += 1;
    if (!isNode(schema) || depth > 200) return 'any';
    const { random } = this;
    const parts = [schema, ...this.#target(schema['$ref'])];
    const { allOf, anyOf, oneOf, enum: values, type } = schema;
    if ('const' in schema) return schema['const'];
    if (Array.isArray(values) && values.length > 0) return random.pick(values as readonly unknown[]);
    for (const each of [anyOf, oneOf])
      if (Array.isArray(each) && each.length > 0) parts.push(random.pick(each) as Node);
    if (Array.isArray(allOf)) parts.push(...(allOf as readonly Node[]));
    const drawn = parts.slice(1).map((part) => this.draw(part, depth + 1));
    const kind = Array.isArray(type) ? random.pick(type as readonly unknown[]) : type;
    if (kind === undefined && !('properties' in schema) && drawn.length > 0 && !drawn.every(isNode))
      return drawn[0];
    switch (kind) {
      case 'string':
        return this.#text(schema);
      case 'integer':
      case 'number':
        return this.#number(schema, kind === 'integer');
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      case 'array':
        return this.#list(schema, depth);
      default:
        if (kind !== 'object' && !('properties' in schema) && drawn.length === 0)
          return random.pick(['any', 1, null, {}]);
        return Object.assign({}, ...drawn.filter(isNode), this.#object(schema, depth)) as unknown;
    }
  }

  #target(reference: unknown): readonly Node[] {
    if (typeof reference !== 'string') return [];
    const name = decodeURIComponent(reference.split('/').at(-1) ?? '')
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    const found = Object.hasOwn(this.schemas, name) ? this.schemas[name] : undefined;
    return isNode(found) ? [found] : [];
  }

  #text({ format, pattern, minLength = 0, maxLength }: Node): string {
    const { random } = this;
    if (typeof format === 'string' && Object.hasOwn(FORMATS, format))
      return random.pick(FORMATS[format] ?? []) ?? '';
    const known = PATTERNS.find(([each]) => each === pattern);
    if (known !== undefined) return known[1];
    const most = typeof maxLength === 'number' ? maxLength : 40;
    return random
      .text(Math.max(1, Math.min(most, 40)))
      .padEnd(Number(minLength), 'a')
      .slice(0, most);
  }

  #number({ minimum, exclusiveMinimum, maximum, multipleOf = 1 }: Node, isWhole: boolean): number {
    const least = Number(exclusiveMinimum ?? Number(minimum ?? -3) - 1) + 1;
    const most = Math.min(Number(maximum ?? least + 20), least + 20);
    const number =
      Math.ceil(this.random.whole(least, Math.max(least, most)) / Number(multipleOf)) * Number(multipleOf);
    return isWhole || this.random.chance(0.5) ? number : number + 0.5;
  }

  #list({ items, prefixItems, minItems = 0, maxItems = 5 }: Node, depth: number): readonly unknown[] {
    const most = depth > 4 || this.#count > 500 ? 0 : Math.min(Number(maxItems), 3);
    const count = Math.max(Number(minItems), this.random.whole(0, most));
    const first = Array.isArray(prefixItems) ? (prefixItems as readonly unknown[]) : [];
    return Array.from({ length: count }, (_, index) => this.draw(first[index] ?? items ?? {}, depth + 1));
  }

  #object({ properties = {}, required, additionalProperties, patternProperties }: Node, depth: number): Node {
    const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
    const isFull = depth < 4 && this.#count < 300;
    const own = Object.entries(properties as Node).filter(
      ([name]) => needed.includes(name) || (isFull && this.random.chance(0.4)),
    );
    const missing = needed.filter((name) => !Object.hasOwn(properties as Node, String(name)));
    const more =
      isNode(additionalProperties) && isFull && this.random.chance(0.5)
        ? [['zz', additionalProperties] as const]
        : [];
    const patterned =
      isNode(patternProperties) && isFull ? [['x_1', Object.values(patternProperties)[0]] as const] : [];
    return Object.fromEntries(
      [...own, ...more, ...patterned, ...missing.map((name) => [String(name), {}] as const)].map(
        ([name, schema]) => [name, this.draw(schema, depth + 1)],
      ),
    );
  }
}

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  'x',
  'x'.repeat(600),
  [],
  {},
  [null],
  { a: 1 },
  2 ** 31,
];

/** The value, changed at one place. */
export function mutated(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.8)) {
    const at = random.whole(0, value.length - 1);
    if (random.chance(0.2)) return value.toSpliced(at, 1);
    return random.chance(0.2)
      ? [...(value as unknown[]), random.pick(ODD_VALUES)]
      : value.with(at, mutated(value[at], random));
  }
  if (isNode(value) && random.chance(0.9)) {
    const entries = Object.entries(value);
    if (entries.length === 0 || random.chance(0.15))
      return Object.fromEntries([
        ...entries,
        [random.pick(['zz', '__proto__', 'toString', 'x_a', 'kind']), random.pick(ODD_VALUES)],
      ]);
    const at = random.whole(0, entries.length - 1);
    const [name, member] = entries[at] ?? ['', null];
    return Object.fromEntries(
      random.chance(0.25) ? entries.toSpliced(at, 1) : entries.with(at, [name, mutated(member, random)]),
    );
  }
  return random.pick(ODD_VALUES);
}
