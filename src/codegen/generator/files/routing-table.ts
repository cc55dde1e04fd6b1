/** Builds the entries of the table of operations, and collects the checks and conversions that they name. */

import type {
  MediaTypeModel,
  OperationModel,
  ParameterModel,
  PartsModel,
  ResponseModel,
} from '../../contract/model/model.js';
import { code } from '../../text/code.js';
import { pascalCase } from '../../text/identifiers.js';
import { memberOf } from '../../text/literal.js';
import { type CheckList, bodyCheckName, componentName } from './checks.js';
import type { ValueList } from './value-list.js';

/** The import of `validators.js`. */
export const CHECKS = code`check`;
export const PARAMETERS = code`parameters`;
export const RESPONSES = code`responses`;

/** Collects the entries that the contract shares, too. */
export class RoutingTable {
  readonly parameters = new Map<string, object>();
  readonly responses = new Map<string, object>();
  /** Whether a query or body is a form, or a body a stream of parts or items. */
  hasBodyCodecs = false;

  constructor(
    private readonly checks: CheckList,
    private readonly values: ValueList,
  ) {}

  operation(operation: OperationModel): object {
    const parameters = operation.parameters.map((parameter) => this.#parameter(parameter));
    this.hasBodyCodecs ||= operation.parameters.some(({ fields }) => fields !== undefined);
    return {
      method: operation.method,
      path: operation.path,
      tags: operation.tags.length === 0 ? undefined : operation.tags,
      deprecated: operation.deprecated || undefined,
      parameters: parameters.length === 0 ? undefined : parameters,
      checkParameters: memberOf(CHECKS, this.checks.parameters(operation)),
      decodeParameters: this.values.parameters('decode', operation),
      encodeParameters: this.values.parameters('encode', operation),
      exact: this.values.isExact(operation) || undefined,
      requestBody: this.#requestBody(operation),
      security: operation.security,
      responses: Object.fromEntries(
        operation.responses.map((response) => [response.status, this.#response(operation, response)]),
      ),
      extensions: served(operation.extensions),
    };
  }

  #parameter(parameter: ParameterModel): object {
    const entry = { ...parameterEntry(parameter), default: parameter.default, lenient: parameter.lenient };
    if (parameter.component === undefined) return entry;
    this.parameters.set(parameter.component, entry);
    return memberOf(PARAMETERS, parameter.component);
  }

  #note({ kind }: MediaTypeModel): void {
    this.hasBodyCodecs ||= kind === 'form' || kind === 'multipart' || kind === 'parts' || kind === 'items';
  }

  #requestBody(operation: OperationModel): object | undefined {
    const body = operation.requestBody;
    if (body === undefined) return undefined;
    const several = body.content.length > 1;
    const about = `the body of ${operation.method} ${operation.path}`;
    const entry = (media: MediaTypeModel): object => {
      const name = bodyCheckName(operation, 'Body', media, several);
      this.#note(media);
      if (media.parts !== undefined) return this.#parts(name, media.parts, about);
      return {
        kind: media.kind,
        fields: media.fields,
        items: media.items,
        check: memberOf(CHECKS, this.checks.body(name, media, 'request', about)),
        decode: this.values.body('decode', name, media),
        encode: this.values.body('encode', name, media),
      };
    };
    return {
      required: body.required || undefined,
      limit: body.limit,
      content: Object.fromEntries(body.content.map((media) => [media.mediaType, entry(media)])),
    };
  }

  /** A form that is read part by part: each field has its own check. */
  #parts(owner: string, { fields, isClosed }: PartsModel, about: string): object {
    const entries = Object.entries(fields).map(([name, part]): readonly [string, object] => {
      const check = this.checks.part(`${owner}${pascalCase(name)}`, part, `${name} in ${about}`);
      const { value, required, several } = part;
      return [name, { value, required, several, check: memberOf(CHECKS, check) }];
    });
    return { kind: 'parts', fields: Object.fromEntries(entries), closed: isClosed || undefined };
  }

  #response(operation: OperationModel, response: ResponseModel): object {
    if (response.component === undefined) return this.#responseEntry(operation, response);
    if (!this.responses.has(response.component))
      this.responses.set(response.component, this.#responseEntry(operation, response));
    return memberOf(RESPONSES, response.component);
  }

  #responseEntry(operation: OperationModel, response: ResponseModel): object {
    const several = response.content.length > 1;
    const part = pascalCase(response.status);
    const about = `the ${response.status} of ${operation.method} ${operation.path}`;
    for (const media of response.content) this.#note(media);
    const content = response.content.map((media): readonly [string, object] => {
      const name = bodyCheckName(operation, part, media, several);
      const codec = {
        kind: media.kind,
        items: media.items,
        contentType: media.key.includes(';') ? media.key : undefined,
        schema: componentName(media.node?.schema),
        check: this.checks.body(name, media, 'response', about),
        encode: this.values.body('encode', name, media),
        decode: this.values.body('decode', name, media),
        exact: this.values.isExactContent([media]) || undefined,
      };
      return [media.mediaType, codec];
    });
    const headers = response.headers.map((header): readonly [string, object] => [
      header.name,
      {
        required: header.required || undefined,
        explode: header.explode || undefined,
        check: this.checks.header(header),
        encode: this.values.header(header),
      },
    ]);
    return {
      content: content.length === 0 ? undefined : Object.fromEntries(content),
      headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
    };
  }
}

export function parameterEntry(parameter: ParameterModel): object {
  return {
    in: parameter.in,
    name: parameter.name,
    required: parameter.required || undefined,
    style: parameter.style,
    explode: parameter.explode,
    value: parameter.coercion,
    fields: parameter.fields,
  };
}

/** Extensions that only pages of documentation read: of ReadMe and of Redoc. They are examples of code, longer than all the rest. */
const OF_PAGES = new Set(['x-readme', 'x-codeSamples', 'x-code-samples']);

function served(extensions: OperationModel['extensions']): OperationModel['extensions'] | undefined {
  const entries = Object.entries(extensions).filter(([name]) => !OF_PAGES.has(name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
