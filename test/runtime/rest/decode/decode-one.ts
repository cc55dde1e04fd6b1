/** Decodes one parameter for tests, with its text in the location of its codec. */
import type { ParameterCodec } from '../../../../src/runtime/contract/contract.js';
import { DecodeError } from '../../../../src/runtime/rest/decode/mismatch.js';
import { compileParameters } from '../../../../src/runtime/rest/decode/parameters.js';

export type CodecOfTest = Omit<ParameterCodec, 'name'> & { readonly name?: string };

/** The decoded value of the parameter, which is called `color` unless the codec says otherwise. */
export function decodeOne(codec: CodecOfTest, text: string): unknown {
  const { name = 'color' } = codec;
  const decoded = compileParameters(
    [{ ...codec, name }],
    `/{${name}}`,
  )({
    values: codec.in === 'path' ? [text] : [],
    query: codec.in.startsWith('query') ? text : '',
    headers:
      codec.in === 'header' ? { [name.toLowerCase()]: text } : codec.in === 'cookie' ? { cookie: text } : {},
  });
  const { path, query, headers, cookies } = decoded;
  return { path, query, querystring: query, header: headers, cookie: cookies }[codec.in][name];
}

/** The sentence that a request is refused with; any other kind of error fails the test. */
export function refusalOf(decode: () => unknown): string {
  try {
    decode();
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  throw new Error('The text was not refused');
}
