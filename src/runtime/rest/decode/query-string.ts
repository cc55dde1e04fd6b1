/** Decodes a parameter that is the whole query (OpenAPI 3.2, `in: querystring`). */

import type { ParameterCodec } from '../../contract/contract.js';
import { decodePercent } from './encoding.js';
import { compileFormText } from './forms.js';
import { type Decoded, compileLocation } from './location.js';
import { compilePiece } from './value.js';

/** Compiles the parameter. An empty query is an absent value. */
export function compileQueryString(codec: ParameterCodec): (query: string) => Decoded {
  const { name, fields, value } = codec;
  const read = fields ? compileFormText(fields, `query/${name}`) : compilePiece(value, decodePercent);
  return compileLocation('query', [
    { ...codec, read: (query: string) => (query === '' ? undefined : read(query)) },
  ]);
}
