/** The constants that the functions of a generated module share: patterns and sets of values. */

/** Names each constant once, whoever uses it. */
export class ModuleConstants {
  readonly #names = new Map<string, string>();

  /**
   * The name of a constant.
   *
   * @param kind what its name starts with
   * @param code the expression that it is
   */
  name(kind: string, code: string): string {
    let name = this.#names.get(code);
    if (name === undefined) {
      name = `${kind}${this.#names.size + 1}`;
      this.#names.set(code, name);
    }
    return name;
  }

  /** The declarations of those that are used, in the order in which they were first named. */
  declarations(used: ReadonlySet<string>): string {
    return [...this.#names]
      .filter(([, name]) => used.has(name))
      .map(([code, name]) => `const ${name} = ${code};\n`)
      .join('');
  }
}
