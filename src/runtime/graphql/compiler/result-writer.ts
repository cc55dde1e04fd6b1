/**
 * Writes the results of one operation as JSON, with functions compiled from its selections. Without it, a nested query takes 62 to
 * 66 µs of CPU time instead of 46 to 49 (8 kB on Node 20, the row "nested GraphQL" of the benchmark `peers`).
 */

import { type DocumentNode, Kind, type SelectionSetNode, getOperationAST } from 'graphql';
import { type Fragments, fragmentsOf } from './query-source.js';
import { closeObject, encodeName, jsonBody, writeBytes, writeLeaf, writeObjects } from './json-writer.js';

/** The fields of an object, by response name. A nested selection maps to a nested Shape. */
type Shape = Map<string, Shape | undefined>;

/**
 * @param limit - in bytes
 * @returns the result as JSON, as text or in UTF-8, always equal to that of `JSON.stringify`; undefined beyond the limit
 */
export type ResultWriter = (result: object, limit: number) => string | Uint8Array | undefined;

/**
 * Reading a known property of an object costs a third of enumerating its properties. A result without all of the selected
 * fields, as with `@skip`, is left to the built-in function.
 */
export function compileResultWriter(
  document: DocumentNode,
  operationName: string | undefined,
): ResultWriter | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation) return undefined;
  const shape: Shape = new Map();
  addFields(shape, operation.selectionSet, fragmentsOf(document));
  const writeResult = compile(new Map([['data', shape]]));
  return (result, limit) => jsonBody(result, writeResult, limit);
}

/** Fields of one response name are merged (GraphQL, "CollectFields"); validation ensures that they can be. */
function addFields(shape: Shape, { selections }: SelectionSetNode, fragments: Fragments): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      const { selectionSet } = selection;
      const within = selectionSet && (shape.get(name) ?? (new Map() as Shape));
      shape.set(name, within);
      if (selectionSet && within) addFields(within, selectionSet, fragments);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      addFields(shape, selection.selectionSet, fragments);
    } else {
      const fragment = fragments.get(selection.name.value);
      if (fragment) addFields(shape, fragment.selectionSet, fragments);
    }
  }
}

const TOOLS = { writeLeaf, writeObjects, writeBytes, closeObject };

/** The only input of a client in the source is the names of fields, which GraphQL's grammar limits to letters, digits and `_`. */
function compile(shape: Shape): (value: object) => void {
  const prefixes: Uint8Array[] = [];
  const functions: string[] = [];
  const last = addFunction(shape, prefixes, functions);
  const source = [
    `const { ${Object.keys(TOOLS).join(', ')} } = tools;`,
    ...prefixes.map((_, index) => `const prefix${String(index)} = prefixes[${String(index)}];`),
    ...functions,
    `return ${last};`,
  ].join('\n');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a function with constant property names can only be made from source
  const make = new Function('tools', 'prefixes', source) as (
    tools: typeof TOOLS,
    prefixes: readonly Uint8Array[],
  ) => (value: object) => void;
  return make(TOOLS, prefixes);
}

/** @returns the name of the function that writes an object of this shape */
function addFunction(shape: Shape, prefixes: Uint8Array[], functions: string[]): string {
  const lines = [...shape].map(([name, within], index) => {
    const prefix = `prefix${String(prefixes.push(encodeName(index === 0 ? '{' : ',', name)) - 1)}`;
    if (within === undefined) return `  writeLeaf(${prefix}, object.${name});`;
    const write = addFunction(within, prefixes, functions);
    return `  writeBytes(${prefix});\n  writeObjects(object.${name}, ${write});`;
  });
  const name = `write${String(functions.length)}`;
  functions.push(`const ${name} = (object) => {\n${lines.join('\n')}\n  closeObject();\n};`);
  return name;
}
