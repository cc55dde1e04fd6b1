/** Writes the bodies that the engine knows itself. Each refuses what the types of handlers rule out, were they bypassed. */

/** @throws TypeError for what JSON has no text for: nothing, functions, big integers, circles */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`a JSON body cannot be ${typeof value}`);
  return text;
}

/** Text as it is, and other scalars as they are written in JSON. @throws TypeError for anything else */
export function writeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`a text body cannot be ${typeof value}`);
}

/** @throws TypeError for what is no bytes */
export function writeBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`a body of bytes cannot be ${typeof value}`);
}
