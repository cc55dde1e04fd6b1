/** Why a text does not fit: returned, not thrown, because one of several shapes may still take the text. */

export class Mismatch {
  /**
   * @param reason the end of a sentence that begins with the place, as in `must be integer`
   * @param text the text of a scalar that was refused, for those who may still make something of it
   * @param path where it is below the place, as in `/1` or `/filter/a`
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
