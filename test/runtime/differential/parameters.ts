/** The parameters of an operation, read from the document alone. */
import {
  child,
  follow,
  items,
  type Node,
  type OperationPlace,
  type Place,
} from '../../contract/contract-document.js';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  /** The Parameter Object. */
  readonly declared: Place;
  readonly schema: Place;
}

/** An operation's own parameters win over its path's (OpenAPI, Operation Object). */
export function parametersOf(
  document: Node,
  { path, operation, pointer }: OperationPlace,
): readonly Parameter[] {
  const pathItem = child(child({ value: document, pointer: '#' }, 'paths'), path);
  const declared = [
    ...items(child(pathItem, 'parameters')),
    ...items(child({ value: operation, pointer }, 'parameters')),
  ];
  const byKey = declared.map((each): [string, Parameter] => {
    const parameter = follow(document, each);
    const [name, location] = [String(child(parameter, 'name').value), String(child(parameter, 'in').value)];
    const schema = follow(document, child(parameter, 'schema'));
    return [`${location} ${name}`, { name, in: location, declared: parameter, schema }];
  });
  return [...new Map(byKey).values()];
}
