/** The types of responses: one variant per status and media type; statuses with the same answer are joined. */

import type { ContractModel, MediaTypeModel, OperationModel, ResponseModel } from '../read/model.js';
import { pascalCase } from '../read/names.js';
import type { Reader } from '../read/reader.js';
import { componentName } from './checks.js';
import { propertyName } from '../text/literal.js';
import { schemaType, itemsType } from './schema-type.js';
import { docComment, indented, operationPlace, recordType } from './text.js';

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
const BYTES = 'Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>';

export function statusTypes(): string {
  const ranges = Object.entries(STATUSES).map(
    ([digit, statuses]) => `/** Every ${digit}xx status. */
export type Status${digit}XX = ${wrap(statuses.join(' | '))};
`,
  );
  const all = Object.keys(STATUSES).map((digit) => `Status${digit}XX`);
  return `${ranges.join('')}/** Every status of a final response. */
export type StatusDefault = ${all.join(' | ')};
`;
}

function wrap(union: string): string {
  return union.length < 80 ? union : union.replaceAll(/(.{70,100}?) \| /g, '$1\n  | ');
}

/** Writes response unions; responses under `components` become separate types. */
export class ResponseTypes {
  readonly #names = new Map<string, string>();
  readonly #shared: string[] = [];

  constructor(
    private readonly reader: Reader,
    contract: ContractModel,
  ) {
    const all = [...contract.operations, ...contract.webhooks, ...contract.callbacks];
    const taken = new Set(all.flatMap(({ typeName }) => [`${typeName}Request`, `${typeName}Response`]));
    for (const operation of all) {
      for (const response of operation.responses) {
        if (response.component === undefined || this.#names.has(response.component)) continue;
        let name = `${pascalCase(response.component).replace(/Response$/, '')}Response`;
        while (taken.has(name) || /^\d/.test(name)) name = `Shared${name}`;
        taken.add(name);
        this.#names.set(response.component, name);
        this.#shared.push(this.#componentType(name, operation, response));
      }
    }
  }

  shared(): readonly string[] {
    return this.#shared;
  }

  /** The union of everything an operation may answer, as text to follow `=`. */
  union(operation: OperationModel): string {
    const statusesByShape = new Map<string, string[]>();
    for (const response of operation.responses) {
      const name = response.component === undefined ? undefined : this.#names.get(response.component);
      const shapes = name === undefined ? this.#shapes(operation, response) : [`${name}<STATUS>`];
      for (const shape of shapes) {
        statusesByShape.set(shape, [
          ...(statusesByShape.get(shape) ?? []),
          statusType(operation, response.status),
        ]);
      }
    }
    if (statusesByShape.size === 0) return ' never';
    const variants = [...statusesByShape].map(
      ([shape, statuses]) => `\n  | ${indented(shape.replace('STATUS', statuses.join(' | ')), 4)}`,
    );
    return variants.join('');
  }

  #componentType(name: string, operation: OperationModel, response: ResponseModel): string {
    const shapes = this.#shapes(operation, response).map((shape) => shape.replace('STATUS', 'Status'));
    const type =
      shapes.length === 1
        ? ` ${shapes.join('')}`
        : shapes.map((shape) => `\n  | ${indented(shape, 4)}`).join('');
    return `${docComment(response.description.split('\n')[0] ?? name)}
export type ${name}<Status extends number> =${type};
`;
  }

  /** One object type per group of media types with the same value; `STATUS` is a placeholder for the status. */
  #shapes(operation: OperationModel, response: ResponseModel): readonly string[] {
    const headers = this.#headers(operation, response);
    const common = ['status: STATUS', ...headers];
    // Explicit, because the compiler does not report excess properties in the result of a handler.
    if (response.content.length === 0) return [recordType([...common, 'body?: never'], 4)];
    const byType = new Map<string, string[]>();
    for (const media of response.content) {
      const type = this.#bodyType(operation, response, media);
      byType.set(type, [...(byType.get(type) ?? []), media.mediaType]);
    }
    // The engine chooses among representations of one value; the handler chooses among different values.
    const isChoice = byType.size > 1;
    return [...byType].map(([type, mediaTypes]) => {
      const names = mediaTypes
        .map((each) => (each.includes('*') ? 'string' : JSON.stringify(each)))
        .join(' | ');
      const isOptional = !isChoice && !mediaTypes.some((each) => each.includes('*'));
      const contentType = `contentType${isOptional ? '?' : ''}: ${names}`;
      return recordType([...common, contentType, ...this.#alternatives(response), `body: ${type}`], 4);
    });
  }

  /** Where a body is one of several components, the handler may say which, for encoders that name it. */
  #alternatives({ content }: ResponseModel): readonly string[] {
    const schemas = content.flatMap(({ kind, schema, schemaAt }) => {
      if (schema === undefined || kind === 'items') return [];
      const { value } = this.reader.followSchema(schema, schemaAt);
      return (value.anyOf ?? value.oneOf ?? []).map(componentName);
    });
    const names = new Set(schemas.filter((name) => name !== undefined));
    return names.size === 0 ? [] : [`schema?: ${[...names].map((name) => JSON.stringify(name)).join(' | ')}`];
  }

  #headers(operation: OperationModel, response: ResponseModel): readonly string[] {
    if (response.headers.length === 0) return [];
    const members = response.headers.map(({ name, required, schema }) => {
      const elsewhere = `Exclude<${responsePlace(operation, response)}["headers"][${JSON.stringify(name)}], undefined>`;
      const type = schema === undefined ? 'string' : schemaType(this.reader, schema, 'response', elsewhere);
      const repeatable = name.toLowerCase() === 'set-cookie' ? `${type} | readonly string[]` : type;
      return required
        ? `${propertyName(name)}: ${repeatable}`
        : `${propertyName(name)}?: ${repeatable} | undefined`;
    });
    const isOptional = response.headers.every(({ required }) => !required);
    return [`headers${isOptional ? '?' : ''}: ${recordType(members, 6)}`];
  }

  #bodyType(operation: OperationModel, response: ResponseModel, media: MediaTypeModel): string {
    if (media.kind === 'bytes') return BYTES;
    const elsewhere = `${responsePlace(operation, response)}["content"][${JSON.stringify(media.key)}]`;
    if (media.kind === 'items') return itemsType(this.reader, media, 'response', elsewhere);
    if (media.schema === undefined) return media.kind === 'text' ? 'string' : 'unknown';
    return schemaType(this.reader, media.schema, 'response', elsewhere);
  }
}

function responsePlace(operation: OperationModel, response: ResponseModel): string {
  return `${operationPlace(operation)}["responses"][${JSON.stringify(response.key)}]`;
}

/** A range or `default` covers the statuses that the operation does not name itself. */
function statusType(operation: OperationModel, status: string): string {
  if (/^\d+$/.test(status)) return status;
  const named = operation.responses
    .map((response) => response.status)
    .filter((other) => other !== status && (status === 'default' || other.startsWith(status.charAt(0))))
    .map((other) => (/^\d+$/.test(other) ? other : `Status${other}`))
    .filter((other) => other !== 'Statusdefault');
  const type = status === 'default' ? 'StatusDefault' : `Status${status}`;
  return named.length === 0 ? type : `Exclude<${type}, ${named.join(' | ')}>`;
}
