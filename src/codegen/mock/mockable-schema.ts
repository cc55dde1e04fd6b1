/**
 * Translates a schema for mock-json-schema, which makes the examples that a contract lacks. That package supports only the
 * JSON Schema of OpenAPI 3.0, and overflows the stack on a recursive schema.
 */

type SchemaObject = Readonly<Record<string, unknown>>;

/** @param schema - without references; it may be recursive @returns a schema that an example can be made of */
export function mockableSchema(schema: unknown): SchemaObject {
  return mockable(schema, []) ?? {};
}

/** @returns undefined for a schema within itself */
function mockable(schema: unknown, around: readonly unknown[]): SchemaObject | undefined {
  if (!isObject(schema)) return {};
  if (around.includes(schema)) return undefined;
  const within = [...around, schema];
  const ofAll = (schemas: unknown): readonly SchemaObject[] => {
    const all: readonly unknown[] = Array.isArray(schemas) ? schemas : [];
    return all.map((each) => mockable(each, within)).filter((part) => part !== undefined);
  };

  const { items, properties } = schema;
  const item = items === undefined ? undefined : mockable(items, within);
  return {
    ...schema,
    ...typeOf(schema),
    ...valueOf(schema),
    ...Object.fromEntries(COMPOSITIONS.map((name) => [name, ofAll(schema[name])])),
    ...(isObject(properties) && { properties: propertiesOf(properties, within) }),
    ...(items !== undefined && (item === undefined ? { default: [] } : { items: item })),
  };
}

const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

/** The properties of a response: without write-only and without recursive ones. */
function propertiesOf(properties: SchemaObject, within: readonly unknown[]): SchemaObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      if (isObject(property) && property['writeOnly'] === true) return [];
      const inner = mockable(property, within);
      return inner === undefined ? [] : [[name, inner]];
    }),
  );
}

/** Of several types, one other than null. */
function typeOf({ type }: SchemaObject): SchemaObject {
  if (type === undefined) return {};
  const types: readonly unknown[] = [type].flat();
  const shown = types.find((each) => each !== 'null');
  return shown === undefined ? { default: null } : { type: shown };
}

/** A value that the schema itself gives. */
function valueOf({ const: only, examples, ...schema }: SchemaObject): SchemaObject {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  return {
    ...(typeof above === 'number' && { minimum: above + 1, exclusiveMinimum: false }),
    ...(typeof below === 'number' && { maximum: below - 1, exclusiveMaximum: false }),
    ...(Array.isArray(examples) && examples.length > 0 && { example: examples[0] as unknown }),
    ...(only !== undefined && { example: only }),
  };
}

function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
