/** Takes a query or an `application/x-www-form-urlencoded` body apart into its names and texts. */
import { DecodeError } from './decode-error.js';
import type { Given, NameTable } from './name-table.js';
import { decodeForm } from './percent.js';

/**
 * Follows the WHATWG URL Standard's parser: `name` alone means an empty text, and empty pieces mean nothing. Only names
 * are decoded here; a name that cannot be decoded is nobody's, and unknown names are ignored.
 *
 * @param place what the text is, for errors
 * @throws DecodeError when a name is malformed and unknown names are wanted
 */
export function readQuery(text: string, names: NameTable, place: string): Given {
  const given = names.nothing();
  for (let start = 0; start < text.length;) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    if (end > start) {
      const piece = text.slice(start, end);
      const equals = piece.indexOf('=');
      const name = decodeForm(equals < 0 ? piece : piece.slice(0, equals));
      if (typeof name === 'string') names.add(given, name, equals < 0 ? '' : piece.slice(equals + 1));
      else if (names.wantsOthers) throw new DecodeError(place, name);
    }
    start = end + 1;
  }
  return given;
}
