/** Pieces of the source of a compiled query. */

import { GraphQLBoolean, GraphQLID, type GraphQLOutputType, GraphQLString, isNonNullType } from 'graphql';

/** A function of the source that turns a resolved value into its response value (GraphQL, "CompleteValue"). */
export interface Completer {
  readonly name: string;
  /** Whether it takes the path of its value, because a resolver below may read the path. */
  readonly takesPath: boolean;
  /** Whether it may return a promise, because the type of its value may be known later. */
  readonly isLate: boolean;
  /** The function that writes its objects; undefined for leaves. */
  readonly write: string | undefined;
}

export function call({ name, takesPath }: Completer, value: string, path: string): string {
  return takesPath ? `${name}(${value}, run, ${path})` : `${name}(${value}, run)`;
}

/** Completes a value and assigns it, when it is complete. */
export function assign(place: string, completer: Completer, value: string, path: string): string {
  const completed = call(completer, value, path);
  if (!completer.isLate) return `${place} = ${completed};`;
  return `const done = ${completed}; if (${isThenable('done')}) ${wait('done', place)} else ${place} = done;`;
}

/** Assigns a completed value when it is known. */
export function wait(promise: string, place: string): string {
  return `run.wait(${promise}, (later) => { ${place} = later; });`;
}

/** Not a call: at its own place in the source, the engine learns of which shape the values are. */
export function isThenable(value: string): string {
  return `typeof ${value} === 'object' && ${value} !== null && typeof ${value}.then === 'function'`;
}

/** Declares the value as a property of the source. A method is unsupported: only graphql-js calls it with its arguments. */
export function read(property: string, value: string): string {
  return `let ${value} = source.${property}; if (typeof ${value} === 'function') throw new Unsupported();`;
}

/** A condition in front of completing a value: a string or boolean of a built-in scalar is already its response value. */
export function unlessPlain(type: GraphQLOutputType, value: string): string {
  const named = isNonNullType(type) ? type.ofType : type;
  if (named === GraphQLString || named === GraphQLID) return `if (typeof ${value} !== 'string') `;
  return named === GraphQLBoolean ? `if (typeof ${value} !== 'boolean') ` : '';
}
