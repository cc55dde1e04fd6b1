/** Records the output of a service, and finds secrets in it that should not be there. */
import type { HttpAnswer } from './send.js';

interface Secret {
  readonly name: string;
  /** The recorded texts that must contain the secret, such as the answer to a sign-in. */
  readonly places: Set<string>;
}

export class Leaks {
  readonly #said = new Map<string, string>();
  readonly #secrets = new Map<string, Secret>();

  /** @param name - a unique name for the text */
  hear(name: string, text: string): void {
    if (this.#said.has(name)) throw new Error(`${name} was recorded before`);
    this.#said.set(name, text);
  }

  /** The whole response, with its headers. */
  hearAnswer(name: string, { status, headers, text }: HttpAnswer): void {
    this.hear(name, `${String(status)}\n${JSON.stringify(headers)}\n${text}`);
  }

  /**
   * @param text - the secret; a token that was issued twice in one second may be recorded in two places
   * @param within - the name of a recorded text that must contain the secret
   */
  keep(name: string, text: string, within?: string): void {
    // A short text could occur by chance.
    if (text.length < 8) throw new Error(`${name} is no secret: ${text}`);
    const secret = this.#secrets.get(text) ?? { name, places: new Set() };
    this.#secrets.set(text, secret);
    if (within !== undefined) secret.places.add(within);
  }

  /** The recorded texts. */
  get secrets(): readonly string[] {
    return [...this.#secrets.keys()];
  }

  /** @returns one line per leaked secret, and one per secret that is missing where it must be */
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
