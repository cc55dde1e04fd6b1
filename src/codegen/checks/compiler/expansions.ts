/** The sizes of schemas in which the schemas of references take the places of the references, such as where evaluations are tracked. */
import { APPLIED, heldSchemas, type LinkedSchema } from './linked-schema.js';

export class Expansions {
  readonly #sizes = new Map<LinkedSchema, number>();

  /**
   * @param limit - the size from which a schema does not take the place of a reference
   * @param counts - whether a size counts the schemas of properties and items
   */
  constructor(
    private readonly target: (id: string) => LinkedSchema,
    private readonly limit: number,
    private readonly counts: 'all' | 'same value',
  ) {}

  isLarge(id: string): boolean {
    return this.#size(this.target(id)) > this.limit;
  }

  #size(schema: LinkedSchema, isSameValue = true): number {
    if (typeof schema === 'boolean') return 0;
    const known = isSameValue ? this.#sizes.get(schema) : undefined;
    if (known !== undefined) return known;
    let size = 1;
    for (const [keyword, value] of Object.entries(schema)) {
      const to = APPLIED[keyword]?.appliesTo;
      if (keyword === '$ref' && isSameValue) {
        const referred = this.#size(this.target(String(value)));
        size += referred > this.limit ? 1 : referred;
      } else if (to === 'value' || (to !== undefined && this.counts === 'all'))
        for (const inner of heldSchemas(keyword, value))
          size += this.#size(inner, isSameValue && to === 'value');
    }
    if (isSameValue) this.#sizes.set(schema, size);
    return size;
  }
}
