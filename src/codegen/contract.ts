/**
 * The entry point `concordat/contract`: contracts as data, for the tools that work on them. It loads a contract, reads it into a model,
 * and compiles its checks; the text of generated files is not in it.
 */

export { helperSource } from './checks/compiler/helpers.js';
export { FORMATS, formatOf, isChecked } from './checks/formats/format-table.js';
export { invalidDefaults } from './checks/schemas/compile-validators.js';
export { type LoadOptions, type LoadedContract, loadContract } from './contract/load/load.js';
export {
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type Referenced,
  type ResponseObject,
  type Schema,
  type SchemaObject,
  type SecurityRequirementObject,
  basePathOf,
  isReference,
} from './contract/load/openapi.js';
export { isXml } from './contract/model/media-types.js';
export type {
  ContractModel,
  HeaderModel,
  MediaTypeModel,
  OperationModel,
  OutgoingModel,
  ParameterModel,
  ResponseModel,
} from './contract/model/model.js';
export { readContract } from './contract/model/operations.js';
export { parameterKey } from './contract/model/parameters.js';
export { Reader } from './contract/model/reader.js';
export { byStatus, responsePlace } from './contract/model/responses.js';
export { ContractError } from './contract/problems/contract-problem.js';
export { type DynamicScope, ANCHORS, dynamicTarget, enteredScope } from './contract/schemas/document.js';
export { type CompiledContract, compileContract } from './generator/compile-contract.js';
export { withoutTypes } from './generator/files/routing-file.js';
export { showObject } from './generator/git-revision.js';
export { readSchema } from './generator/graphql/read-schema.js';
export type { SchemaFiles } from './generator/graphql/resolver-options.js';
export { progressLine } from './generator/progress-line.js';
export { freeName } from './text/identifiers.js';
export { shellWords } from './text/shell.js';
export { joinPointer, pointerTokens, resolvePointer, valueAt } from './text/pointer.js';
