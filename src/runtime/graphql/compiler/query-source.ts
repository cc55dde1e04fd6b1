/** Writes the source of functions that run one query: one function per selection, which reads properties by their names. */

import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { compileArguments } from './query-inputs.js';
import { type Member, writerSource } from './result-writer.js';
import { type Completer, call, assign, wait, isThenable, read, unlessPlain } from './source-pieces.js';
import { type Selections, Unsupported } from './selections.js';

/** The constant data of one field of a query. */
export interface FieldPlan {
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

/** The functions of a query. */
export interface QuerySource {
  readonly lines: readonly string[];
  /** The name of the root function. */
  readonly root: string;
  /** The values that the source reads as `constant0`, `constant1` and so on. */
  readonly constants: readonly unknown[];
}

/** Above this number, the time saved is not worth the memory of the code. */
const MOST_FIELDS = 1000;

/** @throws Unsupported for introspection, for directives that decide more than `@skip` does, and for too many fields */
export function writeQuery(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  selectionSet: SelectionSetNode,
  selections: Selections,
): QuerySource {
  const writer = new Writer(schema, selections);
  const root = writer.object(type, [selectionSet], true);
  return { lines: writer.lines, root: root.name, constants: writer.constants };
}

/** The field that a value belongs to. */
interface ValueField {
  readonly nodes: readonly FieldNode[];
  /** The constant that is the field's plan. */
  readonly plan: string;
}

class Writer {
  readonly lines: string[] = [];
  readonly constants: unknown[] = [];
  #fields = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly selections: Selections,
  ) {}

  /**
   * Adds a function of an object, the run and the object's path.
   *
   * @param isRoot - whether the object is the query's root, which has no value in this engine
   */
  object(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[], isRoot = false): Completer {
    const steps: string[] = [];
    const values: string[] = [];
    const members: Member[] = [];
    let takesPath = false;
    for (const [name, nodes] of this.selections.fieldsOf(type, selectionSets)) {
      const fieldName = nodes[0].name.value;
      if (fieldName === '__typename') {
        values.push(JSON.stringify(type.name));
        members.push({ name, json: JSON.stringify(type.name) });
        continue;
      }
      const field = type.getFields()[fieldName];
      if (field === undefined || this.#fields === MOST_FIELDS) throw new Unsupported();
      const value = `value${String(this.#fields++)}`;
      const plan = this.constant({ parentType: type, field, nodes } satisfies FieldPlan);
      const completer = this.#completer(field.type, { nodes, plan });
      takesPath ||= completer.takesPath || field.resolve !== undefined;
      const path = `{ prev: path, key: ${JSON.stringify(name)}, typename: ${JSON.stringify(type.name)} }`;
      const place = `result.${name}`;
      steps.push(
        field.resolve
          ? `asked = ${plan}; let ${value} = run.note(${this.#resolved(field, nodes[0], plan, path)}, ${plan}, path); asked = undefined;`
          : isRoot
            ? `let ${value};`
            : read(fieldName, value),
        `${unlessPlain(field.type, value)}if (${isThenable(value)}) {
    run.wait(${value}, (later) => { ${assign(place, completer, 'later', path)} });
    ${value} = null;
  } else ${value} = ${call(completer, value, path)};`,
      );
      if (completer.isLate) {
        steps.push(`if (${isThenable(value)}) { ${wait(value, place)} ${value} = null; }`);
      }
      values.push(value);
      members.push({ name, write: completer.write });
    }
    const write = this.#add(
      'write',
      writerSource(members, (value) => this.constant(value)),
    );
    const parameters = members.map((_, index) => `member${String(index)}`);
    const made = this.#add(
      'Result',
      `function (${parameters.join(', ')}) {
  ${members.map(({ name }, index) => `this.${name} = member${String(index)};`).join(' ')}
}`,
    );
    this.lines.push(`${made}.prototype = resultPrototype(${write});`);
    const name = this.#add(
      'object',
      `(source, run, path) => {
  let asked;
  try {
  ${isRoot ? '' : "if (typeof source !== 'object') throw new Unsupported();"}
  ${steps.join('\n  ')}
  const result = new ${made}(${values.join(', ')});
  return result;
  } catch (error) {
    if (asked !== undefined) run.note(new Thrown(error), asked, path);
    disown(source);
    throw error;
  }
}`,
    );
    return { name, takesPath, isLate: false, write };
  }

  /** Calls a resolver. Each call has its own place in the source, where the engine learns which function it calls. */
  #resolved(field: GraphQLField<unknown, unknown>, node: FieldNode, plan: string, path: string): string {
    const given =
      field.args.length === 0 ? '{}' : `${this.constant(compileArguments(field, node))}(run.variables)`;
    return `${this.constant(field.resolve)}(source, ${given}, run.context, run.info(${plan}, ${path}))`;
  }

  /** Adds a constant. @returns its name */
  constant(value: unknown): string {
    return `constant${String(this.constants.push(value) - 1)}`;
  }

  #completer(type: GraphQLOutputType, place: ValueField): Completer {
    if (isNonNullType(type)) return this.#required(this.#completer(type.ofType, place));
    if (isListType(type)) return this.#list(this.#completer(type.ofType, place));
    if (isLeafType(type)) {
      const name = this.#add('complete', `(value) => completeLeaf(${this.constant(type)}, value)`);
      return { name, takesPath: false, isLate: false, write: undefined };
    }
    const completer = isObjectType(type) ? this.#checked(type, place) : this.#abstract(type, place);
    const source = `(value, run, path) => {
  if (value === null || value === undefined) return null;
  if (value instanceof Error) throw value;
  return ${completer.name}(value, run, path);
}`;
    return { ...completer, name: this.#add('nullable', source) };
  }

  /** Adds a function of an object that is checked by the `isTypeOf` of its type. */
  #checked(type: GraphQLObjectType, { nodes, plan }: ValueField): Completer {
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const object = this.object(type, selectionSets);
    if (!type.isTypeOf) return object;
    const source = `(value, run, path) => {
  const complete = (isType) => {
    if (!isType) throw new Unsupported();
    return ${object.name}(value, run, path);
  };
  const isType = run.isTypeOf(${plan}, ${this.constant(type)}, value, path);
  return ${isThenable('isType')} ? run.typed(value, isType, complete) : complete(isType);
}`;
    return { ...object, name: this.#add('checked', source), takesPath: true, isLate: true };
  }

  /** Adds a function that finds out the type of an object, and then completes it as that type. */
  #abstract(type: GraphQLAbstractType, place: ValueField): Completer {
    const types = this.schema.getPossibleTypes(type);
    const completers = types.map((each) => this.#checked(each, place));
    const cases = completers.map(
      ({ name }, index) => `case ${JSON.stringify(types[index]?.name)}: return ${name}(value, run, path);`,
    );
    const source = `(value, run, path) => {
  const complete = (name) => {
    switch (name) {
      ${cases.join('\n      ')}
      default: throw new Unsupported();
    }
  };
  const name = run.typeOf(${place.plan}, ${this.constant(type)}, value, path);
  return ${isThenable('name')} ? run.typed(value, name, complete) : complete(name);
}`;
    const isAsked = type.resolveType !== undefined;
    return {
      name: this.#add('abstract', source),
      takesPath: isAsked || completers.some((each) => each.takesPath),
      isLate: isAsked || completers.some((each) => each.isLate),
      write: 'writeTagged',
    };
  }

  #required(completer: Completer): Completer {
    const source = `(value, run, path) => {
  const result = ${completer.name}(value, run, path);
  if (result === null) throw new Unsupported();
  return result;
}`;
    return { ...completer, name: this.#add('required', source) };
  }

  #list(item: Completer): Completer {
    const path = '{ prev: path, key: index, typename: undefined }';
    const place = 'list[index]';
    const push = item.isLate
      ? `{
      const done = ${call(item, 'each', path)};
      if (${isThenable('done')}) { list.push(null); ${wait('done', place)} } else list.push(done);
    }`
      : `list.push(${call(item, 'each', path)});`;
    // The rest of a list that waits for its turn is abandoned if the operation ends before.
    const fill = `fill${String(this.lines.length)}`;
    this.#add(
      'fill',
      `(list, value, run, path, isLate) => {
  try {
    for (let index = list.length; index < value.length; index += 1) {
      if (isTurnOver(run.turns)) {
        if (!isLate) disown(value);
        run.later(() => { ${fill}(list, value, run, path, true); });
        return;
      }
      const each = value[index];
      if (${isThenable('each')}) {
        list.push(null);
        run.wait(each, (later) => { ${assign(place, item, 'later', path)} });
      } else ${push}
    }
  } catch (error) {
    disown(value);
    throw error;
  }
}`,
    );
    const source = `(value, run, path) => {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) throw new Unsupported();
  const list = [];
  ${fill}(list, value, run, path, false);
  return list;
}`;
    return { ...item, name: this.#add('list', source) };
  }

  #add(kind: string, source: string): string {
    const name = `${kind}${String(this.lines.length)}`;
    this.lines.push(`const ${name} = ${source};`);
    return name;
  }
}
