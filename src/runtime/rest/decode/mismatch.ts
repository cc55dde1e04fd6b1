/** Why a text does not fit. It is returned while another reading may still accept the text, and thrown at the end. */

export class Mismatch {
  /**
   * @param reason the end of a sentence that begins with the place, as in `must be integer`
   * @param text the text of a refused scalar, for a lenient parameter
   * @param path the pointer below the place, as in `/1` or `/filter/a`
   */
  constructor(
    readonly reason: string,
    readonly text?: string,
    readonly path = '',
  ) {}

  /** The same failure, seen from the array or object that holds it. */
  within(member: string | number): Mismatch {
    return new Mismatch(this.reason, undefined, `/${member}${this.path}`);
  }
}

export const givenTwice = new Mismatch('must be given once');

/** The only error of decoding. The message is one sentence that names the place, as in `query/limit must be integer`. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';

  /** @param place where the mismatch is, as in `query/ids` */
  constructor(place: string, mismatch: Mismatch) {
    super(`${place}${mismatch.path} ${mismatch.reason}`);
  }
}
