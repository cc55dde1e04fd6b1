/** Which operations of the contracts a simulation has sent. */

import {
  type FieldNode,
  Kind,
  TypeInfo,
  buildSchema,
  isObjectType,
  parse,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { contract } from '../../generated/routing.js';
import { typeDefs } from '../../generated/schema.js';
import type { Call } from './calls.js';

const schema = buildSchema(typeDefs);

const paths = Object.entries(contract.operations).map(([id, { method, path }]) => ({
  id,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  isExact: !path.includes('{'),
}));

/** All operations of the REST contract, and all fields of the schema with their arguments. */
export function allOperations(): readonly string[] {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const name = `${type.name}.${field.name}`;
      return [name, ...field.args.map((argument) => `${name}(${argument.name})`)];
    });
  });
  return [...paths.map(({ id }) => id), ...fields];
}

/** The refusals that any policy has, and those that say what a client already knows. */
const outcomes = ['200', '201', '204', '304', '401', '404', '409', '412', '422'] as const;

/** Those of other areas, and those for which a record must go while its key is kept. */
const isElsewhere = (id: string, status: string): boolean =>
  /webhook|externalSignIn/i.test(id) ||
  [
    'getUserOrderItem 304',
    'getCurrentApiKey 304',
    'createApiKey 409',
    'createApiKey 422',
    'createProduct 409',
  ].includes(`${id} ${status}`);

/** Each answer that an operation declares, but those that the engine gives by itself. */
export function allOutcomes(): readonly string[] {
  return Object.entries(contract.operations).flatMap(([id, { responses }]) =>
    outcomes
      .filter((status) => status in responses && !isElsewhere(id, status))
      .map((status) => `${id} ${status}`),
  );
}

/** The operations of a request, of those in {@link allOperations}. */
export function operationsOf({ method, path, body }: Call): readonly string[] {
  const [plain = ''] = path.split('?');
  if (plain === '/graphql') return fieldsOf((body as { readonly query: string }).query);
  const found = paths.filter((each) => each.method === method && each.pattern.test(plain));
  const best = found.find(({ isExact }) => isExact) ?? found[0];
  return best === undefined ? [] : [best.id];
}

function fieldsOf(query: string): readonly string[] {
  const found: string[] = [];
  const info = new TypeInfo(schema);
  const enter = ({ name, arguments: given = [] }: FieldNode): void => {
    const field = `${String(info.getParentType())}.${name.value}`;
    found.push(field, ...given.map((argument) => `${field}(${argument.name.value})`));
  };
  try {
    const document = parse(query);
    const [first] = document.definitions;
    if (first?.kind === Kind.OPERATION_DEFINITION)
      visit(document, visitWithTypeInfo(info, { Field: { enter } }));
  } catch {
    // Some documents are none.
  }
  return found;
}
