/** Random operations of a random schema, with values for their variables. */

import type { RandomSchema } from './random-schemas.js';
import {
  type Argument,
  LEAVES,
  type Random,
  type Ref,
  isRequired,
  literal,
  nameOf,
  printRef,
  valueOf,
} from './random-types.js';

export interface RandomOperation {
  readonly query: string;
  /** The variables of a few requests. */
  readonly variables: readonly Readonly<Record<string, unknown>>[];
}

const MAX_DEPTH = 2;

export function randomOperation(random: Random, schema: RandomSchema): RandomOperation {
  return new Writer(random, schema).write();
}

class Writer {
  readonly #random: Random;
  readonly #schema: RandomSchema;
  readonly #variables: { readonly name: string; readonly type: Ref; readonly text: string }[] = [];
  readonly #fragments: string[] = [];
  #names = 0;

  constructor(random: Random, schema: RandomSchema) {
    this.#random = random;
    this.#schema = schema;
  }

  write(): RandomOperation {
    const body = this.#selections('Query', 0);
    const declared = this.#variables.map(({ text }) => text).join(', ');
    const head = declared === '' ? '' : `(${declared})`;
    const variables = Array.from({ length: this.#variables.length === 0 ? 1 : 4 }, () =>
      Object.fromEntries(
        this.#variables
          .filter(({ type }) => this.#random.chance(type.kind === 'nonNull' ? 0.95 : 0.7))
          .map(({ name, type }) => [name, valueOf(this.#random, this.#schema.inputs, type)]),
      ),
    );
    return { query: `query Q${head} ${body} ${this.#fragments.join(' ')}`, variables };
  }

  #selections(type: string, depth: number): string {
    const random = this.#random;
    const fields = this.#schema.fields.get(type) ?? [];
    const chosen = random.some(fields, 0.4).map(({ name, type: ref, arguments: args }) => {
      const inner = nameOf(ref);
      const isLeaf = (LEAVES as readonly string[]).includes(inner);
      if (!isLeaf && depth >= MAX_DEPTH) return '__typename';
      // Fields with an alias of their own never have to be merged; those without arguments may be.
      const alias =
        args.length > 0 || !isLeaf || random.chance(0.2) ? `x${String((this.#names += 1))}: ` : '';
      const below = isLeaf ? '' : this.#selections(inner, depth + 1);
      return `${alias}${name}${this.#arguments(args)} ${this.#condition()} ${below}`;
    });
    if (random.chance(0.2)) chosen.push('__typename');
    if (depth < MAX_DEPTH && random.chance(0.25)) chosen.push(this.#fragment(type, depth));
    if (type === 'Any' || type === 'Named') {
      const object = random.pick(type === 'Any' ? ['First', 'Third'] : ['First', 'Second']);
      chosen.push(`... on ${object} ${this.#condition()} ${this.#selections(object, depth + 1)}`);
    }
    return `{ ${chosen.length === 0 ? '__typename' : chosen.join(' ')} }`;
  }

  #fragment(type: string, depth: number): string {
    const selections = this.#selections(type, depth + 1);
    if (this.#random.chance(0.5)) return `... ${this.#condition()} ${selections}`;
    const name = `F${String(this.#fragments.length)}`;
    this.#fragments.push(`fragment ${name} on ${type} ${selections}`);
    return `...${name} ${this.#condition()}`;
  }

  #arguments(args: readonly Argument[]): string {
    const given = args
      .filter((argument) => isRequired(argument) || this.#random.chance(0.7))
      .map(({ name, type }) => {
        const value = this.#random.chance(0.5)
          ? this.#variable(type)
          : literal(this.#random, this.#schema.inputs, type, (ref) => this.#variable(ref));
        return `${name}: ${value}`;
      });
    return given.length === 0 ? '' : `(${given.join(', ')})`;
  }

  #condition(): string {
    const random = this.#random;
    if (!random.chance(0.05)) return '';
    const value = random.chance(0.5)
      ? 'true'
      : this.#variable({ kind: 'nonNull', of: { kind: 'named', name: 'Boolean' } });
    return `@${random.pick(['include', 'skip'])}(if: ${value})`;
  }

  /** Sometimes one that is nullable with a default, which may be used where null may not (GraphQL, "All Variable Usages Are Allowed"). */
  #variable(type: Ref): string {
    const random = this.#random;
    const name = `v${String(this.#variables.length)}`;
    const isOptional = type.kind === 'nonNull' && random.chance(0.4);
    const declared = isOptional ? type.of : type;
    const byDefault =
      isOptional || random.chance(0.2) ? ` = ${literal(random, this.#schema.inputs, type)}` : '';
    this.#variables.push({ name, type: declared, text: `$${name}: ${printRef(declared)}${byDefault}` });
    return `$${name}`;
  }
}
