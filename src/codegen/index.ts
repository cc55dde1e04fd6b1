/** The public interface of `concordat`. */

export type { CodegenOptions, ConfigOptions } from './generator/config-keys.js';
export { type ConcordatConfig, codegenConfig } from './generator/config.js';
export { type GenerateOptions, generate } from './generator/generate.js';
export { ContractError, type ContractProblem } from './contract/problems/contract-problem.js';
export type { FaultKind } from './contract/problems/contract-problem.js';
export type { ContractNotice } from './contract/problems/contract-problem.js';
export type { ValueCodec, ValueType, ValueTypes } from './contract/schemas/value-types.js';
