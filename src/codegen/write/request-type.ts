/** The types of requests: their parameters, and one variant per media type of the body. */

import type { MediaTypeModel, OperationModel, ParameterModel, PartsModel } from '../read/model.js';
import { pascalCase } from '../read/names.js';
import { isFilePart } from '../read/parts.js';
import type { Reader } from '../read/reader.js';
import { propertyName } from '../text/literal.js';
import type { ReceivedSchemas } from './received-schemas.js';
import { schemaType, itemsType } from './schema-type.js';
import { indented, operationPlace, recordType } from './text.js';

/**
 * The type of a request.
 *
 * @param received - for a request as its handler gets it: the schemas with their defaults; none for one as its sender gives it
 */
export function requestType(
  reader: Reader,
  operation: OperationModel,
  name: string,
  received?: ReceivedSchemas,
): string {
  const source = { reader, operation, received };
  const members = [
    ...parameterMembers(source, 'path', 'path'),
    ...parameterMembers(source, 'query', 'query'),
    ...parameterMembers(source, 'header', 'headers'),
    ...parameterMembers(source, 'cookie', 'cookies'),
  ];
  const bodies = requestBodyMembers(source);
  if (bodies.length > 1) {
    const variants = bodies.map((body) => `\n  | ${indented(recordType([...members, ...body], 4), 4)}`);
    return `type ${name} =${variants.join('')};`;
  }
  const all = [...members, ...(bodies[0] ?? [])];
  if (all.length === 0) return `type ${name} = Readonly<Record<never, never>>;`;
  return `interface ${name} {\n${all.map((member) => `  readonly ${indented(member, 2)};\n`).join('')}}`;
}

interface Source {
  readonly reader: Reader;
  readonly operation: OperationModel;
  readonly received: ReceivedSchemas | undefined;
}

function parameterMembers(
  { reader, operation, received }: Source,
  location: ParameterModel['in'],
  key: string,
): readonly string[] {
  const parameters = operation.parameters.filter(
    (parameter) => parameter.in === location || (location === 'query' && parameter.in === 'querystring'),
  );
  if (parameters.length === 0) return [];
  // A handler gets the defaults, and a sender may leave them to the receiver.
  const isSent = received === undefined;
  const members = parameters.map((parameter) => {
    const place = `${operationPlace(operation)}["parameters"]["${location}"]`;
    const elsewhere = `Exclude<NonNullable<${place}>[${JSON.stringify(parameter.name)}], undefined>`;
    const { schema } = parameter;
    const seen = received?.of(schema, `${operation.typeName}${pascalCase(parameter.name)}`);
    const type = schemaType(reader, schema, 'request', elsewhere, seen);
    const isPresent = parameter.required || (!isSent && parameter.default !== undefined);
    return `${propertyName(parameter.name)}${isPresent ? '' : '?'}: ${type}`;
  });
  const isOptional = isSent && !parameters.some(({ required }) => required);
  return [`${key}${isOptional ? '?' : ''}: ${recordType(members, 2)}`];
}

/**
 * The members that a body adds to a request: one list per media type, discriminated by `contentType`. An operation without
 * a body has none; a single media type needs no `contentType`, unless it is a range.
 */
function requestBodyMembers(source: Source): readonly (readonly string[])[] {
  const body = source.operation.requestBody;
  if (body === undefined) return [];
  const several = body.content.length > 1;
  const variants = body.content.map((media) => {
    const member = `body${body.required ? '' : '?'}: ${bodyType(source, media)}`;
    const tag = media.mediaType.includes('*') ? 'string' : JSON.stringify(media.mediaType);
    return several || media.mediaType.includes('*') ? [`contentType: ${tag}`, member] : [member];
  });
  // With a choice and no body, there is no content type to tell.
  return several && !body.required
    ? [
        ...variants.map((members) => members.map((member) => member.replace('body?', 'body'))),
        ['contentType?: never', 'body?: never'],
      ]
    : variants;
}

function bodyType({ reader, operation, received }: Source, media: MediaTypeModel): string {
  if (media.kind === 'bytes') return 'Uint8Array';
  if (media.kind === 'byte-stream') return 'AsyncIterable<Uint8Array>';
  const place = `${operationPlace(operation)}["requestBody"]`;
  const elsewhere = `NonNullable<${place}>["content"][${JSON.stringify(media.key)}]`;
  if (media.kind === 'items') return itemsType(reader, media, 'request', elsewhere);
  if (media.parts !== undefined) return partsType(reader, media.parts, elsewhere);
  if (media.schema === undefined) return media.kind === 'text' ? 'string' : 'unknown';
  const seen = received?.of(media.schema, `${operation.typeName}Body`);
  return withFiles(schemaType(reader, media.schema, 'request', elsewhere, seen), media);
}

/** One member per field, told apart by its name. */
function partsType(reader: Reader, { fields }: PartsModel, elsewhere: string): string {
  const members = Object.entries(fields).map(([name, part]) => {
    const tag = `name: ${JSON.stringify(name)}`;
    if (isFilePart(part)) {
      return recordType(
        [tag, 'filename: string', 'contentType: string', 'body: AsyncIterable<Uint8Array>'],
        8,
      );
    }
    const property = `Exclude<${elsewhere}[${JSON.stringify(name)}], undefined>${part.several ? '[number]' : ''}`;
    return recordType([tag, `value: ${schemaType(reader, part.schema, 'request', property)}`], 8);
  });
  if (members.length === 0) return 'AsyncIterable<never>';
  return `AsyncIterable<${members.map((member) => `\n  | ${indented(member, 4)}`).join('')}\n>`;
}

/** openapi-typescript types files as strings; a handler gets the platform's `File`. */
function withFiles(type: string, media: MediaTypeModel): string {
  const files = Object.entries(media.fields ?? {}).flatMap(([name, { value }]): readonly string[] => {
    if ('type' in value && value.type === 'file') return [`${propertyName(name)}: File`];
    const isList = 'items' in value && 'type' in value.items && value.items.type === 'file';
    return isList ? [`${propertyName(name)}: File[]`] : [];
  });
  if (files.length === 0) return type;
  return `WithFiles<${type}, { ${files.join('; ')} }>`;
}
