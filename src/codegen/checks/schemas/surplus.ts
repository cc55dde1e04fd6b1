/** Writes the functions that omit, from values that a server sends, the members that closed schemas do not declare. */

import { patternExpression } from '../compiler/assertion-conditions.js';
import {
  heldSchemas,
  HOLDERS,
  innerSchemas,
  type LinkedPart,
  type LinkedSchema,
  schemaList,
  schemaMap,
  schemaOf,
  type SchemaObject,
} from '../compiler/linked-schema.js';
import { type Code, code, identifier, joined, NOTHING, regExp, stringLiteral } from '../../text/code.js';
import { freeName } from '../../text/identifiers.js';
import type { FurtherCode } from '../compiler/check-modules.js';
import { ClosedChecks } from './closed-checks.js';

/** The keywords through which members and items are reached without a choice among schemas. */
const DIRECT: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'prefixItems',
  'items',
]);

/** The type of the export `surplus`, for a module in TypeScript. */
export const SURPLUS_TYPE = code`
/** Functions that omit members that closed schemas do not declare, by the name of the response's check. */
interface Surplus {
  readonly [check: string]: (
    value: unknown,
    surplus: {
      readonly places: (string | number)[][];
      readonly require: (check: Check, value: unknown) => void;
    },
  ) => unknown;
}
`;

/**
 * The export `surplus`: by the name of a response's check, the function that omits undeclared members of its values.
 *
 * @param sent - the checks of responses, with the ids of their parts
 * @param taken - the names of all checks
 */
export function surplusOf(
  parts: readonly LinkedPart[],
  sent: readonly { readonly name: string; readonly id: string }[],
  taken: readonly string[],
): Pick<SurplusFunctions, 'checks'> & { readonly code: FurtherCode } {
  const functions = new SurplusFunctions(parts, taken);
  const byId = new Map(parts.map((part) => [part.id, part]));
  const entries = sent.flatMap(({ name, id }) => {
    const part = byId.get(id);
    const omit = part && functions.add(part.schema, part.name);
    return omit === undefined ? [] : [code`  ${identifier(name)}: ${identifier(omit)},\n`];
  });
  const table = entries.length === 0 ? code`{}` : code`{\n${joined(entries)}}`;
  return {
    checks: functions.checks,
    code: {
      text: (isTyped) =>
        code`${functions.text}${entries.length === 0 ? NOTHING : code`\n`}export const surplus${isTyped ? code`: Surplus` : NOTHING} = ${table};\n`,
      calls: functions.checks.map(({ name }) => name),
      helpers: entries.length === 0 ? [] : ['isObject', 'replaced', 'omitted'],
    },
  };
}

/**
 * Collects the functions for some schemas. A function returns its value itself if there is nothing to omit. Where omitting members would
 * mean choosing among schemas, it calls a check of the value instead.
 */
class SurplusFunctions {
  readonly #parts: ReadonlyMap<string, LinkedPart>;
  /** The ids of the parts from which a closed schema can be reached. */
  readonly #closing = new Set<string>();
  /** The names of functions, by schema. */
  readonly #functions = new Map<string, string>();
  readonly #written: Code[] = [];
  readonly #closed: ClosedChecks;
  readonly #names: Set<string>;

  /** @param exported the names of all checks of the contract */
  constructor(parts: readonly LinkedPart[], exported: readonly string[]) {
    this.#parts = new Map(parts.map((part) => [part.id, part]));
    this.#names = new Set([...exported, ...parts.map(({ name }) => name)]);
    this.#closed = new ClosedChecks(this.#parts, this.#names);
    for (let size = -1; size < this.#closing.size;) {
      size = this.#closing.size;
      for (const { id, schema } of parts) if (this.#closes(schema)) this.#closing.add(id);
    }
  }

  /** The checks that the functions call. */
  get checks(): readonly LinkedPart[] {
    return this.#closed.checks;
  }

  get text(): Code {
    return joined(this.#written, code`\n`);
  }

  /** The name of the function for the values of a schema; undefined if no closed schema can be reached from it. */
  add(schema: LinkedSchema, owner: string): string | undefined {
    if (typeof schema === 'boolean' || !this.#closes(schema)) return undefined;
    const key = JSON.stringify(schema);
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const [applied, ...others] = this.#applied(schema);
    const isDirect = closesMembers(schema) || [...DIRECT].some((keyword) => this.#closesIn(schema, keyword));
    if (applied === undefined) return this.#function(key, owner, () => this.#members(schema, owner));
    const only = others.length > 0 || isDirect ? undefined : this.#separate(schema, applied, owner);
    if (only === undefined) return this.#function(key, owner, () => this.#checked(schema, owner));
    const [first, ...further] = only;
    if (first !== undefined && further.length === 0) return first;
    const calls = only.reduce<Code>(
      (inner, name) => code`${identifier(name)}(${inner}, surplus)`,
      code`value`,
    );
    return this.#function(key, owner, () => code`  return ${calls};\n`);
  }

  #function(key: string, owner: string, body: () => Code): string {
    const name = freeName(`${owner}_kept`, this.#names, '_');
    // A recursive schema calls its own function.
    this.#functions.set(key, name);
    this.#written.push(code`function ${identifier(name)}(value, surplus) {\n${body()}}\n`);
    return name;
  }

  #closes(schema: LinkedSchema): boolean {
    if (typeof schema === 'boolean') return false;
    if (closesMembers(schema) || schema['unevaluatedProperties'] === false) return true;
    if (typeof schema['$ref'] === 'string' && this.#closing.has(schema['$ref'])) return true;
    return [...innerSchemas(schema)].some((inner) => this.#closes(inner));
  }

  #closesIn(schema: SchemaObject, keyword: string): boolean {
    if (keyword === 'unevaluatedProperties' && schema[keyword] === false) return true;
    const value = schema[keyword];
    if (value === undefined) return false;
    return typeof value === 'string'
      ? this.#closing.has(value)
      : heldSchemas(keyword, value).some((inner) => this.#closes(inner));
  }

  /** The other keywords through which a closed schema is reached. */
  #applied(schema: SchemaObject): readonly string[] {
    return ['$ref', ...HOLDERS].filter((keyword) => !DIRECT.has(keyword) && this.#closesIn(schema, keyword));
  }

  /** The functions for the schemas of a keyword, if at most one of them applies to any value; undefined if a choice is needed. */
  #separate(schema: SchemaObject, keyword: string, owner: string): readonly string[] | undefined {
    if (keyword === '$ref') {
      const part = this.#parts.get(String(schema[keyword]));
      return [part && this.add(part.schema, part.name)].filter((name) => name !== undefined);
    }
    const isChoice = keyword === 'anyOf' || keyword === 'oneOf';
    if (!isChoice && keyword !== 'nullOr') return undefined;
    const members = heldSchemas(keyword, schema[keyword]);
    const isSeparate = ['object', 'array'].every(
      (type) => members.filter((member) => this.#mayBe(member, type)).length <= 1,
    );
    if (!isSeparate) return undefined;
    return members.map((member) => this.add(member, owner)).filter((name) => name !== undefined);
  }

  /** Whether a value of a type may fit a schema. */
  #mayBe(schema: LinkedSchema, type: string): boolean {
    if (typeof schema === 'boolean') return schema;
    if (schema['type'] !== undefined) return [schema['type']].flat().includes(type);
    const values = 'const' in schema ? [schema['const']] : schema['enum'];
    if (Array.isArray(values)) return values.some((value) => typeof value === 'object' && value !== null);
    if (typeof schema['$ref'] === 'string')
      return this.#mayBe(this.#parts.get(schema['$ref'])?.schema ?? true, type);
    return schemaOf(schema, 'nullOr') === undefined || this.#mayBe(schemaOf(schema, 'nullOr') ?? true, type);
  }

  #checked(schema: SchemaObject, owner: string): Code {
    const { name } = this.#closed.add(JSON.stringify(schema), schema, owner, 0);
    return code`  surplus.require(${identifier(name)}, value);\n  return value;\n`;
  }

  /** The statements for a schema that is closed itself, or has members or items that are. */
  #members(schema: SchemaObject, owner: string): Code {
    const prefix = schemaList(schema, 'prefixItems').map((item) => this.add(item, owner));
    const items = this.add(schemaOf(schema, 'items') ?? true, owner);
    const inArray = joined([
      ...prefix.map((name, index) =>
        name === undefined
          ? NOTHING
          : code`    if (sent.length > ${index}) ${replaced(name, code`${index}`)}\n`,
      ),
      items === undefined
        ? NOTHING
        : code`    for (let index = ${prefix.length}; index < sent.length; index += 1) ${replaced(items, code`index`)}\n`,
    ]);
    const isInObject = closesMembers(schema) || OBJECT.some((keyword) => this.#closesIn(schema, keyword));
    const inObject = isInObject ? this.#inObject(schema, owner) : NOTHING;
    return code`  if (typeof value !== "object" || value === null) return value;
  const sent = typeof value.toJSON === "function" ? value.toJSON() : value;
  let kept;
${inArray.length === 0 ? NOTHING : code`  if (Array.isArray(sent)) {\n${inArray}  }\n`}${
      inObject.length === 0
        ? NOTHING
        : code`  if (isObject(sent)) {\n    for (const key in sent) {\n${inObject}    }\n  }\n`
    }  return kept ?? value;\n`;
  }

  /** The statements for one member, whose name is `key`. */
  #inObject(schema: SchemaObject, owner: string): Code {
    const patterns = schemaMap(schema, 'patternProperties').map(([pattern, inner]) => {
      const expression = patternExpression(pattern);
      return { expression, name: this.add(inner, owner) };
    });
    const isClosed = closesMembers(schema);
    const additional = this.add(schemaOf(schema, 'additionalProperties') ?? true, owner);
    const isRest = isClosed || additional !== undefined || patterns.length > 0;
    const cases = schemaMap(schema, 'properties').map(([property, inner]) => {
      const matching = patterns.filter(({ expression }) => expression.test(property)).map(({ name }) => name);
      const names = [this.add(inner, owner), ...matching].filter((name) => name !== undefined);
      return { label: code`        case ${stringLiteral(property)}:\n`, names };
    });
    const plain = cases.filter(({ names }) => names.length === 0).map(({ label }) => label);
    const closing = cases
      .filter(({ names }) => names.length > 0)
      .map(({ label, names }) => {
        const calls = names.map((name) => code`          ${replaced(name, code`key`)}\n`);
        return code`${label}${joined(calls)}          continue;\n`;
      });
    const labels = isRest && plain.length > 0 ? code`${joined(plain)}          continue;\n` : NOTHING;
    const rest = [
      ...patterns.map(({ expression, name }) => {
        const call = name === undefined ? NOTHING : code`        ${replaced(name, code`key`, code`"*"`)}\n`;
        return code`      if (${regExp(expression)}.test(key)) {\n        isDeclared = true;\n${call}      }\n`;
      }),
      ...(patterns.length > 0 && (isClosed || additional !== undefined)
        ? [code`      if (isDeclared) continue;\n`]
        : []),
      ...(isClosed ? [code`      kept = omitted(kept, sent, key, surplus);\n`] : []),
      ...(additional === undefined ? [] : [code`      ${replaced(additional, code`key`, code`"*"`)}\n`]),
    ];
    return joined([
      labels.length + closing.length === 0
        ? NOTHING
        : code`      switch (key) {\n${labels}${joined(closing)}      }\n`,
      patterns.length > 0 ? code`      let isDeclared = false;\n` : NOTHING,
      ...rest,
    ]);
  }
}

const OBJECT = ['properties', 'patternProperties', 'additionalProperties'];

/** Whether a schema refuses the members that it does not declare, by itself. */
function closesMembers(schema: SchemaObject): boolean {
  return schema['additionalProperties'] === false;
}

function replaced(name: string, key: Code, placeName?: Code): Code {
  const last = placeName === undefined ? NOTHING : code`, ${placeName}`;
  return code`kept = replaced(kept, sent, ${key}, ${identifier(name)}, surplus${last});`;
}
