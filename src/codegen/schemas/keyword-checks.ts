/** Translates the assertions of a schema into those of JSON Schema 2020-12. */
import type { ContractSchemas, Placed } from './contract-schemas.js';
import { KNOWN_DIALECTS } from './dialect.js';
import { elements, entries, isObject } from './document.js';
import { formatOf, isChecked } from '../formats/format-table.js';
import { patternExpression } from '../compiler/leaf-conditions.js';
import { slownessOf } from '../patterns/slow-pattern.js';
import { joinPointer } from '../text/pointer.js';

/** Keywords that other modules handle. */
const READ_ELSEWHERE = new Set(['$ref', '$dynamicRef', 'discriminator', 'nullable']);

/** Keywords that check nothing when they are zero or false. */
const IDLE = new Set(['minLength', 'minItems', 'minProperties', 'uniqueItems']);

/**
 * The assertions of a schema in 2020-12's terms. Unknown and malformed keywords are reported and left out.
 *
 * @param hidden names that are not required here
 */
export function keywordChecks(
  schemas: ContractSchemas,
  { schema, at }: Placed,
  hidden: ReadonlySet<string>,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [keyword, value] of entries(schema)) {
    if (keyword === 'dependencies') addDependencies(out, value);
    if (!isUsable(schemas, keyword, value, at) || READ_ELSEWHERE.has(keyword)) continue;
    const place = joinPointer(at, keyword);
    if (keyword === 'required') {
      const names = elements(value).filter((name) => !hidden.has(String(name)));
      if (names.length > 0) out[keyword] = names;
    } else if (keyword === 'format') {
      if (schemas.assertsFormat(schema) && isCheckedFormat(schemas, String(value), place))
        out[keyword] = value;
    } else if (keyword === 'pattern') {
      if (!isPattern(schemas, String(value), place)) continue;
      reportSlowness(schemas, String(value), place, schema);
      out[keyword] = value;
    } else if (!IDLE.has(keyword) || Boolean(value)) out[keyword] = value;
  }
  return schemas.dialect.version === '3.0'
    ? upgraded(out, isObject(schema) && schema['nullable'] === true)
    : out;
}

/** True for an assertion whose value has the right shape. Unknown and malformed keywords are reported. */
function isUsable(schemas: ContractSchemas, name: string, value: unknown, at: string): boolean {
  const keyword = schemas.dialect.keywords.get(name);
  const place = joinPointer(at, name);
  if (keyword === undefined) {
    if (!name.startsWith('x-')) {
      const message = `"${name}" is not a schema keyword of OpenAPI ${schemas.dialect.version}`;
      schemas.unsupported('unknown-keyword', place, message);
    }
    return false;
  }
  if (keyword.kind === 'annotation') {
    if (name === '$schema' && !KNOWN_DIALECTS.has(String(value)))
      schemas.unsupported('dialect', place, `the schema dialect ${String(value)} is not supported`);
    return false;
  }
  if (keyword.kind === 'assertion') {
    if (keyword.valid(value)) return true;
    schemas.unsupported('invalid-keyword', place, `"${name}" must be ${keyword.expects}`);
    return false;
  }
  if (keyword.holds === 'list' && elements(value).length === 0) {
    schemas.unsupported('invalid-keyword', place, `"${name}" must be a list of at least one schema`);
  }
  if (keyword.holds === 'map' && !isObject(value)) {
    schemas.unsupported('invalid-keyword', place, `"${name}" must be an object of schemas`);
  }
  if (name === 'patternProperties') {
    for (const [pattern] of entries(value)) {
      const at = joinPointer(place, pattern);
      if (isPattern(schemas, pattern, at)) reportSlowness(schemas, pattern, at);
    }
  }
  return false;
}

/** Translates the lists of names in `dependencies` of older drafts. */
function addDependencies(out: Record<string, unknown>, value: unknown): void {
  const names = entries(value).filter(([, needed]) => Array.isArray(needed));
  if (names.length > 0)
    out['dependentRequired'] = {
      ...(out['dependentRequired'] as object | undefined),
      ...Object.fromEntries(names),
    };
}

function isCheckedFormat(schemas: ContractSchemas, name: string, place: string): boolean {
  if (formatOf(name) === undefined)
    schemas.unsupported('unknown-format', place, `the format "${name}" is not known, so nothing checks it`);
  return isChecked(name);
}

/** True for a regular expression of ECMA-262; other patterns are reported. */
export function isPattern(schemas: ContractSchemas, pattern: string, place: string): boolean {
  try {
    patternExpression(pattern);
    return true;
  } catch {
    schemas.unsupported('bad-pattern', place, `"${pattern}" is not a regular expression of ECMA-262`);
    return false;
  }
}

/** Reports a pattern that takes too long to match some texts. @param schema - has the `maxLength`, which is checked before the pattern */
function reportSlowness(schemas: ContractSchemas, pattern: string, place: string, schema?: unknown): void {
  const { maxLength } = isObject(schema) ? schema : {};
  const message = slownessOf(pattern, typeof maxLength === 'number' ? maxLength : undefined);
  if (message !== undefined) schemas.unsupported('slow-pattern', place, message);
}

/** Translates `nullable` and the boolean bounds of OpenAPI 3.0. */
function upgraded(out: Record<string, unknown>, nullable: boolean): Record<string, unknown> {
  // `nullable` adds null to `type` and to nothing else (OpenAPI 3.0.3, and its proposal "Clarify Semantics of nullable").
  if (nullable && typeof out['type'] === 'string') out['type'] = [out['type'], 'null'];
  exclusive(out, 'minimum', 'exclusiveMinimum');
  exclusive(out, 'maximum', 'exclusiveMaximum');
  return out;
}

function exclusive(out: Record<string, unknown>, bound: string, keyword: string): void {
  if (!(keyword in out)) return;
  if (out[keyword] === true && bound in out) {
    out[keyword] = out[bound];
    Reflect.deleteProperty(out, bound);
  } else Reflect.deleteProperty(out, keyword);
}
