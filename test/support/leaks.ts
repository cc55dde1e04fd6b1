/** Keeps what a service has said, and finds the secrets in it that it should have kept to itself. */
import type { HttpAnswer } from './send.js';

interface Secret {
  readonly name: string;
  /** The things said that must hold it, such as the answer to a sign-in. */
  readonly places: Set<string>;
}

export class Leaks {
  readonly #said = new Map<string, string>();
  readonly #secrets = new Map<string, Secret>();

  /** @param name says of what was said what it is, unlike all others */
  hear(name: string, text: string): void {
    if (this.#said.has(name)) throw new Error(`${name} was heard before`);
    this.#said.set(name, text);
  }

  /** Headers and all. */
  hearAnswer(name: string, { status, headers, text }: HttpAnswer): void {
    this.hear(name, `${String(status)}\n${JSON.stringify(headers)}\n${text}`);
  }

  /**
   * @param text where it is kept already, as a token that was given twice in one second, it has another place
   * @param within the name of a thing said in which the secret has its place
   */
  keep(name: string, text: string, within?: string): void {
    // A short text stands somewhere by chance.
    if (text.length < 8) throw new Error(`${name} is no secret: ${text}`);
    const secret = this.#secrets.get(text) ?? { name, places: new Set() };
    this.#secrets.set(text, secret);
    if (within !== undefined) secret.places.add(within);
  }

  /** The texts that are kept. */
  get secrets(): readonly string[] {
    return [...this.#secrets.keys()];
  }

  /** @returns a line for each secret that was told, and for each that was not told where it has its place */
  find(): readonly string[] {
    return [...this.#secrets].flatMap(([text, { name, places }]) =>
      [...this.#said].flatMap(([place, said]) => {
        const isTold = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)].some((form) =>
          said.includes(form),
        );
        if (places.has(place)) return isTold ? [] : [`${place} does not hold ${name}`];
        return isTold ? [`${place} holds ${name}`] : [];
      }),
    );
  }
}
