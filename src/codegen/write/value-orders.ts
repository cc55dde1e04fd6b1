/** Chooses the values of operations that are converted, and names the functions. */

import type { HeaderModel, MediaTypeModel, OperationModel } from '../read/model.js';
import { pascalCase } from '../read/names.js';
import { Code } from '../text/literal.js';
import type { ValueList, ValueSource } from '../values/value-list.js';
import type { Way } from '../values/value-text.js';
import { LOCATIONS } from './checks.js';

/** The conversions of a contract, by their use. */
export class ValueOrders {
  /** @param list - absent when no values are converted */
  constructor(private readonly list: ValueList | undefined) {}

  get isEmpty(): boolean {
    return this.list === undefined || this.list.isEmpty;
  }

  /** Decodes the parameters of an operation. */
  parameters(operation: OperationModel): Code | undefined {
    return named(this.list?.order('decode', parametersOf(operation), `${operation.typeName}Parameters`));
  }

  /** Whether something in the request needs the exact digits of integers. */
  isExact(operation: OperationModel): boolean {
    const bodies = operation.requestBody?.content.filter(isConvertible) ?? [];
    const sources = [parametersOf(operation), ...bodies.map(({ schemaAt }) => schemaAt)];
    return sources.some((source) => this.list?.isExact(source) === true);
  }

  /** @param name - the end of the function's name, unless the body is a component */
  body(way: Way, name: string, media: MediaTypeModel): Code | undefined {
    if (!isConvertible(media)) return undefined;
    return named(this.list?.order(way, media.schemaAt, pascalCase(name)));
  }

  header({ name, schema, schemaAt }: HeaderModel): Code | undefined {
    if (schema === undefined) return undefined;
    return named(this.list?.order('encode', schemaAt, `Header${pascalCase(name)}`));
  }
}

function isConvertible({ schema, kind }: MediaTypeModel): boolean {
  return schema !== undefined && kind !== 'bytes';
}

/** The parameters of an operation as one schema. */
function parametersOf({ parameters, pointer }: OperationModel): ValueSource {
  const locations = Object.entries(LOCATIONS).map(([key, held]): [string, object] => {
    const members = parameters
      .filter((parameter) => held.includes(parameter.in))
      .map((parameter): [string, object] => [parameter.name, { $ref: parameter.schemaAt }]);
    return [key, { properties: Object.fromEntries(members) }];
  });
  return { schema: { properties: Object.fromEntries(locations) }, at: `${pointer}/parameters` };
}

function named(name: string | undefined): Code | undefined {
  return name === undefined ? undefined : new Code(`value.${name}`);
}
