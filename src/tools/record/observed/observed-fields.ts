/** The named texts that were seen in queries, or in forms. */

import { isSensitiveName } from '@concordat/runtime/observe';
import type { SchemaObject } from 'concordat/contract';
import { BoundedMap } from './bounded-map.js';
import { isVariableName } from './names.js';
import { ObservedText, type WriteOptions } from './observed-text.js';
import type { PlaceBudget } from './observed-value.js';

/** A name with its text, which a file does not have. */
export type Field = readonly [name: string, text: string | undefined];

interface ObservedField {
  readonly texts: ObservedText;
  /** In how many queries or forms it was. */
  count: number;
  files: number;
  isRepeated: boolean;
}

/** A field as it is described. */
interface DescribedField {
  readonly name: string;
  readonly schema: SchemaObject;
  readonly count: number;
}

export class ObservedFields {
  readonly #fields: BoundedMap<string, ObservedField>;

  constructor(
    most: number,
    private readonly budget: PlaceBudget,
  ) {
    this.#fields = new BoundedMap(most);
  }

  /** Adds the fields of one query or form. */
  add(fields: readonly Field[], caller: string): void {
    const seen = new Set<string>();
    for (const [name, text] of fields) {
      if (isVariableName(name.replace(/\[\w*\]$/, ''))) continue;
      const field = this.#fields.known(name, () =>
        this.budget.take()
          ? { texts: new ObservedText(), count: 0, files: 0, isRepeated: name.endsWith('[]') }
          : undefined,
      );
      if (field === undefined) continue;
      if (seen.has(name)) field.isRepeated = true;
      else field.count += 1;
      seen.add(name);
      field.texts.callers.add(caller);
      if (text === undefined) field.files += 1;
      else field.texts.add(text, { caller, isSensitive: isSensitiveName(name) });
    }
  }

  merge(other: ObservedFields): void {
    this.#fields.merge(other.#fields, (own, theirs) => {
      own.texts.merge(theirs.texts);
      own.count += theirs.count;
      own.files += theirs.files;
      own.isRepeated ||= theirs.isRepeated;
    });
  }

  /** The fields whose names may be written. */
  described(options: WriteOptions): readonly DescribedField[] {
    return this.#fields.sorted
      .filter(([name, { texts }]) => !options.isSecretName(name) && options.isShared(texts.callers))
      .map(([name, { texts, count, files, isRepeated }]) => {
        const items: SchemaObject =
          files > 0 ? { type: 'string', contentMediaType: 'application/octet-stream' } : texts.asAny(options);
        return { name, count, schema: isRepeated ? { type: 'array', items } : items };
      });
  }
}
