/** Makes the types `paths`, `operations`, `webhooks` and `components`, which clients such as openapi-fetch read, from those of openapi-typescript. */

import {
  type GlobalContext,
  type OpenAPI3,
  createRef,
  transformPathItemObject,
  transformSchema,
  tsPropertyIndex,
} from 'openapi-typescript';
import ts from 'typescript';
import {
  type OpenApiDocument,
  METHODS,
  type PathItem,
  isObject,
  isReference,
  itemOperations,
} from '../../../contract/schemas/document.js';
import { resolvePointer } from '../../../text/pointer.js';

/** @param named - the document with each component schema at its root */
export function clientTypes(
  document: OpenApiDocument,
  named: OpenApiDocument,
  context: GlobalContext,
): readonly ts.Node[] {
  const further = furtherMethods(document, context);
  return transformSchema(named as unknown as OpenAPI3, context).map((node) =>
    withMembers(node, (member) => {
      const at = `${declaredName(node)} ${nameOf(member)}`;
      return withFurtherMethods(withoutAbsent(member), further.get(at) ?? []);
    }),
  );
}

/** The type `components` with the schemas alone, which is all that servers need. */
export function schemaTypes(named: OpenApiDocument, context: GlobalContext): readonly ts.Node[] {
  const { paths: _, webhooks: __, components, ...others } = named;
  const document = { ...others, components: { schemas: components?.schemas } };
  const nodes = transformSchema(document as unknown as OpenAPI3, context);
  return nodes.filter((node) => !CLIENT_TYPES.has(declaredName(node)));
}

const CLIENT_TYPES = new Set(['paths', 'webhooks', 'operations', '$defs']);

function declaredName(node: ts.Node): string {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? node.name.text : '';
}

/** Members of the paths and webhooks, by root and path, for methods that openapi-typescript does not know: `query` and `additionalOperations` of OpenAPI 3.2. */
function furtherMethods(
  document: OpenApiDocument,
  ctx: GlobalContext,
): ReadonlyMap<string, readonly ts.TypeElement[]> {
  const byPlace = new Map<string, readonly ts.TypeElement[]>();
  for (const root of ['paths', 'webhooks'] as const) {
    for (const [path, item] of Object.entries(document[root] ?? {})) {
      // There may be extensions among the paths.
      if (!isObject(item)) continue;
      const own = isReference(item) ? (resolvePointer(document, item.$ref) as PathItem) : item;
      const further = itemOperations(own).filter(
        ({ method, names }) => method === 'QUERY' || names.length > 1,
      );
      const members = further.map(({ method, operation }) => {
        const asPost = { parameters: own.parameters, post: operation } as TypedPathItem;
        const type = transformPathItemObject(asPost, { path: createRef([root, path]), ctx });
        const post = (type as ts.TypeLiteralNode).members.find((member) => nameOf(member) === 'post');
        const key = tsPropertyIndex(methodKey(method));
        return ts.factory.createPropertySignature(undefined, key, undefined, typeOf(post));
      });
      if (members.length > 0) byPlace.set(`${root} ${path}`, members);
    }
  }
  return byPlace;
}

/** The name of a method: its field of a Path Item, or the method itself if there is no such field. */
function methodKey(method: string): string {
  const name = method.toLowerCase();
  return (METHODS as readonly string[]).includes(name) ? name : method;
}

type TypedPathItem = Parameters<typeof transformPathItemObject>[0];

function withFurtherMethods(member: ts.TypeElement, further: readonly ts.TypeElement[]): ts.TypeElement {
  if (further.length === 0) return member;
  const { factory } = ts;
  return withType(member, (type) =>
    ts.isTypeLiteralNode(type)
      ? factory.updateTypeLiteralNode(type, factory.createNodeArray([...type.members, ...further]))
      : factory.createIntersectionTypeNode([type, factory.createTypeLiteralNode(further)]),
  );
}

/** A path item or an operation without the members that there are not: two of three lines of a small operation. */
function withoutAbsent(member: ts.TypeElement): ts.TypeElement {
  return withType(member, (type) => {
    if (!ts.isTypeLiteralNode(type)) return type;
    const isOperation = type.members.some((each) => nameOf(each) === 'responses');
    const members = type.members.flatMap((each) => {
      if (isAbsent(each)) return [];
      if (nameOf(each) !== 'parameters') return [isOperation ? each : withoutAbsent(each)];
      const { left, first } = locations(each);
      if (left.length > 0)
        return [withType(each, () => ts.factory.createTypeLiteralNode(left.map(commentedOnce)))];
      // An object type without members would allow any parameters.
      return isOperation && first ? [withType(each, () => ts.factory.createTypeLiteralNode([first]))] : [];
    });
    return ts.factory.updateTypeLiteralNode(type, ts.factory.createNodeArray(members));
  });
}

/** The members of the type of parameters that there are, and the first of all. */
function locations(parameters: ts.TypeElement) {
  const type = typeOf(parameters);
  const members = type !== undefined && ts.isTypeLiteralNode(type) ? [...type.members] : [];
  return { left: members.filter((member) => !isAbsent(member)), first: members[0] };
}

/** A location whose parameters have no comment if it is that of a component. */
function commentedOnce(location: ts.TypeElement): ts.TypeElement {
  return withType(location, (type) => {
    if (!ts.isTypeLiteralNode(type)) return type;
    for (const member of type.members) {
      if (typeOf(member)?.kind === ts.SyntaxKind.IndexedAccessType)
        ts.setSyntheticLeadingComments(member, undefined);
    }
    return type;
  });
}

/** Whether a member is optional and never there. */
function isAbsent(member: ts.TypeElement): boolean {
  return member.questionToken !== undefined && typeOf(member)?.kind === ts.SyntaxKind.NeverKeyword;
}

function withMembers(node: ts.Node, change: (member: ts.TypeElement) => ts.TypeElement): ts.Node {
  if (!ts.isInterfaceDeclaration(node) || node.name.text === 'components') return node;
  const { modifiers, name, typeParameters, heritageClauses, members } = node;
  return ts.factory.updateInterfaceDeclaration(
    node,
    modifiers,
    name,
    typeParameters,
    heritageClauses,
    members.map(change),
  );
}

function withType(member: ts.TypeElement, change: (type: ts.TypeNode) => ts.TypeNode): ts.TypeElement {
  if (!ts.isPropertySignature(member) || member.type === undefined) return member;
  const { modifiers, name, questionToken, type } = member;
  return ts.factory.updatePropertySignature(member, modifiers, name, questionToken, change(type));
}

/** The name of a member; empty for a computed one. */
function nameOf({ name }: ts.TypeElement): string {
  if (name === undefined) return '';
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name.text : '';
}

function typeOf(member: ts.TypeElement | undefined): ts.TypeNode | undefined {
  return member !== undefined && ts.isPropertySignature(member) ? member.type : undefined;
}
