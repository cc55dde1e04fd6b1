/** The type of a schema in a test, which may be wrong. */

import type { Fields } from '../../../src/codegen/contract/schemas/document.js';

/** A schema before its keywords have been checked. */
export type AnySchema = boolean | Fields;
