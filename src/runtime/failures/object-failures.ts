/** Explains how the properties of an object fail a schema. */

import type { SchemaKeywords } from './failure.js';
import type { Trial } from './trial.js';
import { isObject } from './json-value.js';
import { memberPointer } from './pointer.js';
import { countFindings, expression, finding } from './value-failures.js';

type Members = Readonly<Record<string, unknown>>;

export class ObjectKeywords {
  readonly #properties: Members;
  readonly #patterns: readonly (readonly [string, unknown])[];

  constructor(
    private readonly trial: Trial,
    private readonly schema: SchemaKeywords,
    private readonly value: Members,
    private readonly place: string,
  ) {
    this.#properties = (schema['properties'] ?? {}) as Members;
    this.#patterns = Object.entries((schema['patternProperties'] ?? {}) as Members);
  }

  look(): void {
    this.#insertDefaults();
    this.#names();
    for (const name of Object.keys(this.value)) this.#name(name);
    for (const [name, inner] of Object.entries((this.schema['dependentSchemas'] ?? {}) as Members))
      if (this.#has(name)) this.trial.same(inner, this.value, this.place);
    this.#members();
    if ('unevaluatedProperties' in this.schema) this.#unevaluated();
    if ('dispatch' in this.schema) this.#dispatch();
  }

  #insertDefaults(): void {
    for (const [name, schema] of Object.entries(this.#properties)) {
      if (!isObject(schema) || !('default' in schema) || this.#has(name)) continue;
      const property = { value: schema['default'], writable: true, enumerable: true, configurable: true };
      Object.defineProperty(this.value, name, property);
    }
  }

  #names(): void {
    const count = (): number => Object.keys(this.value).length;
    for (const each of countFindings(this.schema, 'Properties', 'properties', count))
      this.trial.fail(this.place, each);
    for (const name of (this.schema['required'] ?? []) as readonly string[]) {
      if (this.#has(name)) continue;
      const message = `must have required property '${name}'`;
      this.trial.fail(this.place, finding('required', { missingProperty: name }, message));
    }
    for (const [property, names] of Object.entries((this.schema['dependentRequired'] ?? {}) as Members))
      if (this.#has(property)) this.#dependent(property, names as readonly string[]);
  }

  #dependent(property: string, names: readonly string[]): void {
    const missing = names.find((name) => !this.#has(name));
    if (missing === undefined) return;
    const deps = names.join(', ');
    const params = { property, missingProperty: missing, depsCount: names.length, deps };
    const noun = names.length === 1 ? 'property' : 'properties';
    const message = `must have ${noun} ${deps} when property ${property} is present`;
    this.trial.fail(this.place, finding('dependentRequired', params, message));
  }

  /** Checks the name of a property, and the value of an undeclared property. */
  #name(name: string): void {
    const { propertyNames, additionalProperties } = this.schema;
    if (propertyNames !== undefined) {
      const before = this.trial.failures.length;
      this.trial.part(propertyNames, name, this.place);
      if (this.trial.failures.length > before)
        this.trial.fail(
          this.place,
          finding('propertyNames', { propertyName: name }, 'property name must be valid'),
        );
    }
    if (additionalProperties === undefined || this.#isDeclared(name)) return;
    this.trial.looked.names.add(name);
    if (additionalProperties === false) {
      const params = { additionalProperty: name };
      const message = 'must NOT have additional properties';
      this.trial.fail(this.place, finding('additionalProperties', params, message));
    } else this.trial.part(additionalProperties, this.value[name], this.#at(name));
  }

  #members(): void {
    for (const [name, schema] of Object.entries(this.#properties)) {
      if (!this.#has(name)) continue;
      this.trial.looked.names.add(name);
      this.trial.part(schema, this.value[name], this.#at(name));
    }
    for (const [pattern, schema] of this.#patterns) {
      for (const name of Object.keys(this.value)) {
        if (!expression(pattern).test(name)) continue;
        this.trial.looked.names.add(name);
        this.trial.part(schema, this.value[name], this.#at(name));
      }
    }
  }

  #unevaluated(): void {
    const schema = this.schema['unevaluatedProperties'];
    for (const name of Object.keys(this.value)) {
      if (this.trial.looked.names.has(name)) continue;
      this.trial.looked.names.add(name);
      if (schema === false) {
        const params = { unevaluatedProperty: name };
        const message = 'must NOT have unevaluated properties';
        this.trial.fail(this.place, finding('unevaluatedProperties', params, message));
      } else this.trial.part(schema, this.value[name], this.#at(name));
    }
  }

  #dispatch(): void {
    const { property, values } = this.schema['dispatchOn'] as {
      readonly property: string;
      readonly values: readonly (readonly unknown[])[];
    };
    const tag = this.#has(property) ? this.value[property] : undefined;
    for (const [index, branch] of (this.schema['dispatch'] as readonly unknown[]).entries())
      if (values[index]?.includes(tag) === true) this.trial.same(branch, this.value, this.place);
  }

  #has(name: string): boolean {
    return Object.hasOwn(this.value, name) && this.value[name] !== undefined;
  }

  #isDeclared(name: string): boolean {
    return (
      Object.hasOwn(this.#properties, name) ||
      this.#patterns.some(([pattern]) => expression(pattern).test(name))
    );
  }

  #at(name: string): string {
    return this.place + memberPointer(name);
  }
}
