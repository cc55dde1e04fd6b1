/** Writes the text frames of a server (RFC 6455 §5.2): whole messages, neither masked nor compressed. */

const FINAL_TEXT = 0x81;
/** Lengths up to this take the second byte of the header; larger ones follow it, in two or eight bytes. */
const LARGEST_SHORT = 125;
const IN_TWO_BYTES = 126;
const IN_EIGHT_BYTES = 127;

/** @returns one frame of the concatenated parts, which are UTF-8 */
export function textFrame(...parts: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const headerLength = length <= LARGEST_SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = FINAL_TEXT;
  if (headerLength === 2) {
    frame[1] = length;
  } else if (headerLength === 4) {
    frame[1] = IN_TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = IN_EIGHT_BYTES;
    frame.writeUIntBE(0, 2, 2);
    frame.writeUIntBE(length, 4, 6);
  }
  let at = headerLength;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}
