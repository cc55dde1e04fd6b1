/** Takes a Cookie header apart into the names and texts of its cookies (RFC 6265 §4.2.1). */
import { trimBlanks } from './blanks.js';
import type { Given, NameTable } from './name-table.js';

/**
 * Names are taken as they are; a value loses the quotes around it. Of cookies with one name the first is the most
 * specific (§5.4) and the only one that counts, unless they are the members of an exploded value.
 *
 * @param exploded whether cookies may also be joined by `&`, as OpenAPI's table of styles writes exploded values
 */
export function readCookies(text: string, names: NameTable, exploded: boolean): Given {
  const given = names.nothing();
  for (const piece of text.split(exploded ? /[;&]/ : ';')) {
    const equals = piece.indexOf('=');
    if (equals < 0) continue;
    const name = trimBlanks(piece.slice(0, equals));
    if (!exploded && names.has(given, name)) continue;
    names.add(given, name, unquoted(trimBlanks(piece.slice(equals + 1))));
  }
  return given;
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
