/** Types the operations of methods that openapi-typescript does not know: `query` and `additionalOperations` of OpenAPI 3.2. */

import ts from 'typescript';
import type { OpenApiDocument, OperationObject, PathItem } from '../../../contract/load/openapi.js';
import { resolvePointer } from '../../../text/pointer.js';
import { methodKey } from '../type-text.js';
import { nameOf } from './schema-names.js';

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
      for (const [method, operation] of furtherOperations(own)) {
        items[`${path}${MARK}${methodKey(method)}`] = { parameters, post: operation };
      }
    }
    if (document[root] !== undefined) Object.assign(document, { [root]: items });
  }
}

function furtherOperations({ query, additionalOperations = {} }: PathItem): [string, OperationObject][] {
  return [
    ...(query ? [['QUERY', query] as [string, OperationObject]] : []),
    ...Object.entries(additionalOperations),
  ];
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
  const further = moved.flatMap((member) => {
    const [name, method = ''] = nameOf(member).split(MARK);
    const operation =
      name === nameOf(path) ? typeOf(member)?.members.find((each) => nameOf(each) === 'post') : undefined;
    const type = operation && ts.isPropertySignature(operation) ? operation.type : undefined;
    return type ? [ts.factory.createPropertySignature(undefined, propertyName(method), undefined, type)] : [];
  });
  if (further.length === 0 || !ts.isPropertySignature(path) || path.type === undefined) return path;
  const { factory } = ts;
  const own = typeOf(path);
  const type = own
    ? factory.updateTypeLiteralNode(own, factory.createNodeArray([...own.members, ...further]))
    : factory.createIntersectionTypeNode([path.type, factory.createTypeLiteralNode(further)]);
  return factory.updatePropertySignature(path, path.modifiers, path.name, path.questionToken, type);
}

function propertyName(method: string): ts.PropertyName {
  const isIdentifier = /^\w+$/.test(method);
  return isIdentifier ? ts.factory.createIdentifier(method) : ts.factory.createStringLiteral(method);
}

function typeOf(member: ts.TypeElement): ts.TypeLiteralNode | undefined {
  return ts.isPropertySignature(member) && member.type && ts.isTypeLiteralNode(member.type)
    ? member.type
    : undefined;
}
