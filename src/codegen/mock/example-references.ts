/** Hides a `$ref` that is data from openapi-backend, which follows every `$ref` that it finds, even in examples. */

const HIDDEN = '$ref of an example';

/** Copies a bundled document and hides every `$ref` that does not point into it: these are data. */
export function withoutForeignReferences(value: unknown): unknown {
  return renamed(value, (name, member) =>
    name === '$ref' && typeof member === 'string' && !member.startsWith('#/') ? HIDDEN : name,
  );
}

/** Restores the references in an example. */
export function withReferences(value: unknown): unknown {
  return renamed(value, (name) => (name === HIDDEN ? '$ref' : name));
}

function renamed(value: unknown, nameOf: (name: string, member: unknown) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => renamed(member, nameOf));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [nameOf(name, member), renamed(member, nameOf)]),
  );
}
