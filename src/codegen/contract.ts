/**
 * The entry point `concordat/contract`: contracts as data, for the tools that work on them. It loads a contract, reads it into a model,
 * and compiles its checks. What writes files is loaded when it is called.
 */

import type { BridgeOptions } from './bridge/write-bridge.js';

export type { ContractBreak } from './bridge/write-bridge.js';
export { helperSource } from './checks/compiler/helpers.js';
export { FORMATS, formatOf, isChecked } from './checks/formats/format-table.js';
export { type LoadOptions, loadContract } from './contract/load/load.js';
export {
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type Referenced,
  type ResponseObject,
  type Schema,
  type SchemaObject,
  basePathOf,
  followed,
  isReference,
} from './contract/schemas/document.js';
export type {
  ContractModel,
  MediaTypeModel,
  OperationModel,
  ParameterModel,
  ResponseModel,
} from './contract/model/model.js';
export { parameterKey } from './contract/model/parameters.js';
export { byStatus, declaresSuccess, responsePlace } from './contract/model/responses.js';
export {
  ContractError,
  type ContractProblem,
  describeProblem,
} from './contract/problems/contract-problem.js';
export { type DynamicScope, ANCHORS, NO_SCOPE, enteredScope } from './contract/schemas/document.js';
export type { ContractSchemas, SchemaNode } from './contract/schemas/contract-schemas.js';
export { discriminationOf } from './contract/schemas/discriminators.js';
export { type ReadContract, type Runnable, readLoaded, runnable } from './generator/compile-contract.js';
export { objectAt, showObject } from './generator/git-revision.js';
export {
  type ConstraintChecks,
  type GraphqlInput,
  constraintChecks,
  constraintSchema,
  inputsOf,
} from './generator/graphql/constraints.js';
export { readSchema } from './generator/graphql/read-schema.js';
export type { SchemaFiles } from './generator/graphql/resolver-options.js';
export { toolTable } from './generator/tools/tool-table.js';
export { shellWords } from './text/code.js';
export { camelCase, freeName, pascalCase } from './text/identifiers.js';
export { joinPointer, percentDecoded, pointerTokens, resolvePointer, valueAt } from './text/pointer.js';

/** Writes a bridge between two versions of a document. @throws ContractError with every problem of the documents */
export const writeBridge = async (options: BridgeOptions) =>
  (await import('./bridge/write-bridge.js')).writeBridge(options);
