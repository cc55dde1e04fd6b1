/** The constants that the functions of a generated module share: patterns and sets of values. */

/** Gives each constant one name. */
export class ModuleConstants {
  readonly #names = new Map<string, string>();

  /**
   * The name of a constant.
   *
   * @param kind the start of its name
   * @param code its expression
   */
  name(kind: string, code: string): string {
    let name = this.#names.get(code);
    if (name === undefined) {
      name = `${kind}${this.#names.size + 1}`;
      this.#names.set(code, name);
    }
    return name;
  }

  /** The declarations of the used constants, in the order of their first use. */
  declarations(used: ReadonlySet<string>): string {
    return [...this.#names]
      .filter(([, name]) => used.has(name))
      .map(([code, name]) => `const ${name} = ${code};\n`)
      .join('');
  }
}
