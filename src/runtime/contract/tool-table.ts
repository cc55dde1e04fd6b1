/** The table of tools that the generator writes: what the operations of a contract are as tools for models. */

import type { FieldCodec, ParameterCodec } from './contract.js';

/** The tools of a contract. Their schemas are JSON Schema 2020-12. */
export interface ToolTable {
  readonly title: string;
  readonly version: string;
  /** The description of the contract. */
  readonly description?: string;
  /** The names of the headers that carry API keys, in lower case. */
  readonly keyHeaders: readonly string[];
  /** In the order of the contract. */
  readonly operations: readonly ToolOperation[];
  /** The definitions that the schemas of arguments share, by name. */
  readonly inputs: Readonly<Record<string, ToolSchema>>;
  /** The definitions that the schemas of results share, by name. */
  readonly outputs: Readonly<Record<string, ToolSchema>>;
}

/** A schema whose references lead to its definitions: `#/$defs/NAME`. */
export interface ToolSchema<Schema = unknown> {
  readonly schema: Schema;
  /** The names of the definitions that the schema itself refers to. */
  readonly refers: readonly string[];
}

export interface ToolOperation {
  readonly id: string;
  /** As requests spell it. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly title?: string;
  readonly description: string;
  /** The schema of all arguments: one per parameter, and `body`. */
  readonly input: ToolSchema<Readonly<Record<string, unknown>>>;
  /** How each parameter is written, by the name of its argument. */
  readonly parameters: readonly (readonly [argument: string, notation: ParameterNotation])[];
  readonly body?: { readonly mediaType: string; readonly isJson: boolean };
  /** Present if all successes are objects of the same schema. */
  readonly output?: ToolSchema<Readonly<Record<string, unknown>>>;
  /** The `Accept` to send. */
  readonly accept?: string;
  /** Why the operation cannot be a tool. */
  readonly unfit?: string;
}

/** The properties of a parameter that decide how its value is written. */
export interface ParameterNotation extends Pick<ParameterCodec, 'in' | 'name' | 'style' | 'explode'> {
  /** The styles of the fields, for a query string that is a form. */
  readonly fields?: Readonly<Record<string, Pick<FieldCodec, 'style' | 'explode'>>>;
}
