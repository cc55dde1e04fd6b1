/** Reads the fields of a form that is read part by part (`x-stream`), each with the schema of a single part. */

import type { FieldCodec } from 'concordat';
import type { MediaTypeObject, Schema } from '../load/openapi.js';
import { joinPointer } from '../text/pointer.js';
import { isFileField } from './form-fields.js';
import type { PartModel, PartsModel } from './model.js';
import { propertiesOf } from './properties.js';
import type { Located, Reader } from './reader.js';

/** The keywords of a form that can be checked part by part, or that restrict nothing. */
const FORM_KEYWORDS = new Set(['$ref', 'type', 'properties', 'required', 'additionalProperties']);

/** The keywords of a field with several parts that can be checked part by part. */
const LIST_KEYWORDS = new Set(['$ref', 'type', 'items']);

const ANNOTATIONS = new Set(['title', 'description', '$comment', 'example', 'examples', 'deprecated']);

/**
 * @param fields - the fields of the form as it is read whole
 * @param at - the place of the media type
 */
export function readParts(
  reader: Reader,
  media: MediaTypeObject,
  fields: Readonly<Record<string, FieldCodec>>,
  at: string,
): PartsModel {
  const schemaAt = joinPointer(at, 'schema');
  const { schema: written = true } = media;
  const form = reader.followSchema(written, schemaAt);
  noteOthers(reader, written, schemaAt, form, FORM_KEYWORDS);
  const properties = propertiesOf(reader, written, schemaAt);
  const required = new Set(form.value.required);
  return {
    fields: Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const [property] = properties.get(name) ?? [];
        if (property === undefined) return [];
        const part = readPart(reader, field, property);
        return [[name, { ...part, ...(required.has(name) && { required: true }) }]];
      }),
    ),
    isClosed: form.value.additionalProperties === false,
  };
}

function readPart(reader: Reader, field: FieldCodec, { value: schema, at }: Located<Schema>): PartModel {
  const value = field.value;
  if ('anyOf' in value || value.type !== 'array') {
    return { value, schema, schemaAt: at };
  }
  const list = reader.followSchema(schema, at);
  noteOthers(reader, schema, at, list, LIST_KEYWORDS);
  const itemsAt = joinPointer(list.at, 'items');
  return { value: value.items, several: true, schema: list.value.items ?? true, schemaAt: itemsAt };
}

/** Reports the keywords that can only be checked with several parts. */
function noteOthers(
  reader: Reader,
  written: Schema,
  at: string,
  target: Located<object>,
  known: ReadonlySet<string>,
): void {
  const places = [
    target,
    ...(typeof written === 'object' && target.value !== written ? [{ value: written, at }] : []),
  ];
  for (const place of places) {
    for (const keyword of Object.keys(place.value)) {
      if (known.has(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith('x-')) continue;
      const message = `${keyword} is not checked in a form that is read part by part`;
      reader.unsupported('unchecked-parts', joinPointer(place.at, keyword), message);
    }
  }
}

export function isFilePart({ value }: PartModel): boolean {
  return isFileField({ value, style: 'form', explode: true });
}
