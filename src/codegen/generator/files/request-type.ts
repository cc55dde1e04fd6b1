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
  NOTHING,
  code,
  identifier,
  indented,
  joined,
  propertyName,
  stringLiteral,
} from '../../text/code.js';
import type { SchemaVariants } from './schema-variants.js';
import {
  indexed,
  itemsType,
  member,
  operationPlace,
  recordType,
  schemaType,
  shortType,
  variantsOf,
} from './schema-type.js';

/** The name of the type of a request. */
export function requestName({ typeName }: Pick<OperationModel, 'typeName'>): Code {
  return identifier(`${typeName}Request`);
}

/**
 * The declaration of the type of a request.
 *
 * @param received - the schemas with their defaults, for the request that a handler gets; absent for the one that a sender gives
 */
export function requestType(operation: OperationModel, received?: SchemaVariants): Code {
  const name = requestName(operation);
  const source = { operation, received };
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
  readonly received: SchemaVariants | undefined;
}

function parameterMembers(
  { operation, received }: Source,
  location: ParameterModel['in'],
  key: Code,
): readonly Code[] {
  const parameters = operation.parameters.filter(
    (parameter) => parameter.in === location || (location === 'query' && parameter.in === 'querystring'),
  );
  if (parameters.length === 0) return [];
  // A handler gets the defaults; a sender may leave them to the receiver.
  const isSent = received === undefined;
  const members = parameters.map((parameter) => {
    const place = indexed(operationPlace(operation), 'parameters', location);
    const elsewhere = code`Exclude<${indexed(code`NonNullable<${place}>`, parameter.name)}, undefined>`;
    const type = receivedType({ operation, received }, parameter.node, parameter.name, elsewhere);
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

function bodyType({ operation, received }: Source, media: MediaTypeModel): Code {
  if (media.kind === 'bytes') return code`Uint8Array`;
  if (media.kind === 'byte-stream') return code`AsyncIterable<Uint8Array>`;
  const place = indexed(operationPlace(operation), 'requestBody');
  const elsewhere = indexed(code`NonNullable<${place}>`, 'content', media.key);
  if (media.kind === 'items') return itemsType(media, elsewhere);
  if (media.parts !== undefined) return partsType(media.parts, elsewhere);
  if (media.node === undefined) return media.kind === 'text' ? code`string` : code`unknown`;
  return withFiles(receivedType({ operation, received }, media.node, 'body', elsewhere), media);
}

/** The type of a schema with its defaults, where a handler gets it. */
function receivedType(
  { operation, received }: Source,
  node: SchemaNode,
  part: string,
  elsewhere: Code,
): Code {
  const { schema, schemas } = node;
  const seen = received?.of(node) ?? schema;
  const isNamed = seen !== schema && shortType(seen, schemas.values) === undefined;
  const name = `${operation.typeName}${pascalCase(part)}`;
  return shortType((isNamed && received?.add(seen, name)) || seen, schemas.values) ?? elsewhere;
}

/** One member per field, discriminated by its name. */
function partsType({ fields }: PartsModel, elsewhere: Code): Code {
  const members = Object.entries(fields).map(([name, part]) => {
    const tag = code`name: ${stringLiteral(name)}`;
    if (isFileField(part)) {
      return recordType(
        [tag, code`filename: string`, code`contentType: string`, code`body: AsyncIterable<Uint8Array>`],
        8,
      );
    }
    const property = code`Exclude<${indexed(elsewhere, name)}, undefined>${part.several ? code`[number]` : NOTHING}`;
    return recordType([tag, code`value: ${schemaType(part.node, property)}`], 8);
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
