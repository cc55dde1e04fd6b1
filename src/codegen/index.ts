/** The public interface of `@concordat/codegen`. */

export { type CodegenOptions, type ConcordatConfig, codegenConfig } from './generator/config.js';
export { type GenerateOptions, generate } from './generator/generate.js';
export { ContractError, type ContractProblem } from './problems/contract-problem.js';
export type { FaultKind } from './problems/fault.js';
export type { ContractNotice } from './problems/contract-problem.js';
export type { ValueCodec, ValueType, ValueTypes } from './values/value-types.js';
