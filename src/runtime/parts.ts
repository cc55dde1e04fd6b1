/**
 * The entry point `@concordat/runtime/parts`: parts of the engine for the generator and the tools, which must agree with it. It has the
 * tables of keywords and formats, and the functions that explain a refusal, read a value and match a path.
 */

export { type GivenRequest, valueOf } from './client/outgoing-request.js';
export { PLACES } from './contract/contract.js';
export { type Format, type NumberFormat, NUMBER_FORMATS } from './contract/formats.js';
export {
  type ApplicatorKeyword,
  type ApplicatorRow,
  type ApplicatorTo,
  type AssertionKeyword,
  type BoundKeyword,
  type CheckedKeyword,
  type Comparison,
  type CountKeyword,
  type JsonType,
  type Keyword,
  type LimitRow,
  APPLICATORS,
  ASSERTIONS,
  BOUNDS,
  COUNTS,
  restrictedType,
  sameRow,
  tableOf,
} from './contract/keywords.js';
export { once } from './contract/once.js';
export { reached } from './contract/reached.js';
export {
  type OperationChoice,
  type Selectable,
  SELECTOR_FORMS,
  Selection,
  selectorTest,
} from './contract/selectors.js';
export { expression, formatTest } from './failures/assertion-failures.js';
export { failuresOf } from './failures/failures-of.js';
export { DIGITS, isLong, typeOf, typesOf } from './failures/json-types.js';
export { canonical, copied, isMultiple, isObject, memberPointer, parsedJson } from './failures/json-value.js';
export { namesInPath } from './rest/decode/parameters.js';
export { compileScalar } from './rest/decode/value.js';
export { compilePaths } from './rest/operation/path-matcher.js';
export {
  type ContractPart,
  PART_KINDS,
  type PartKind,
  declaredParts,
  describedSchema,
  operationParts,
  partName,
} from './rest/contract-parts.js';
