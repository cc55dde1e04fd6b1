/** The entry point `concordat/values`: makes values from schemas, for the programs of this repository. */

export { flattened } from './alternatives.js';
export { type Alternation, ALTERNATIONS, alternative } from './keyword-values.js';
export { type ExampleOptions, exampleItemParts, exampleValue, exampleValues } from './example-value.js';
export { seeded } from './choices.js';
export { FORMAT_VALUES, formatValues } from './format-values.js';
export { itemParts, propertyParts } from './inner-parts.js';
export {
  type Part,
  type PlainPart,
  type Reader,
  type Reading,
  type Schema,
  type SchemaObject,
  isAlways,
  isNever,
  isNull,
  members,
  partIn,
  remembered,
} from './parts.js';
export { matchesPattern, textOfPattern } from './texts.js';
export { type Variant, variantsOf } from './value-variants.js';
