/** Remembers the ids in a server's answers, and finds ids for arguments. */

import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { Random } from '../run/random.js';
import type { SeenId } from './answers/result-problems.js';

type Field = GraphQLField<unknown, unknown>;
type Id = string | number;

/** The most ids remembered per type. */
const MOST = 20;

export class KnownIds {
  readonly #byType = new Map<string, Id[]>();
  /** The types to which the id may belong, likeliest first, by field and argument. */
  readonly #types = new Map<string, readonly string[]>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly random: Random,
  ) {}

  add({ type, id }: SeenId): void {
    const known = this.#byType.get(type) ?? [];
    this.#byType.set(type, known);
    if (known.length < MOST && !known.includes(id)) known.push(id);
  }

  forget(id: Id): void {
    for (const [type, known] of this.#byType)
      this.#byType.set(
        type,
        known.filter((each) => each !== id),
      );
  }

  /**
   * An id for an argument or an input field.
   *
   * @param newest - whether to choose the latest id, so that older ones remain after a deletion
   * @param forbidden - ids that must not be chosen
   * @returns undefined if none is known, or the value is no id
   */
  for(
    field: Field,
    name: string,
    type: GraphQLInputType,
    newest: boolean,
    forbidden: readonly string[],
  ): Id | undefined {
    const leaf = getNamedType(type).name;
    if (leaf !== 'ID' && !(/ids?$/i.test(name) && ['Int', 'String'].includes(leaf))) return undefined;
    for (const each of this.typesOf(field, name)) {
      const known = (this.#byType.get(each) ?? []).filter((id) => !forbidden.includes(String(id)));
      const id = newest ? known.at(-1) : known[this.random.below(known.length)];
      if (id === undefined) continue;
      if (leaf !== 'Int') return String(id);
      if (Number.isInteger(Number(id))) return Number(id);
    }
    return undefined;
  }

  /** The types to which an id may belong: those that its name suggests, the result's, those in the field's name, those in the result. */
  typesOf(field: Field, name: string): readonly string[] {
    const key = `${field.name} ${name}`;
    const known = this.#types.get(key);
    if (known !== undefined) return known;
    const stem = name.replace(/_?ids?$/i, '').toLowerCase();
    const all = Object.values(this.schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
    const fieldsOf = (type: GraphQLNamedType): readonly Field[] =>
      isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const named = all.filter((type) => stem !== '' && type.name.toLowerCase() === stem);
    const referred = all.flatMap(fieldsOf).filter((each) => stem !== '' && each.name.toLowerCase() === stem);
    const result = getNamedType(field.type);
    const inField = all.filter((type) => field.name.toLowerCase().includes(type.name.toLowerCase()));
    const found = [
      ...named,
      ...referred.map((each) => getNamedType(each.type)),
      result,
      ...inField.sort((a, b) => b.name.length - a.name.length),
      ...fieldsOf(result).map((each) => getNamedType(each.type)),
    ].flatMap((type) =>
      isAbstractType(type) ? this.schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [],
    );
    const types = [...new Set(found.map((type) => type.name))];
    this.#types.set(key, types);
    return types;
  }
}
