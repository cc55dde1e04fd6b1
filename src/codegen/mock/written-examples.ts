/** Finds the examples that a contract gives for a body or a header. */

import type { Json } from 'concordat';
import type { OpenApiDocument, Referenced } from '../load/openapi.js';
import { resolvePointer } from '../text/pointer.js';

/** The fields of a Media Type Object or a Header Object that show its value. */
interface Illustrated {
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, Referenced<ExampleObject>>>;
}

/** `dataValue` and `serializedValue` are those of OpenAPI 3.2. */
interface ExampleObject {
  readonly value?: Json;
  readonly dataValue?: Json;
  readonly serializedValue?: string;
}

/**
 * The examples in their order; whether they fit the schema is for its check to say.
 *
 * @param at - the place of a Media Type Object or a Header Object
 * @param name - of the only example that is wanted
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

/** The value of a text as it is sent: that of its JSON, else the text itself. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
