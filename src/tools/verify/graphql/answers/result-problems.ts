/** Checks the data of a result against the operation and the schema: its fields, their order and their types. */

import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { directiveValues } from '@concordat/runtime/graphql';
import { isObject } from '@concordat/runtime/parts';
import type { Reached } from '../requests/graphql-request.js';

/** A fault of a result. */
export interface ResultProblem {
  /** The schema coordinate of the field; empty for the result as a whole. */
  readonly place: string;
  readonly message: string;
}

/** An id in a result. */
export interface SeenId {
  readonly type: string;
  readonly id: string | number;
}

type Path = readonly (string | number)[];
/** Fields by response name. Those with the same name are merged. */
type Selected = ReadonlyMap<string, readonly FieldNode[]>;

/** A selected field: its type, its nodes and its schema coordinate. */
interface Site {
  readonly type: GraphQLOutputType;
  readonly fields: readonly FieldNode[];
  readonly place: string;
}

export class ResultReader {
  readonly problems: ResultProblem[] = [];
  readonly ids: SeenId[] = [];
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #root: GraphQLObjectType | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly reached: Reached,
  ) {
    for (const each of reached.document.definitions)
      if (each.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(each.name.value, each);
    this.#root = schema.getRootType(reached.operation.operation) ?? undefined;
  }

  read(data: unknown): void {
    if (data === null || this.#root === undefined) return;
    if (!isObject(data)) this.problems.push({ place: '', message: 'data is not an object' });
    else this.#object(this.#root, this.#select(this.#root, [this.reached.operation.selectionSet]), data);
  }

  /** The schema coordinate of the field that a path leads to; empty for a path to nothing. */
  placeOf(path: Path): string {
    return this.wayOf(path)?.place ?? '';
  }

  /**
   * Follows the path of an error.
   *
   * @returns the coordinate of the field, and for each nullable place on the way the number of keys that lead there, 0 for the
   *   data as a whole; undefined for a path to nothing
   */
  wayOf(path: Path): { readonly place: string; readonly nullable: readonly number[] } | undefined {
    const nullable = [0];
    let sites: readonly Site[] = [];
    let type: GraphQLOutputType | undefined = this.#root;
    for (const [index, key] of path.entries()) {
      if (typeof key === 'number') {
        const inner: GraphQLOutputType | undefined = type && getNullableType(type);
        type = isListType(inner) ? inner.ofType : undefined;
        sites = sites.map((site) => ({ ...site, type: type ?? site.type }));
      } else {
        sites = this.#below(index === 0 ? undefined : sites, key);
        type = sites[0]?.type;
      }
      if (type === undefined) return undefined;
      if (!isNonNullType(type)) nullable.push(index + 1);
    }
    return { place: sites[0]?.place ?? '', nullable };
  }

  /** The fields with a response name below other fields, for each possible type. */
  #below(sites: readonly Site[] | undefined, key: string): readonly Site[] {
    const root = { types: this.#root ? [this.#root] : [], sets: [this.reached.operation.selectionSet] };
    const around = sites?.map(({ type, fields }) => {
      return { types: this.#possible(type), sets: selectionsOf(fields) };
    }) ?? [root];
    return around.flatMap(({ types, sets }) =>
      types.flatMap((parent) => {
        const fields = this.#select(parent, sets).get(key) ?? [];
        const [first] = fields;
        return first === undefined ? [] : (this.#siteOf(parent, fields, first) ?? []);
      }),
    );
  }

  #possible(type: GraphQLOutputType): readonly GraphQLObjectType[] {
    const inner = getNullableType(type);
    if (isAbstractType(inner)) return this.schema.getPossibleTypes(inner);
    return isObjectType(inner) ? [inner] : [];
  }

  #siteOf(parent: GraphQLObjectType, fields: readonly FieldNode[], { name }: FieldNode): Site | undefined {
    const metas = [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef];
    const meta = metas.find((each) => each.name === name.value);
    const field = meta ?? parent.getFields()[name.value];
    return field && { type: field.type, fields, place: `${parent.name}.${field.name}` };
  }

  /** Collects the fields of a type (GraphQL, "Field Collection"). */
  #select(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Selected {
    const selected = new Map<string, FieldNode[]>();
    const { variables } = this.reached;
    const collect = (set: SelectionSetNode): void => {
      for (const node of set.selections) {
        if (directiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) continue;
        if (directiveValues(GraphQLIncludeDirective, node, variables)?.['if'] === false) continue;
        if (node.kind === Kind.FIELD) {
          const name = node.alias?.value ?? node.name.value;
          selected.set(name, [...(selected.get(name) ?? []), node]);
          continue;
        }
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
        const on = fragment?.typeCondition && this.schema.getType(fragment.typeCondition.name.value);
        const isMeant =
          on === undefined || on === type || (isAbstractType(on) && this.schema.isSubType(on, type));
        if (fragment !== undefined && isMeant) collect(fragment.selectionSet);
      }
    };
    for (const set of sets) collect(set);
    return selected;
  }

  #object(type: GraphQLObjectType, selected: Selected, value: Readonly<Record<string, unknown>>): void {
    const [wanted, given] = [[...selected.keys()], Object.keys(value)];
    const missing = wanted.find((name) => !Object.hasOwn(value, name));
    const other = given.find((name) => !selected.has(name));
    if (missing !== undefined) this.#report(type.name, `it lacks ${missing}, which is selected`);
    else if (other !== undefined) this.#report(type.name, `it has ${other}, which is not selected`);
    else if (wanted.join() !== given.join())
      this.#report(type.name, 'its fields are in another order than they are selected');
    for (const [name, fields] of selected) {
      const [first] = fields;
      const site = first && this.#siteOf(type, fields, first);
      if (site === undefined || !Object.hasOwn(value, name)) continue;
      if (first?.name.value === '__typename' && value[name] !== type.name) {
        this.#report(site.place, `it is ${JSON.stringify(value[name])} in a ${type.name}`);
        continue;
      }
      this.#value(site, value[name]);
      const id = value[name];
      const isId = first?.name.value === 'id' && (typeof id === 'string' || typeof id === 'number');
      if (isId) this.ids.push({ type: type.name, id });
    }
  }

  #value(site: Site, value: unknown): void {
    const type = getNullableType(site.type);
    if (value === null) {
      if (isNonNullType(site.type)) this.#report(site.place, `it is null, its type is ${String(site.type)}`);
    } else if (isListType(type)) {
      if (!Array.isArray(value)) this.#report(site.place, `it is not a list, its type is ${String(type)}`);
      else for (const item of value as readonly unknown[]) this.#value({ ...site, type: type.ofType }, item);
    } else if (!isCompositeType(type)) {
      const problem = leafProblem(type, value);
      if (problem !== undefined) this.#report(site.place, problem);
    } else if (isObject(value)) this.#composite(site, value);
    else this.#report(site.place, `it is not an object, its type is ${type.name}`);
  }

  /** Reads an object with the type that its `__typename` names, or else with the first type that has its fields. */
  #composite(site: Site, value: Readonly<Record<string, unknown>>): void {
    const sets = selectionsOf(site.fields);
    const types = this.#possible(site.type).map((type) => ({ type, selected: this.#select(type, sets) }));
    const names = types.map(({ selected }) => selected.get('__typename')?.[0]?.name.value);
    const hasName = names.includes('__typename');
    const keys = Object.keys(value).join();
    const found = types.find(({ type, selected }) =>
      hasName ? type.name === value['__typename'] : [...selected.keys()].join() === keys,
    );
    const chosen = found ?? (types.length === 1 || !hasName ? types[0] : undefined);
    if (chosen === undefined) {
      const message = `its __typename is ${String(value['__typename'])}, which is not a type of ${String(getNullableType(site.type))}`;
      this.#report(site.place, message);
    } else this.#object(chosen.type, chosen.selected, value);
  }

  #report(place: string, message: string): void {
    this.problems.push({ place, message: place === '' ? message : `${place}: ${message}` });
  }
}

const selectionsOf = (fields: readonly FieldNode[]): readonly SelectionSetNode[] =>
  fields.flatMap(({ selectionSet }) => selectionSet ?? []);

/** Values of custom scalars are not checked, because only the server knows their rules. */
function leafProblem(type: GraphQLLeafType, value: unknown): string | undefined {
  const shown = JSON.stringify(value).slice(0, 60);
  if (isEnumType(type)) {
    const isMember = typeof value === 'string' && type.getValue(value) !== undefined;
    return isMember ? undefined : `${shown} is not a value of ${type.name}`;
  }
  const isFine = IS_OF_SCALAR.get(type.name)?.(value) ?? true;
  return isFine ? undefined : `${shown} is not a valid ${type.name}`;
}

/** The JSON form of each built-in scalar (GraphQL, "Scalars" and "JSON Serialization"). */
const IS_OF_SCALAR: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['Int', (value) => typeof value === 'number' && (value | 0) === value],
  ['Float', (value) => typeof value === 'number' && Number.isFinite(value)],
  ['String', (value) => typeof value === 'string'],
  ['Boolean', (value) => typeof value === 'boolean'],
  ['ID', (value) => typeof value === 'string'],
]);
