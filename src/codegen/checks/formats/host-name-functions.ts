/** The formats of host names (RFC 1123, IDNA 2008), as text for generated modules. */

import { rawCode } from '../../text/code.js';

export const HOSTNAME_FORMATS = rawCode`
/** RFC 1123 §2.1, and RFC 5891 §4 for labels that begin with xn--. */
function isHostname(text) {
  return (
    text.length <= 253 &&
    text.split(".").every((label) => {
      if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) return false;
      if (label.slice(2, 4) !== "--") return true;
      if (!/^xn--/i.test(label)) return false;
      const decoded = fromPunycode(label.slice(4));
      return decoded !== undefined && /[^\x00-\x7f]/.test(decoded) && isUnicodeLabel(decoded);
    })
  );
}

/** RFC 5890 §2.3.2.3, internationalised host name, with the label separators of UTS #46 §4. */
function isIdnHostname(text) {
  const labels = text.split(/[.\u3002\uff0e\uff61]/);
  const names = labels.map((label) => (/[^\x00-\x7f]/.test(label) ? "xn--" + toPunycode(label) : label));
  if (!isHostname(names.join("."))) return false;
  const shown = labels.map((label) => (/^xn--/i.test(label) ? fromPunycode(label.slice(4)) : label));
  const isBidi = shown.some((label) => [...label].some(isRightToLeft));
  return !isBidi || shown.every((label) => /^[\p{L}۽۾]/u.test(label) && fitsBidi(label));
}

/** RFC 5891 §4.2 and RFC 5892: a label whose characters are allowed at their positions. */
function isUnicodeLabel(label) {
  if (label !== label.normalize("NFC") || label.slice(2, 4) === "--" || /^[-\p{M}]|-$/u.test(label)) return false;
  const characters = [...label];
  return (
    fitsBidi(label) &&
    characters.every((character, i) => {
      const [before = "", after = ""] = [characters[i - 1], characters[i + 1]];
      if (/[ßς۽۾་〇]/u.test(character)) return true;
      if (/[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/.test(character)) return false;
      if (character === "·") return before === "l" && after === "l";
      if (character === "͵") return /\p{Script=Greek}/u.test(after);
      if (/[׳״]/.test(character)) return /\p{Script=Hebrew}/u.test(before);
      if (character === "・") return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label.replaceAll("・", ""));
      if (/[٠-٩]/.test(character)) return !/[۰-۹]/.test(label);
      if (/[۰-۹]/.test(character)) return !/[٠-٩]/.test(label);
      if (/[\u200c\u200d]/.test(character)) {
        if (/[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed]/.test(before)) return true;
        // RFC 5892, Appendix A.1: between letters that join.
        const joining = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]/u;
        return character === "\u200c" && joining.test(before) && joining.test(after);
      }
      return (
        /[-\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]/u.test(character) &&
        character === character.normalize("NFKC").toLowerCase().normalize("NFKC") &&
        !/[\p{Default_Ignorable_Code_Point}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u.test(character)
      );
    })
  );
}

/** RFC 5893 §2: a label with right-to-left letters has no left-to-right ones, starts with one, and has one kind of digits. */
function fitsBidi(label) {
  const characters = [...label].filter((character) => /[-\p{L}\p{Nd}۽۾]/u.test(character));
  if (!isRightToLeft(characters[0] ?? "")) return !characters.some(isRightToLeft);
  return (
    characters.every((character) => isRightToLeft(character) || /[-\d٠-٩۰-۹]/.test(character)) &&
    characters.at(-1) !== "-" &&
    !(/[\d۰-۹]/.test(label) && /[٠-٩]/.test(label))
  );
}

/** The bidirectional classes R and AL, of letters and of the two signs that IDNA allows. */
function isRightToLeft(character) {
  return /(?=[\p{L}۽۾])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(character);
}

/** RFC 3492 §6.2; undefined for an invalid text. */
function fromPunycode(text) {
  const split = text.lastIndexOf("-");
  const output = [...text.slice(0, Math.max(split, 0)).toLowerCase()];
  let [n, i, bias, at] = [128, 0, 72, split > 0 ? split + 1 : 0];
  while (at < text.length) {
    const before = i;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(text.charAt(at++).toLowerCase());
      if (digit < 0 || at > text.length) return undefined;
      i += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (weight > 2 ** 31) return undefined;
    }
    bias = adaptedBias(i - before, output.length + 1, before === 0);
    n += Math.floor(i / (output.length + 1));
    i %= output.length + 1;
    if (n > 0x10ffff) return undefined;
    output.splice(i++, 0, String.fromCodePoint(n));
  }
  const decoded = output.join("");
  return toPunycode(decoded) === text.toLowerCase() ? decoded : undefined;
}

/** RFC 3492 §6.3. */
function toPunycode(text) {
  const points = Array.from(text, (character) => character.codePointAt(0));
  const basic = points.filter((point) => point < 128);
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? "-" : "");
  let [n, delta, bias, done] = [128, 0, 72, basic.length];
  while (done < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    delta += (next - n) * (done + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta += 1;
      if (point !== n) continue;
      let rest = delta;
      for (let k = 36; ; k += 36) {
        const threshold = Math.min(Math.max(k - bias, 1), 26);
        const isLast = rest < threshold;
        const digit = isLast ? rest : threshold + ((rest - threshold) % (36 - threshold));
        output += "abcdefghijklmnopqrstuvwxyz0123456789"[digit];
        if (isLast) break;
        rest = Math.floor((rest - threshold) / (36 - threshold));
      }
      bias = adaptedBias(delta, done + 1, done === basic.length);
      delta = 0;
      done += 1;
    }
    delta += 1;
    n += 1;
  }
  return output;
}

/** RFC 3492 §6.1. */
function adaptedBias(delta, length, isFirst) {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
`;
