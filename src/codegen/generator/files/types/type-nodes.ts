/**
 * Changes the types that openapi-typescript writes: each component schema gets a separate exported type, and the operations of methods that
 * it does not know (`query` and `additionalOperations` of OpenAPI 3.2) get theirs.
 */

import ts from 'typescript';
import { type OpenApiDocument, type PathItem, itemOperations } from '../../../contract/schemas/document.js';
import { freeName, pascalCase } from '../../../text/identifiers.js';
import { scopeNames } from '../../../text/parsed-code.js';
import { resolvePointer } from '../../../text/pointer.js';
import { methodKey } from '../schema-type.js';

/**
 * Moves the types of the component schemas into exported aliases, and refers to these everywhere. An editor then shows `Room`
 * instead of the whole type.
 *
 * @param components - the names of the component schemas
 */
export function withSchemaNames(
  nodes: readonly ts.Node[],
  components: readonly string[],
): { readonly nodes: readonly ts.Node[]; readonly names: ReadonlyMap<string, string> } {
  const names = aliasNames(components, new Set(nodes.flatMap(scopeNames)));
  const aliases: ts.Node[] = [];
  const transformed = ts.transform(
    [...nodes],
    [
      (context) => (root) => {
        const visit = (node: ts.Node): ts.Node => {
          const schemas = schemasOf(node, root);
          if (schemas !== undefined)
            return moved(schemas, names, aliases, (type) => ts.visitNode(type, visit));
          const alias = names.get(schemaOf(node) ?? '');
          return alias === undefined
            ? ts.visitEachChild(node, visit, context)
            : ts.factory.createTypeReferenceNode(alias);
        };
        return ts.visitNode(root, visit);
      },
    ],
  );
  return { nodes: [...transformed.transformed, ...aliases], names };
}

/**
 * An identifier in PascalCase for each component. A name that is such an identifier is kept.
 *
 * @param taken - the names that the types mention; the assigned names are added
 */
function aliasNames(components: readonly string[], taken: Set<string>): ReadonlyMap<string, string> {
  const stems = components.map((name): readonly [string, string] => {
    const stem = pascalCase(name);
    return [name, /^\p{L}/u.test(stem) ? stem : `Schema${stem}`];
  });
  const exactFirst = stems.toSorted(([a, aStem], [b, bStem]) => Number(b === bStem) - Number(a === aStem));
  return new Map(exactFirst.map(([name, stem]) => [name, freeName(stem, taken)]));
}

type Schemas = ts.PropertySignature & { readonly type: ts.TypeLiteralNode };

/** The node, if it is the member `schemas` of `components` and not a component or property of this name. */
function schemasOf(node: ts.Node, root: ts.Node): Schemas | undefined {
  const isSchemas =
    ts.isInterfaceDeclaration(root) &&
    root.name.text === 'components' &&
    ts.isPropertySignature(node) &&
    root.members.includes(node) &&
    nameOf(node) === 'schemas' &&
    node.type &&
    ts.isTypeLiteralNode(node.type);
  return isSchemas ? (node as Schemas) : undefined;
}

/** The component that a type is a bare reference to: `components["schemas"]["Room"]`. */
function schemaOf(node: ts.Node): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return undefined;
  const { objectType: root, indexType: kind } = node.objectType;
  const isOfComponents =
    ts.isTypeReferenceNode(root) && ts.isIdentifier(root.typeName) && root.typeName.text === 'components';
  return isOfComponents && textOf(kind) === 'schemas' ? textOf(node.indexType) : undefined;
}

function textOf(node: ts.TypeNode): string | undefined {
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? node.literal.text : undefined;
}

/** The name of a member; empty for a computed one. */
function nameOf({ name }: ts.TypeElement): string {
  if (name === undefined) return '';
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name.text : '';
}

/** Replaces the types in `schemas` by references to aliases, which are added to the list. */
function moved(
  schemas: Schemas,
  names: ReadonlyMap<string, string>,
  aliases: ts.Node[],
  inside: (type: ts.TypeNode) => ts.Node | undefined,
): ts.Node {
  const { factory } = ts;
  const members = schemas.type.members.map((member) => {
    if (!ts.isPropertySignature(member) || member.type === undefined) return member;
    const name = names.get(nameOf(member));
    if (name === undefined) return member;
    const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
    const type = inside(member.type) as ts.TypeNode;
    const alias = factory.createTypeAliasDeclaration(exported, name, undefined, type);
    aliases.push(ts.setSyntheticLeadingComments(alias, ts.getSyntheticLeadingComments(member)));
    const reference = factory.createTypeReferenceNode(name);
    return factory.createPropertySignature(member.modifiers, member.name, member.questionToken, reference);
  });
  const literal = factory.createTypeLiteralNode(members);
  return factory.createPropertySignature(schemas.modifiers, schemas.name, undefined, literal);
}

/** Separates path and method in the name of a temporary path, which exists until the types are written. */
const MARK = '\n';

/** Moves each such operation, in place, to a separate path item, as its `post`. */
export function moveFurtherMethods(document: OpenApiDocument): void {
  for (const root of ['paths', 'webhooks'] as const) {
    const items = { ...document[root] };
    for (const [path, item] of Object.entries(items)) {
      // There may be extensions among the paths.
      if (typeof item !== 'object') continue;
      const own = '$ref' in item ? (resolvePointer(document, item.$ref) as PathItem) : item;
      const { parameters = [] } = own;
      for (const { method, names, operation } of itemOperations(own)) {
        if (method === 'QUERY' || names.length > 1)
          items[`${path}${MARK}${methodKey(method)}`] = { parameters, post: operation };
      }
    }
    if (document[root] !== undefined) Object.assign(document, { [root]: items });
  }
}

/** Moves the types of such operations back to their path. */
export function withFurtherMethods(nodes: readonly ts.Node[]): ts.Node[] {
  return nodes.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || !/^(?:paths|webhooks)$/.test(node.name.text)) return node;
    const [own, moved] = [false, true].map((isMoved) =>
      node.members.filter((member) => nameOf(member).includes(MARK) === isMoved),
    );
    return ts.factory.updateInterfaceDeclaration(
      node,
      node.modifiers,
      node.name,
      node.typeParameters,
      node.heritageClauses,
      (own ?? []).map((member) => withOperations(member, moved ?? [])),
    );
  });
}

/** The member of a path with the operations that were moved away from it. */
function withOperations(path: ts.TypeElement, moved: readonly ts.TypeElement[]): ts.TypeElement {
  const { factory } = ts;
  const further = moved.flatMap((member) => {
    const [name, method = ''] = nameOf(member).split(MARK);
    const operation =
      name === nameOf(path) ? typeOf(member)?.members.find((each) => nameOf(each) === 'post') : undefined;
    const type = operation && ts.isPropertySignature(operation) ? operation.type : undefined;
    const key = /^\w+$/.test(method) ? factory.createIdentifier(method) : factory.createStringLiteral(method);
    return type ? [factory.createPropertySignature(undefined, key, undefined, type)] : [];
  });
  if (further.length === 0 || !ts.isPropertySignature(path) || path.type === undefined) return path;
  const own = typeOf(path);
  const type = own
    ? factory.updateTypeLiteralNode(own, factory.createNodeArray([...own.members, ...further]))
    : factory.createIntersectionTypeNode([path.type, factory.createTypeLiteralNode(further)]);
  return factory.updatePropertySignature(path, path.modifiers, path.name, path.questionToken, type);
}

function typeOf(member: ts.TypeElement): ts.TypeLiteralNode | undefined {
  return ts.isPropertySignature(member) && member.type && ts.isTypeLiteralNode(member.type)
    ? member.type
    : undefined;
}
