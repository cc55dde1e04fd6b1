/** Writes the source of functions that run one query: one function per selection, which reads properties by their names. */

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLBoolean,
  type GraphQLField,
  GraphQLID,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { compileArguments, type ReadArguments } from './query-inputs.js';

/** The constant data of one field of a query. The functions of the source find it by its index. */
export interface FieldPlan {
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  /** The name in the response. */
  readonly name: string;
  readonly readArguments: ReadArguments;
}

/** The functions of a query. */
export interface QuerySource {
  readonly lines: readonly string[];
  /** The name of the root function. */
  readonly root: string;
  readonly plans: readonly FieldPlan[];
  readonly leaves: readonly GraphQLLeafType[];
}

/** Above this number, the time saved is not worth the memory of the code. */
const MOST_FIELDS = 1000;

/** Unsupported: the query is interpreted instead. */
export class Unsupported extends Error {}

/** @throws Unsupported for introspection, for types that must be resolved from a value, and for too many fields */
export function writeQuery(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  selectionSet: SelectionSetNode,
  fragments: Fragments,
): QuerySource {
  const writer = new Writer(schema, fragments);
  const root = writer.object(type, [selectionSet], true);
  return { lines: writer.lines, root: root.name, plans: writer.plans, leaves: writer.leaves };
}

/** A function of the source that turns a resolved value into its response value (GraphQL, "CompleteValue"). */
interface Completer {
  readonly name: string;
  /** Whether it takes the path of its value, because a resolver below may read the path. */
  readonly takesPath: boolean;
}

class Writer {
  readonly lines: string[] = [];
  readonly plans: FieldPlan[] = [];
  readonly leaves: GraphQLLeafType[] = [];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Fragments,
  ) {}

  /**
   * Adds a function of an object, the run and the object's path.
   *
   * @param isRoot - whether the object is the query's root, which has no value in this engine
   */
  object(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[], isRoot = false): Completer {
    if (type.isTypeOf) throw new Unsupported();
    const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
    for (const selectionSet of selectionSets) this.#collect(type, selectionSet, fields);
    const before: string[] = [];
    const members: string[] = [];
    const after: string[] = [];
    let takesPath = false;
    for (const [name, nodes] of fields) {
      const fieldName = nodes[0].name.value;
      if (fieldName === '__typename') {
        members.push(`${name}: ${JSON.stringify(type.name)}`);
        continue;
      }
      const field = type.getFields()[fieldName];
      if (field === undefined || this.plans.length === MOST_FIELDS) throw new Unsupported();
      const readArguments = compileArguments(field, nodes[0]);
      const plan = String(this.plans.push({ parentType: type, field, nodes, name, readArguments }) - 1);
      const [value, promise] = [`value${plan}`, `promise${plan}`];
      const completer = this.#completer(field.type, nodes);
      takesPath ||= completer.takesPath || field.resolve !== undefined;
      const path = `{ prev: path, key: ${JSON.stringify(name)}, typename: ${JSON.stringify(type.name)} }`;
      const completed = call(completer, value, path);
      before.push(
        field.resolve ? resolved(plan, value) : isRoot ? `let ${value};` : read(fieldName, value),
        `let ${promise};`,
        `${unlessPlain(field.type, value)}if (isThenable(${value})) ${promise} = ${value}; else ${value} = ${completed};`,
      );
      after.push(
        `if (${promise} !== undefined) run.wait(${promise}, (${value}) => { result.${name} = ${completed}; });`,
      );
      members.push(`${name}: ${value}`);
    }
    const name = this.#add(
      'object',
      `(source, run, path) => {
  ${isRoot ? '' : "if (typeof source !== 'object') throw new Unsupported();"}
  ${before.join('\n  ')}
  const result = { ${members.join(', ')} };
  ${after.join('\n  ')}
  return result;
}`,
    );
    return { name, takesPath };
  }

  #completer(type: GraphQLOutputType, nodes: readonly FieldNode[]): Completer {
    if (isNonNullType(type)) return this.#required(this.#completer(type.ofType, nodes));
    if (isListType(type)) return this.#list(this.#completer(type.ofType, nodes));
    if (isLeafType(type)) {
      const leaf = String(this.leaves.push(type) - 1);
      return { name: this.#add('complete', `(value) => completeLeaf(leaf${leaf}, value)`), takesPath: false };
    }
    if (!isObjectType(type)) throw new Unsupported();
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const object = this.object(type, selectionSets);
    const source = `(value, run, path) => {
  if (value === null || value === undefined) return null;
  if (value instanceof Error) throw value;
  return ${object.name}(value, run, path);
}`;
    return { name: this.#add('nullable', source), takesPath: object.takesPath };
  }

  #required(completer: Completer): Completer {
    const source = `(value, run, path) => {
  const result = ${completer.name}(value, run, path);
  if (result === null) throw new Unsupported();
  return result;
}`;
    return { name: this.#add('required', source), takesPath: completer.takesPath };
  }

  #list(item: Completer): Completer {
    const path = '{ prev: path, key: index, typename: undefined }';
    const source = `(value, run, path) => {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) throw new Unsupported();
  const list = [];
  for (let index = 0; index < value.length; index += 1) {
    const each = value[index];
    if (isThenable(each)) {
      list.push(null);
      run.wait(each, (later) => { list[index] = ${call(item, 'later', path)}; });
    } else list.push(${call(item, 'each', path)});
  }
  return list;
}`;
    return { name: this.#add('list', source), takesPath: item.takesPath };
  }

  #add(kind: string, source: string): string {
    const name = `${kind}${String(this.lines.length)}`;
    this.lines.push(`const ${name} = ${source};`);
    return name;
  }

  /** GraphQL, "CollectFields", for a known object type. */
  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    fields: Map<string, [FieldNode, ...FieldNode[]]>,
  ): void {
    for (const selection of selections) {
      if (selection.directives?.length) throw new Unsupported();
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        // An object literal would set the prototype instead of a member.
        if (name === '__proto__') throw new Unsupported();
        const known = fields.get(name);
        if (known === undefined) fields.set(name, [selection]);
        else known.push(selection);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
      if (fragment?.directives?.length) throw new Unsupported();
      if (fragment && this.#applies(fragment.typeCondition?.name.value, type)) {
        this.#collect(type, fragment.selectionSet, fields);
      }
    }
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const named = this.schema.getType(condition);
    return isAbstractType(named) && this.schema.isSubType(named, type);
  }
}

function call({ name, takesPath }: Completer, value: string, path: string): string {
  return takesPath ? `${name}(${value}, run, ${path})` : `${name}(${value}, run)`;
}

/** Declares the value as the result of a resolver. */
function resolved(plan: string, value: string): string {
  return `let ${value} = run.resolve(plan${plan}, source, path);`;
}

/** Declares the value as a property of the source. A method is unsupported: only graphql-js calls it with its arguments. */
function read(property: string, value: string): string {
  return `let ${value} = source.${property}; if (typeof ${value} === 'function') throw new Unsupported();`;
}

/** A condition in front of completing a value: a string or boolean of a built-in scalar is already its response value. */
function unlessPlain(type: GraphQLOutputType, value: string): string {
  const named = isNonNullType(type) ? type.ofType : type;
  if (named === GraphQLString || named === GraphQLID) return `if (typeof ${value} !== 'string') `;
  return named === GraphQLBoolean ? `if (typeof ${value} !== 'boolean') ` : '';
}

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** @returns the fragments by name */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}
