/** Changes a document as a release of its service does, so that there are two versions to compare. */

import { seeded } from '../../../src/tools/values/seeded.js';

interface SchemaText {
  properties?: Record<string, SchemaText>;
  required?: string[];
  oneOf?: SchemaText[];
  title?: string;
  const?: number | string;
  [keyword: string]: unknown;
}

interface OperationText {
  operationId?: string;
  parameters?: object[];
}

interface DocumentText {
  readonly components: { readonly schemas: Readonly<Record<string, SchemaText>> };
  readonly paths: Record<string, Partial<Record<string, OperationText>>>;
}

const BOUNDS = ['maxLength', 'maximum', 'maxItems', 'minLength'] as const;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The text of the next version, the same on every run. @param count - the number of changes */
export function nextVersion(text: string, count: number): string {
  const document = JSON.parse(text) as DocumentText;
  const random = seeded(1);
  const one = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error('the document has nothing to change');
    return found;
  };
  const schemas = [...schemasIn(document.components.schemas)];
  const objects = schemas.filter(({ properties }) => Object.keys(properties ?? {}).length > 1);
  const lists = schemas.filter(({ oneOf }) => oneOf?.every((each) => each.const !== undefined));
  const bounded = schemas.flatMap((schema) =>
    BOUNDS.filter((keyword) => typeof schema[keyword] === 'number').map((keyword) => ({ schema, keyword })),
  );
  const paths = Object.keys(document.paths);
  const ofObject = (change: (schema: SchemaText, properties: Record<string, SchemaText>) => void): void => {
    const schema = one(objects);
    change(schema, schema.properties ?? {});
  };
  const changes: readonly ((index: number) => void)[] = [
    (index) => {
      ofObject(
        (_, properties) => (properties[`added_${String(index)}`] = { type: 'string', maxLength: 100 }),
      );
    },
    () => {
      ofObject((schema, properties) => {
        const name = one(Object.keys(properties));
        Reflect.deleteProperty(properties, name);
        schema.required = schema.required?.filter((each) => each !== name) ?? [];
      });
    },
    () => {
      ofObject((schema, properties) => {
        const name = one(Object.keys(properties));
        const { required = [] } = schema;
        schema.required = required.includes(name)
          ? required.filter((each) => each !== name)
          : [...required, name];
      });
    },
    () => {
      const { schema, keyword } = one(bounded);
      schema[keyword] = Number(schema[keyword]) * 2 + 1;
    },
    (index) => one(lists).oneOf?.push({ title: 'ADDED', const: 1000 + index }),
    (index) => {
      const path = one(paths);
      const [method, operation] = one(
        Object.entries(document.paths[path] ?? {}).filter(([name]) => METHODS.includes(name)),
      );
      const operationId = `${operation?.operationId ?? 'operation'}_added_${String(index)}`;
      const { parameters } = document.paths[path] ?? {};
      document.paths[`${path}/added-${String(index)}`] = {
        ...(parameters && { parameters }),
        [method]: { ...operation, operationId },
      };
    },
  ];
  for (let index = 0; index < count; index += 1) changes[index % changes.length]?.(index);
  return JSON.stringify(document);
}

function* schemasIn(value: unknown): Generator<SchemaText> {
  if (typeof value !== 'object' || value === null) return;
  yield value as SchemaText;
  for (const inner of Object.values(value)) yield* schemasIn(inner);
}
