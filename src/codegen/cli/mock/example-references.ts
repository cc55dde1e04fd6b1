/** Keeps a `$ref` that is data from openapi-backend, which follows every one that it finds, also those in examples. */

const HIDDEN = '$ref of an example';

/** A copy of a document that was bundled: what refers to another place than one of its own is no reference. */
export function withoutForeignReferences(value: unknown): unknown {
  return renamed(value, (name, member) =>
    name === '$ref' && typeof member === 'string' && !member.startsWith('#/') ? HIDDEN : name,
  );
}

/** An example as the contract has it. */
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
