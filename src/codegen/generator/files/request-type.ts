/** The types of requests: their parameters, and one variant per media type of the body. */

import type { SchemaNode } from '../../contract/schemas/contract-schemas.js';
import type {
  MediaTypeModel,
  OperationModel,
  ParameterModel,
  PartsModel,
} from '../../contract/model/model.js';
import { pascalCase } from '../../text/identifiers.js';
import { isFileField } from '../../contract/model/form-fields.js';
import {
  type Code,
  code,
  identifier,
  indented,
  joined,
  propertyName,
  stringLiteral,
} from '../../text/code.js';
import type { SchemaVariants } from './schema-variants.js';
import { itemsType, member, recordType, schemaType, variantsOf } from './schema-type.js';

/** The name of the type of a request. */
export function requestName({ typeName }: Pick<OperationModel, 'typeName'>): Code {
  return identifier(`${typeName}Request`);
}

/**
 * The declaration of the type of a request.
 *
 * @param types - gets the schemas whose types are named, with their defaults in a request that a handler gets
 * @param isSent - whether a sender gives the request, without the defaults
 */
export function requestType(operation: OperationModel, types: SchemaVariants, isSent = false): Code {
  const name = requestName(operation);
  const source = { operation, types, isSent };
  const members = [
    ...parameterMembers(source, 'path', code`path`),
    ...parameterMembers(source, 'query', code`query`),
    ...parameterMembers(source, 'header', code`headers`),
    ...parameterMembers(source, 'cookie', code`cookies`),
  ];
  const bodies = requestBodyMembers(source);
  if (bodies.length > 1) {
    const variants = bodies.map((body) => recordType([...members, ...body], 4));
    return code`type ${name} =${variantsOf(variants)};`;
  }
  const all = [...members, ...(bodies[0] ?? [])];
  if (all.length === 0) return code`type ${name} = Readonly<Record<never, never>>;`;
  return code`interface ${name} {\n${joined(all.map((member) => code`  readonly ${indented(member, 2)};\n`))}}`;
}

interface Source {
  readonly operation: OperationModel;
  readonly types: SchemaVariants;
  readonly isSent: boolean;
}

function parameterMembers(source: Source, location: ParameterModel['in'], key: Code): readonly Code[] {
  const { isSent } = source;
  const parameters = source.operation.parameters.filter(
    (parameter) => parameter.in === location || (location === 'query' && parameter.in === 'querystring'),
  );
  if (parameters.length === 0) return [];
  // A handler gets the defaults; a sender may leave them to the receiver.
  const members = parameters.map((parameter) => {
    const type = receivedType(source, parameter.node, parameter.name);
    const isPresent = parameter.required || (!isSent && parameter.default !== undefined);
    return member(propertyName(parameter.name), isPresent, type);
  });
  const isOptional = isSent && !parameters.some(({ required }) => required);
  return [member(key, !isOptional, recordType(members, 2))];
}

/**
 * The members that a body adds to a request: one list per media type, discriminated by `contentType`. An operation without
 * a body has none; a single media type needs no `contentType`, unless it is a range.
 */
function requestBodyMembers(source: Source): readonly (readonly Code[])[] {
  const body = source.operation.requestBody;
  if (body === undefined) return [];
  const several = body.content.length > 1;
  const variants = body.content.map((media) => {
    // With several media types, a request without a body is a separate variant.
    const own = member(code`body`, body.required || several, bodyType(source, media));
    const [before = '', suffix] = media.mediaType.split('*');
    // `application/*+json` becomes a type of names that end in `+json`. The compiler tells the variants apart by it.
    const range = suffix
      ? code`\`\${${stringLiteral(before)}}\${string}\${${stringLiteral(suffix)}}\``
      : code`string`;
    const tag = suffix === undefined ? stringLiteral(media.mediaType) : range;
    return several || media.mediaType.includes('*') ? [code`contentType: ${tag}`, own] : [own];
  });
  return several && !body.required
    ? [...variants, [code`contentType?: never`, code`body?: never`]]
    : variants;
}

function bodyType(source: Source, media: MediaTypeModel): Code {
  if (media.kind === 'bytes') return code`Uint8Array`;
  if (media.kind === 'byte-stream') return code`AsyncIterable<Uint8Array>`;
  if (media.kind === 'items') return itemsType(media, source.types, `${source.operation.typeName}Item`);
  if (media.parts !== undefined) return partsType(source, media.parts);
  if (media.node === undefined) return media.kind === 'text' ? code`string` : code`unknown`;
  return withFiles(receivedType(source, media.node, 'body'), media);
}

/** The type of a schema with its defaults, where a handler gets it. */
function receivedType({ operation, types, isSent }: Source, node: SchemaNode, part: string): Code {
  const schema = isSent ? node.schema : types.of(node);
  return schemaType({ schema, schemas: node.schemas }, types, `${operation.typeName}${pascalCase(part)}`);
}

/** One member per field, discriminated by its name. */
function partsType({ operation, types }: Source, { fields }: PartsModel): Code {
  const members = Object.entries(fields).map(([name, part]) => {
    const tag = code`name: ${stringLiteral(name)}`;
    if (isFileField(part)) {
      return recordType(
        [tag, code`filename: string`, code`contentType: string`, code`body: AsyncIterable<Uint8Array>`],
        8,
      );
    }
    const value = schemaType(part.node, types, `${operation.typeName}${pascalCase(name)}`);
    return recordType([tag, code`value: ${value}`], 8);
  });
  if (members.length === 0) return code`AsyncIterable<never>`;
  return code`AsyncIterable<${variantsOf(members)}\n>`;
}

/** openapi-typescript types files as strings; a handler gets the platform's `File`. */
function withFiles(type: Code, media: MediaTypeModel): Code {
  const files = Object.entries(media.fields ?? {}).flatMap(([name, { value }]): readonly Code[] => {
    if ('type' in value && value.type === 'file') return [code`${propertyName(name)}: File`];
    const isList = 'items' in value && 'type' in value.items && value.items.type === 'file';
    return isList ? [code`${propertyName(name)}: File[]`] : [];
  });
  if (files.length === 0) return type;
  return code`WithFiles<${type}, { ${joined(files, code`; `)} }>`;
}
