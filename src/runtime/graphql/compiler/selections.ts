/** Collects the fields that a query selects of an object type, for known values of its conditions (GraphQL, "CollectFields"). */

import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** Unsupported: the query is interpreted instead. */
export class Unsupported extends Error {}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The value of each variable that is the condition of a `@skip` or `@include`; undefined to include every selection. */
export type Conditions = ReadonlyMap<string, boolean> | undefined;

/** The nodes of each response name, in the order of the response. */
type Fields = ReadonlyMap<string, readonly [FieldNode, ...FieldNode[]]>;

/** @returns the fragments by name */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

const CONDITIONAL: ReadonlySet<string> = new Set(['skip', 'include']);
/** graphql-js may deliver these selections after the result. */
const INCREMENTAL: ReadonlySet<string> = new Set(['defer', 'stream']);

/** @returns the variables of the operation that decide which fields are selected, in an order that is always the same */
export function conditionVariables(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly string[] {
  const found = new Set<string>();
  visit(document, {
    Directive({ name, arguments: args = [] }) {
      if (!CONDITIONAL.has(name.value)) return;
      for (const { value } of args) if (value.kind === Kind.VARIABLE) found.add(value.name.value);
    },
  });
  // The conditions of other operations are no part of this one.
  const own = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  return own.filter((name) => found.has(name));
}

export class Selections {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Fragments,
    private readonly conditions: Conditions,
  ) {}

  /** @throws Unsupported for directives that this compiler does not know, and for a response name that no literal can have */
  fieldsOf(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): Fields {
    const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
    const spread = new Set<string>();
    for (const selectionSet of selectionSets) this.#collect(type, selectionSet, fields, spread);
    return fields;
  }

  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    fields: Map<string, [FieldNode, ...FieldNode[]]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (!this.#isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        // An assignment would set the prototype instead of a member.
        if (name === '__proto__') throw new Unsupported();
        const known = fields.get(name);
        if (known === undefined) fields.set(name, [selection]);
        else known.push(selection);
        continue;
      }
      let fragment: FragmentDefinitionNode | typeof selection | undefined = selection;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value;
        if (spread.has(name)) continue;
        spread.add(name);
        fragment = this.fragments.get(name);
      }
      if (fragment && 'selectionSet' in fragment && this.#applies(fragment.typeCondition?.name.value, type)) {
        this.#collect(type, fragment.selectionSet, fields, spread);
      }
    }
  }

  #isIncluded({ directives = [] }: SelectionNode): boolean {
    return directives.every((directive) => {
      const name = directive.name.value;
      if (INCREMENTAL.has(name)) throw new Unsupported();
      return !CONDITIONAL.has(name) || this.#valueOf(directive) === (name === 'include');
    });
  }

  #valueOf({ name, arguments: [argument] = [] }: DirectiveNode): boolean {
    const value = argument?.value;
    if (value?.kind === Kind.BOOLEAN) return value.value;
    if (value?.kind !== Kind.VARIABLE) throw new Unsupported();
    if (this.conditions === undefined) return name.value === 'include';
    const condition = this.conditions.get(value.name.value);
    if (condition === undefined) throw new Unsupported();
    return condition;
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const named = this.schema.getType(condition);
    return isAbstractType(named) && this.schema.isSubType(named, type);
  }
}
