/** The conversions that `values.js` consists of. */

import type { BuiltInCodec, ValueCodec } from './value-types.js';

/** A conversion of values: of scalars by a codec, or by a generated function. */
export interface Conversion {
  readonly kind: 'scalar' | 'function';
  /** The name after the prefix `decode`, `encode`, `to` or `from`. */
  readonly name: string;
  /** Whether decoding needs the exact digits of integers. */
  readonly isExact: boolean;
  /** Whether the function chooses among alternatives. */
  readonly isUnion: boolean;
}

export interface ScalarConversion extends Conversion {
  readonly kind: 'scalar';
  readonly codec: BuiltInCodec | ValueCodec;
}

export interface FunctionConversion extends Conversion {
  readonly kind: 'function';
  readonly about: string;
  readonly content: () => Content;
}

/** The content of a value that is converted: a scalar, a choice of alternatives, or parts. */
export type Content =
  { readonly scalar: ScalarConversion } | { readonly choice: Choice } | { readonly parts: Parts };

/** The parts of an array and of an object. */
export interface Parts {
  readonly properties: readonly (readonly [name: string, conversion: Conversion])[];
  /** Every name that some schema lists. */
  readonly listed: readonly string[];
  readonly patterns: readonly (readonly [pattern: string, conversion: Conversion | undefined])[];
  readonly additional: Conversion | undefined;
  readonly prefix: readonly (Conversion | undefined)[];
  readonly items: Conversion | undefined;
}

/** Alternatives: the value of a property picks one, or else the checks of the members do. */
export type Choice =
  | {
      readonly property: string;
      readonly branches: readonly {
        readonly values: readonly string[];
        readonly conversion: Conversion | undefined;
      }[];
      readonly otherwise: Conversion | undefined;
    }
  | { readonly members: readonly { readonly place: string; readonly conversion: Conversion | undefined }[] };
