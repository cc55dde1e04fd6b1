/** Gives openapi-typescript the types of values with a format. */

import { type OpenAPITSOptions, stringToAST } from 'openapi-typescript';
import { type ValueTypes, leafOf } from '../values/value-types.js';

/** What openapi-typescript writes in place of the type that it would write for a schema. */
type TypeNode = Extract<ReturnType<NonNullable<OpenAPITSOptions['transform']>>, { kind: unknown }>;

/** The helpers that take apart every object type; a Date must stay whole. */
const TAKES_APART = 'T extends (infer E)[] ?';

export class ValueTypeNodes {
  readonly #used = new Set<string>();

  constructor(private readonly values: ValueTypes) {}

  /** The type of a schema whose values are converted. */
  node(schema: object): TypeNode | undefined {
    const leaf = leafOf(this.values, schema);
    if (leaf === undefined) return undefined;
    this.#used.add(leaf.type);
    return typeNode(leaf.nullable ? `${leaf.type} | null` : leaf.type);
  }

  /** The text of `openapi.ts`, whose helpers leave the types of values whole. */
  whole(text: string): string {
    if (this.#used.size === 0) return text;
    return text.replaceAll(TAKES_APART, `T extends ${[...this.#used].join(' | ')} ? T : ${TAKES_APART}`);
  }
}

function typeNode(text: string): TypeNode {
  const [statement] = stringToAST(`type T = ${text};`) as readonly { readonly type?: TypeNode }[];
  if (statement?.type === undefined) throw new Error(`${text} is not a type`);
  return statement.type;
}
