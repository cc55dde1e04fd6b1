/** The types of responses, with one variant per status and media type; statuses with the same answer are joined. */

import type {
  ContractModel,
  MediaTypeModel,
  OperationModel,
  ResponseModel,
} from '../../contract/model/model.js';
import { pascalCase } from '../../text/identifiers.js';
import { componentName } from './checks.js';
import {
  type Code,
  NOTHING,
  code,
  docComment,
  identifier,
  joined,
  propertyName,
  scalarLiteral,
  stringLiteral,
} from '../../text/code.js';
import type { SchemaVariants } from './schema-variants.js';
import { itemsType, member, recordType, schemaType, unionOf, variantsOf } from './schema-type.js';

/** The statuses that HTTP defines for a final response (RFC 9110 §15 and its IANA registry), by first digit. */
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  2: [200, 201, 202, 203, 204, 205, 206, 207, 208, 226],
  3: [300, 301, 302, 303, 304, 305, 307, 308],
  4: [
    400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422,
    423, 424, 425, 426, 428, 429, 431, 451,
  ],
  5: [500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511],
};

/** A body of bytes: in one piece, or as a stream. */
const BYTES = code`Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>`;

export function statusTypes(): Code {
  const ranges = Object.entries(STATUSES).map(([digit, statuses]) => {
    const lines = Array.from({ length: Math.ceil(statuses.length / 16) }, (_, line) =>
      unionOf(statuses.slice(16 * line, 16 * line + 16).map(scalarLiteral)),
    );
    return code`${docComment(`Every ${digit}xx status.`)}
export type ${rangeName(digit)} = ${joined(lines, code`\n  | `)};
`;
  });
  return code`${joined(ranges)}/** Every status of a final response. */
export type StatusDefault = ${unionOf(Object.keys(STATUSES).map(rangeName))};
`;
}

function rangeName(digit: string): Code {
  return identifier(`Status${digit}XX`);
}

/** The name of the type of an operation's responses. */
export function responseName({ typeName }: Pick<OperationModel, 'typeName'>): Code {
  return identifier(`${typeName}Response`);
}

/** Writes a variant of a response for a status. */
type Shape = (status: Code) => Code;

/** Writes unions of responses. Responses under `components` become separate types. */
export class ResponseTypes {
  readonly #names = new Map<string, Code>();
  readonly #shared: Code[] = [];

  /** @param types - gets the schemas whose types are named */
  constructor(
    contract: ContractModel,
    private readonly types: SchemaVariants,
  ) {
    const all = [...contract.operations, ...contract.webhooks, ...contract.callbacks];
    const taken = new Set(all.flatMap(({ typeName }) => [`${typeName}Request`, `${typeName}Response`]));
    for (const operation of all) {
      for (const response of operation.responses) {
        if (response.component === undefined || this.#names.has(response.component)) continue;
        let name = `${pascalCase(response.component).replace(/Response$/, '')}Response`;
        while (taken.has(name) || !/^\p{L}/u.test(name)) name = `Shared${name}`;
        taken.add(name);
        this.#names.set(response.component, identifier(name));
        this.#shared.push(this.#componentType(identifier(name), operation, response));
      }
    }
  }

  shared(): readonly Code[] {
    return this.#shared;
  }

  /** The union of an operation's responses, as text to follow `=`. */
  union(operation: OperationModel): Code {
    const byText = new Map<Code, { readonly shape: Shape; readonly statuses: Code[] }>();
    for (const response of operation.responses) {
      const name = response.component === undefined ? undefined : this.#names.get(response.component);
      const ofComponent: Shape = (status) => code`${name ?? NOTHING}<${status}>`;
      const shapes = name === undefined ? this.#shapes(operation, response) : [ofComponent];
      for (const shape of shapes) {
        const text = shape(NOTHING);
        const { statuses } = byText.get(text) ?? { statuses: [] };
        byText.set(text, { shape, statuses: [...statuses, statusType(operation, response.status)] });
      }
    }
    if (byText.size === 0) return code` never`;
    return variantsOf([...byText.values()].map(({ shape, statuses }) => shape(unionOf(statuses))));
  }

  #componentType(name: Code, operation: OperationModel, response: ResponseModel): Code {
    const shapes = this.#shapes(operation, response).map((shape) => shape(code`Status`));
    const type = shapes.length === 1 ? code` ${joined(shapes)}` : variantsOf(shapes);
    return code`${docComment(response.description.split('\n')[0] ?? name)}
export type ${name}<Status extends number> =${type};
`;
  }

  /** One object type per group of media types with the same value. */
  #shapes(operation: OperationModel, response: ResponseModel): readonly Shape[] {
    const headers = this.#headers(operation, response);
    const shape =
      (...members: readonly Code[]): Shape =>
      (status) =>
        recordType([code`status: ${status}`, ...headers, ...members], 4);
    // `body` is forbidden explicitly, because the compiler does not report excess properties in the result of a handler.
    if (response.content.length === 0) return [shape(code`body?: never`)];
    const byType = new Map<Code, string[]>();
    for (const media of response.content) {
      const type = this.#bodyType(operation, response, media);
      byType.set(type, [...(byType.get(type) ?? []), media.mediaType]);
    }
    // The engine chooses among representations of one value; the handler chooses among different values.
    const isChoice = byType.size > 1;
    return [...byType].map(([type, mediaTypes]) => {
      const names = mediaTypes.map((each) => (each.includes('*') ? code`string` : stringLiteral(each)));
      const isOptional = !isChoice && !mediaTypes.some((each) => each.includes('*'));
      const contentType = member(code`contentType`, !isOptional, unionOf(names));
      return shape(contentType, ...this.#alternatives(response), code`body: ${type}`);
    });
  }

  /** If a body is one of several components, the handler may name it, for encoders that write the name. */
  #alternatives({ content }: ResponseModel): readonly Code[] {
    const schemas = content.flatMap(({ kind, node }) => {
      if (node === undefined || kind === 'items') return [];
      const { anyOf, oneOf = [] } = node.target.object;
      return (anyOf ?? oneOf).map(componentName);
    });
    const names = new Set(schemas.filter((name) => name !== undefined));
    return names.size === 0 ? [] : [code`schema?: ${unionOf([...names].map(stringLiteral))}`];
  }

  #headers(operation: OperationModel, response: ResponseModel): readonly Code[] {
    if (response.headers.length === 0) return [];
    const members = response.headers.map(({ name, required, node }) => {
      const type =
        node === undefined
          ? code`string`
          : schemaType(node, this.types, `${nameOf(operation, response)}${pascalCase(name)}`);
      const repeatable = name.toLowerCase() === 'set-cookie' ? code`${type} | readonly string[]` : type;
      return member(propertyName(name), required, required ? repeatable : code`${repeatable} | undefined`);
    });
    const isOptional = response.headers.every(({ required }) => !required);
    return [member(code`headers`, !isOptional, recordType(members, 6))];
  }

  #bodyType(operation: OperationModel, response: ResponseModel, media: MediaTypeModel): Code {
    if (media.kind === 'bytes') return BYTES;
    const name = nameOf(operation, response);
    if (media.kind === 'items') return itemsType(media, this.types, `${name}Item`);
    if (media.node === undefined) return media.kind === 'text' ? code`string` : code`unknown`;
    return schemaType(media.node, this.types, `${name}Body`);
  }
}

/** The beginning of the names of types in a response. */
function nameOf(operation: OperationModel, { component, status }: ResponseModel): string {
  return component === undefined ? `${operation.typeName}${pascalCase(status)}` : pascalCase(component);
}

/** A range or `default` covers the statuses that the operation does not name itself. */
function statusType(operation: OperationModel, status: string): Code {
  if (/^\d+$/.test(status)) return code`${Number(status)}`;
  const named = operation.responses
    .map((response) => response.status)
    .filter((other) => other !== status && (status === 'default' || other.startsWith(status.charAt(0))))
    .filter((other) => other !== 'default')
    .map((other) => (/^\d+$/.test(other) ? code`${Number(other)}` : identifier(`Status${other}`)));
  const type = status === 'default' ? code`StatusDefault` : identifier(`Status${status}`);
  return named.length === 0 ? type : code`Exclude<${type}, ${unionOf(named)}>`;
}
