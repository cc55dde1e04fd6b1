/** The public face of `concordat/codegen`. */

export { type CodegenOptions, codegenConfig } from './config.js';
