/** Translates the assertions of a schema into those of JSON Schema 2020-12. */
import { ASSERTIONS, COUNTS, type CountKeyword } from '@concordat/runtime/parts';
import type { ContractSchemas, SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { KNOWN_DIALECTS, meantKeyword } from '../../contract/schemas/dialect.js';
import { ASSERTED_FORMAT, elements, entries, isObject } from '../../contract/schemas/document.js';
import { formatOf, isChecked } from '../formats/format-table.js';
import { patternExpression } from '../compiler/assertion-conditions.js';
import { slownessOf } from '../patterns/slow-pattern.js';
import { pascalCase } from '../../text/identifiers.js';
import { joinPointer } from '../../text/pointer.js';

/**
 * The assertions of a schema in 2020-12's terms. Unknown and malformed keywords are reported and left out.
 *
 * @param hidden names that are not required here
 */
export function keywordChecks(node: SchemaNode, hidden: ReadonlySet<string>): Record<string, unknown> {
  const { schemas, schema, object, at } = node;
  const out: Record<string, unknown> = {};
  for (const [keyword, value] of entries(schema)) {
    if (keyword === 'dependencies') addDependencies(out, value);
    if (!isUsable(schemas, keyword, value, at) || !Object.hasOwn(ASSERTIONS, keyword)) continue;
    const place = joinPointer(at, keyword);
    if (keyword === 'required') {
      const names = elements(value).filter((name) => !hidden.has(String(name)));
      if (names.length > 0) out[keyword] = names;
    } else if (keyword === 'format') {
      const isAsserted = schemas.assertsFormats || object[ASSERTED_FORMAT] === true;
      if (isAsserted && isCheckedFormat(node, String(value), place)) out[keyword] = value;
    } else if (keyword === 'pattern') {
      if (!isPattern(schemas, String(value), place)) continue;
      reportSlowness(schemas, String(value), place, schema);
      out[keyword] = value;
    } else if (!isIdle(keyword, value)) out[keyword] = value;
  }
  return out;
}

/** True for a keyword that checks nothing: a least count of zero, or `uniqueItems` that is false. */
function isIdle(keyword: string, value: unknown): boolean {
  if (keyword === 'uniqueItems') return value === false;
  return value === 0 && Object.hasOwn(COUNTS, keyword) && COUNTS[keyword as CountKeyword].end === 'least';
}

/** True for a keyword whose value has the right shape. Unknown and malformed keywords are reported. */
function isUsable(schemas: ContractSchemas, keyword: string, value: unknown, at: string): boolean {
  const shape = schemas.dialect.keywords.get(keyword);
  const place = joinPointer(at, keyword);
  if (shape === undefined) {
    if (keyword.startsWith('x-')) return false;
    const meant = meantKeyword(schemas.dialect, keyword);
    const hint = meant === undefined || meant === keyword ? '' : `; did you mean "${meant}"?`;
    const message = `"${keyword}" is not a schema keyword of OpenAPI ${schemas.dialect.version}${hint}`;
    // A schema whose `nullable` is ignored accepts less than its author meant, and never more.
    schemas.unsupported('unknown-keyword', place, message, meant === undefined || keyword === 'nullable');
    return false;
  }
  if (!shape.isValid(value)) {
    schemas.unsupported('invalid-keyword', place, `"${keyword}" must be ${shape.expects}`);
    return false;
  }
  if (keyword === '$schema' && !KNOWN_DIALECTS.has(String(value)))
    schemas.unsupported('dialect', place, `the schema dialect ${String(value)} is not supported`);
  if (keyword === 'patternProperties') {
    for (const [pattern] of entries(value)) {
      const at = joinPointer(place, pattern);
      if (isPattern(schemas, pattern, at)) reportSlowness(schemas, pattern, at);
    }
  }
  return true;
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

function isCheckedFormat(node: SchemaNode, name: string, place: string): boolean {
  const { schemas, leaf, object } = node;
  // A conversion refuses values that do not fit.
  if (formatOf(name) === undefined && leaf === undefined) {
    const message = `the format "${name}" is not known, so nothing checks it; --value ${name}=${pascalCase(name)} gives its values a type`;
    schemas.unsupported('unknown-format', place, message);
  }
  const limit = Number.MAX_SAFE_INTEGER;
  if (name === 'int64' && leaf === undefined && !(Number(object.maximum) <= limit) && node.mayBe('integer')) {
    const message = `integers over ${limit} are refused, because handlers get numbers; --value int64=bigint takes them all`;
    schemas.unsupported('large-integer', place, message);
  }
  return isChecked(name);
}

/** True for a regular expression of ECMA-262; other patterns are reported. */
export function isPattern(schemas: ContractSchemas, pattern: string, place: string): boolean {
  const meant = ecmaSpelling(pattern);
  try {
    patternExpression(pattern);
    if (meant === pattern) return true;
  } catch {
    // Reported below.
  }
  const hint = meant === pattern ? '' : `; did you mean "${meant}"?`;
  schemas.unsupported('bad-pattern', place, `"${pattern}" is not a regular expression of ECMA-262${hint}`);
  return false;
}

/** Escapes of other languages; without the flag `u`, JavaScript takes them for the letters themselves. */
const FOREIGN_ESCAPES: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  Z: '$',
  h: '[ \\t]',
  e: '\\x1b',
  a: '\\x07',
};

/** The likely spelling of a pattern of another language; the pattern itself if it is one of ECMA-262. */
function ecmaSpelling(pattern: string): string {
  return pattern.replaceAll(/\\x\{([0-9a-f]+)\}|\\(.)/gis, (whole, code?: string, letter = '') =>
    code === undefined ? (FOREIGN_ESCAPES[String(letter)] ?? whole) : `\\u{${code}}`,
  );
}

/** Reports a pattern that takes too long to match some texts, or may do so. @param schema - has the `maxLength`, which is checked before the pattern */
function reportSlowness(schemas: ContractSchemas, pattern: string, place: string, schema?: unknown): void {
  const { maxLength } = isObject(schema) ? schema : {};
  const slowness = slownessOf(pattern, typeof maxLength === 'number' ? maxLength : undefined);
  if (slowness !== undefined) schemas.unsupported(slowness.feature, place, slowness.message);
}
