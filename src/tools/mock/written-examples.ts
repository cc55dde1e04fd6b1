/** Finds the examples that a contract gives for a body or a header. */

import type { Json } from '@concordat/runtime';
import { type OpenApiDocument, type Referenced, resolvePointer } from 'concordat/contract';

/** The fields of a Media Type Object or a Header Object that show its value. */
interface Illustrated {
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, Referenced<ExampleObject>>>;
}

/** `dataValue` and `serializedValue` are fields of OpenAPI 3.2. */
interface ExampleObject {
  readonly value?: Json;
  readonly dataValue?: Json;
  readonly serializedValue?: string;
}

/**
 * The examples in order; the caller checks whether they fit the schema.
 *
 * @param at - the place of a Media Type Object or a Header Object
 * @param name - the name of the only wanted example
 */
export function writtenExamples(document: OpenApiDocument, at: string, name?: string): readonly Json[] {
  const { example, examples = {} } = resolvePointer(document, at) as Illustrated;
  const named = name === undefined ? Object.values(examples) : [examples[name]];
  const values = named.map((each) => {
    const {
      serializedValue: text,
      dataValue = text === undefined ? text : parsed(text),
      value = dataValue,
    } = followed(document, each);
    return value;
  });
  return [name === undefined ? example : undefined, ...values].filter((value) => value !== undefined);
}

function followed(document: OpenApiDocument, example: Referenced<ExampleObject> = {}): ExampleObject {
  if ('$ref' in example) return resolvePointer(document, example.$ref) as ExampleObject;
  return example;
}

/** The value of a serialized example: its JSON value, else the text itself. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
