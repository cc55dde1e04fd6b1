/**
 * Writes the types of the arguments that resolvers get: an input field with a default is always there, at any depth, and an enum has the
 * type of its mapper. The types of the inputs themselves stay as clients send them.
 */

import {
  type DocumentNode,
  type InputValueDefinitionNode,
  Kind,
  type TypeDefinitionNode,
  type TypeNode,
  isTypeDefinitionNode,
} from 'graphql';
import { reached } from '@concordat/runtime/parts';
import ts from 'typescript';
import { freeName } from '../../text/identifiers.js';
import { type Edit, edited, scopeNames } from '../../text/parsed-code.js';
import type { Aliases } from './required-resolvers.js';

export class ReceivedInputs {
  readonly #definitions: ReadonlyMap<string, TypeDefinitionNode>;
  readonly #taken: Set<string>;
  readonly #differing = new Map<string, boolean>();
  /** By the name of the type that clients send. */
  readonly #names = new Map<string, string>();
  /** The declarations of the types so far. */
  text = '';

  /** @param mapped - the enums that have a mapper */
  constructor(
    schema: DocumentNode,
    private readonly mapped: ReadonlySet<string>,
    file: ts.SourceFile,
    private readonly aliases: Aliases,
  ) {
    const types = schema.definitions.filter(isTypeDefinitionNode);
    this.#definitions = new Map(types.map((type) => [type.name.value, type]));
    this.#taken = new Set(scopeNames(file));
  }

  /** The type of the arguments of a field; undefined if these are in no way other than clients send them, but for their own defaults. */
  ofArguments(type: string, field: string, sent: string): string | undefined {
    const definition = this.#definitions.get(type);
    const fields = (definition !== undefined && 'fields' in definition && definition.fields) || [];
    const inputs = fields.flatMap((each) =>
      each.kind === Kind.FIELD_DEFINITION && each.name.value === field ? (each.arguments ?? []) : [],
    );
    return inputs.some((each) => this.#differs(namedType(each))) ? this.#received(sent, inputs) : undefined;
  }

  /** Whether resolvers get values of a type in another form than clients send them. */
  #differs(name: string): boolean {
    const known = this.#differing.get(name);
    if (known !== undefined) return known;
    const within = reached([name], (each) => this.#fieldsOf(each).map(namedType));
    const differs = [...within].some(
      (each) => this.mapped.has(each) || this.#fieldsOf(each).some(({ defaultValue }) => defaultValue),
    );
    this.#differing.set(name, differs);
    return differs;
  }

  #fieldsOf(name: string): readonly InputValueDefinitionNode[] {
    const type = this.#definitions.get(name);
    return type?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ? (type.fields ?? []) : [];
  }

  /** Declares the form of a type that resolvers get. @returns its name; undefined for a type of another form than the plugin writes */
  #received(sent: string, inputs: readonly InputValueDefinitionNode[]): string | undefined {
    const known = this.#names.get(sent);
    const alias = this.aliases.get(sent);
    if (known !== undefined || alias === undefined) return known;
    const name = freeName(`Received${sent}`, this.#taken);
    this.#taken.add(name);
    this.#names.set(sent, name);
    const start = alias.type.getStart();
    const edits = new Map<number, Edit>();
    const visit = (node: ts.Node): void => {
      const input =
        ts.isPropertySignature(node) && inputs.find((each) => each.name.value === node.name.getText());
      if (!input || node.type === undefined) return ts.forEachChild(node, visit);
      const token = input.defaultValue && node.questionToken;
      if (token) edits.set(token.pos, { start: token.pos - start, end: token.end - start, text: '' });
      const inner = innermost(node.type);
      const text = ts.isTypeReferenceNode(inner) && this.#typeOf(namedType(input), inner.getText());
      if (text) edits.set(inner.pos, { start: inner.getStart() - start, end: inner.end - start, text });
    };
    visit(alias.type);
    const body = edited(alias.type.getText(), [...edits.values()]);
    this.text += `\n\n/** {@link ${sent}} as resolvers get it, with the defaults of the schema. */\nexport type ${name} = ${body};`;
    return name;
  }

  #typeOf(name: string, sent: string): string | undefined {
    if (this.mapped.has(name)) return `Awaited<ResolversTypes['${name}']>`;
    return this.#differs(name) ? this.#received(sent, this.#fieldsOf(name)) : undefined;
  }
}

function namedType({ type }: InputValueDefinitionNode): string {
  let named: TypeNode = type;
  while (named.kind !== Kind.NAMED_TYPE) named = named.type;
  return named.name.value;
}

/** `Kind` in `InputMaybe<Array<Kind>>`. */
function innermost(type: ts.TypeNode): ts.TypeNode {
  const [inner] = ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : [];
  return inner === undefined ? type : innermost(inner);
}
