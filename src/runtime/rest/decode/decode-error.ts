/** The one error of decoding: a request whose text does not say what its contract asks for. */
import type { Mismatch } from './mismatch.js';

/** The message is one sentence for the caller that names the place, as in `query/limit must be integer`. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';

  /** @param place where it was found, as in `query/ids` */
  constructor(place: string, mismatch: Mismatch) {
    super(`${place}${mismatch.path} ${mismatch.reason}`);
  }
}
