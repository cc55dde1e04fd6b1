/** Reads the fields of a form body that are text, whichever way the form was sent. */
import type { Coercion, FieldCodec } from '../../contract.js';
import { DecodeError } from './decode-error.js';
import { grammarOf } from './grammar.js';
import { compileLocation, type Decoded, type Entry } from './location.js';
import { Mismatch } from './mismatch.js';
import type { Given, NameTable } from './name-table.js';
import { compileNamed } from './named-value.js';
import type { Decode } from './percent.js';
import { compilePiece, readAll } from './piece.js';
import { setOwn } from './set-own.js';
import { plainText } from './shape.js';

export type TextCodec = FieldCodec & { readonly value: Coercion };

/** Compiles one field; `decode` takes its texts out of their encoding. */
export function textField(name: string, codec: TextCodec, names: NameTable, decode: Decode): Entry<Given> {
  const grammar = { ...grammarOf({ ...codec, in: 'query', name }), decode };
  return { ...codec, name, read: compileNamed(codec.value, { ...codec, name, grammar }, names) };
}

/**
 * Compiles a whole body: its fields, and beside them the fields that have no codec, which are text, or arrays of text
 * when they are given several times.
 */
export function compileBody<Source>(
  entries: readonly Entry<Source>[],
  names: NameTable,
  decode: Decode,
): (source: Source, given: Given) => Decoded {
  const decodeFields = compileLocation('body', entries);
  if (names.wantsOthers) return decodeFields;
  names.claimOthers();
  const readOne = compilePiece(plainText, decode);
  return (source, { others }) => {
    const body = { ...decodeFields(source) };
    for (const [name, texts] of others) {
      const value = typeof texts === 'string' ? readOne(texts) : readAll(texts, readOne);
      if (value instanceof Mismatch) throw new DecodeError(`body/${name}`, value);
      setOwn(body, name, value);
    }
    return body;
  };
}
