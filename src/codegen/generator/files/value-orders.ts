/** Chooses the values of operations to convert, and names the functions for them. */

import type { HeaderModel, MediaTypeModel, OperationModel } from '../../contract/model/model.js';
import { pascalCase } from '../../text/identifiers.js';
import { code } from '../../text/code.js';
import { type Verbatim, memberOf } from '../../text/literal.js';
import type { ValueList, ValueSource } from '../conversions/value-list.js';
import type { Way } from '../conversions/value-function.js';
import { parametersByLocation } from './checks.js';

/** The import of `values.js`. */
export const VALUES = code`value`;

export class ValueOrders {
  constructor(private readonly list: ValueList) {}

  get isEmpty(): boolean {
    return this.list.isEmpty;
  }

  /** The function that converts the parameters of a request. */
  parameters(way: Way, operation: OperationModel): Verbatim | undefined {
    return memberOf(VALUES, this.list.order(way, parametersOf(operation), `${operation.typeName}Parameters`));
  }

  /** The function that decodes the headers of an answer, as `{ headers }`. @param part - the end of the function's name */
  headers(
    { typeName, pointer }: OperationModel,
    part: string,
    headers: readonly HeaderModel[],
  ): Verbatim | undefined {
    const members = headers.map(({ name, schemaAt }): [string, object] => [name, { $ref: schemaAt }]);
    const properties = { headers: { properties: Object.fromEntries(members) } };
    const source = { schema: { properties }, at: `${pointer}/responses/${part}/headers` };
    return memberOf(VALUES, this.list.order('decode', source, `${typeName}${part}Headers`));
  }

  /** Whether a value in the request needs the exact digits of integers. */
  isExact(operation: OperationModel): boolean {
    const bodies = operation.requestBody?.content.filter(isConvertible) ?? [];
    const sources = [parametersOf(operation), ...bodies.map(bodyOf)];
    return sources.some((source) => this.list.isExact(source));
  }

  /** Whether a value in an answer to the service needs the exact digits of integers. */
  isExactAnswer(content: readonly MediaTypeModel[]): boolean {
    return content.filter(isConvertible).some((media) => this.list.isExact(bodyOf(media)));
  }

  /** @param name - the end of the function's name, unless the body is a component */
  body(way: Way, name: string, media: MediaTypeModel): Verbatim | undefined {
    if (!isConvertible(media)) return undefined;
    return memberOf(VALUES, this.list.order(way, bodyOf(media), pascalCase(name)));
  }

  header({ name, schema, schemaAt }: HeaderModel): Verbatim | undefined {
    if (schema === undefined) return undefined;
    return memberOf(VALUES, this.list.order('encode', schemaAt, `Header${pascalCase(name)}`));
  }
}

/** The schema of a body, or of its items as checked, because the data of events may be decoded before conversion. */
function bodyOf({ kind, checked, schemaAt }: MediaTypeModel): ValueSource {
  return kind === 'items' && typeof checked === 'object' ? { schema: checked, at: schemaAt } : schemaAt;
}

function isConvertible({ schema, kind }: MediaTypeModel): boolean {
  return schema !== undefined && kind !== 'bytes';
}

function parametersOf({ parameters, pointer }: OperationModel): ValueSource {
  return { schema: { properties: parametersByLocation(parameters) }, at: `${pointer}/parameters` };
}
