/** Finds directives in an SDL that the engine does not run, and removes those that are accepted. */

import {
  type ASTNode,
  type DirectiveDefinitionNode,
  type DocumentNode,
  concatAST,
  Kind,
  type NameNode,
  parse,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import {
  ContractError,
  type ContractProblem,
  applyAcceptances,
} from '../../contract/problems/contract-problem.js';
import type { FeatureName } from '../../contract/problems/features.js';

/** The directives of Apollo Federation 2, which a library that builds a subgraph would run. */
const FEDERATION: ReadonlySet<string> = new Set(
  `link key external requires provides shareable override inaccessible extends interfaceObject
    composeDirective tag authenticated requiresScopes policy context fromContext cost listSize`.split(/\s+/),
);

/** The specifications of Apollo, by their addresses: `https://specs.apollo.dev/federation/v2.3`. */
const SPECIFICATION = /^https?:\/\/specs\.apollo\.dev\/(?:.*\/)?([^/]+)\/v[\d.]+\/?$/;

/** The directives of incremental delivery, which graphql-js 16 parses but does not run. */
const INCREMENTAL: ReadonlySet<string> = new Set(['defer', 'stream']);

/**
 * The document without the directives that are accepted and not declared.
 *
 * @param accept - names of features, each alone or with ` at ` and a place such as `User.id@external`
 * @throws ContractError with every unsupported directive that is not accepted, and every unused acceptance
 */
export function supportedDocument(
  document: DocumentNode,
  file: string,
  accept: readonly string[],
): DocumentNode {
  const declared = new Set(document.definitions.filter(isDirectiveDefinition).map(({ name }) => name.value));
  const linked = linkedNames(document);
  // A declared directive with the name of one of federation is one only in a subgraph.
  const isSubgraph = declared.has('key') || declared.has('link');
  const isFederated = (name: string): boolean =>
    linked(name) || (FEDERATION.has(name) && (!declared.has(name) || isSubgraph));
  const found = unsupportedDirectives(document, file, isFederated);
  const { open, unused } = applyAcceptances(file, found, accept);
  const problems = [...open, ...unused];
  if (problems.length > 0) throw new ContractError(problems);
  if (accept.length === 0) return document;
  const isAccepted = found.some(({ feature }) => feature === 'federation');
  return without(
    isAccepted ? withMissingTypes(document) : document,
    (name) => isFederated(name) && !declared.has(name),
  );
}

function isDirectiveDefinition(node: ASTNode): node is DirectiveDefinitionNode {
  return node.kind === Kind.DIRECTIVE_DEFINITION;
}

/** A subgraph may extend the types of other subgraphs, and may leave out `Query`, without which no server runs. */
function withMissingTypes(document: DocumentNode): DocumentNode {
  const names = (kind: Kind): ReadonlySet<string> => {
    const own = document.definitions.filter((each) => each.kind === kind);
    return new Set(own.flatMap((each) => ('name' in each && each.name ? each.name.value : [])));
  };
  const defined = names(Kind.OBJECT_TYPE_DEFINITION);
  const extended = [...names(Kind.OBJECT_TYPE_EXTENSION)].filter((name) => !defined.has(name));
  const namesRoots = document.definitions.some((each) => each.kind === Kind.SCHEMA_DEFINITION);
  const hasQuery = namesRoots || defined.has('Query') || extended.includes('Query');
  const missing = extended.map((name) => `type ${name}`);
  if (!hasQuery) missing.push('type Query { "This subgraph has no queries." _empty: Boolean }');
  return missing.length === 0 ? document : concatAST([document, parse(missing.join('\n'))]);
}

function unsupportedDirectives(
  document: DocumentNode,
  main: string,
  isFederated: (name: string) => boolean,
): readonly ContractProblem[] {
  const found: ContractProblem[] = [];
  const note = (feature: FeatureName, pointer: string, message: string, { loc }: ASTNode): void => {
    const { line, column } = loc?.startToken ?? {};
    const file = loc?.source.name ?? main;
    found.push({ feature, message, file, ...(line && { line }), ...(column && { column }), pointer });
  };
  visit(document, {
    DirectiveDefinition(node) {
      const at = `@${node.name.value}`;
      if (!INCREMENTAL.has(node.name.value)) return;
      note('incremental-delivery', at, `a query may name ${at}, and gets its whole result at once`, node);
    },
    Directive(node, _key, _parent, _path, ancestors) {
      const name = node.name.value;
      if (!isFederated(name)) return;
      const at = `${ownersOf(ancestors).join('.')}@${name}`;
      note('federation', at, `nothing makes this schema a subgraph: @${name} is ignored`, node);
    },
  });
  return found;
}

/** The names of the definitions around a node, from the outside. */
function ownersOf(ancestors: readonly (ASTNode | readonly ASTNode[])[]): readonly string[] {
  return ancestors.flatMap((node) => {
    if (!('kind' in node) || !/(?:Definition|Extension)$/.test(node.kind)) return [];
    const { name } = node as { readonly name?: NameNode };
    return [name?.value ?? 'schema'];
  });
}

/**
 * Recognizes the names that the links of a schema give to directives of Apollo's specifications: imported names, which may be renamed, and
 * all others with the name of the specification in front, such as `federation__key` (Apollo's specification `link`, 1.0).
 */
function linkedNames(document: DocumentNode): (name: string) => boolean {
  const names = new Set<string>();
  const prefixes: string[] = [];
  for (const node of document.definitions) {
    if (node.kind !== Kind.SCHEMA_DEFINITION && node.kind !== Kind.SCHEMA_EXTENSION) continue;
    for (const { name, arguments: given = [] } of node.directives ?? []) {
      const values = Object.fromEntries(
        given.map((each) => [each.name.value, valueFromASTUntyped(each.value)]),
      );
      const { url, as } = values;
      const [, specification] = SPECIFICATION.exec(typeof url === 'string' ? url : '') ?? [];
      if (specification === undefined) continue;
      // The linking directive may itself be renamed.
      names.add(name.value);
      prefixes.push(`${typeof as === 'string' ? as : specification}__`);
      for (const imported of importedNames(values['import'])) names.add(imported);
    }
  }
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** The directives of an import: `"@key"`, or `{ name: "@key", as: "@entity" }`. */
function importedNames(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly unknown[]).flatMap((each) => {
    const { name, as = name } = (typeof each === 'object' && each !== null ? each : { name: each }) as {
      readonly name?: unknown;
      readonly as?: unknown;
    };
    return typeof as === 'string' && as.startsWith('@') ? [as.slice(1)] : [];
  });
}

/** Removes undeclared directives of federation, which need no declaration in a subgraph, but do in a schema. */
function without(document: DocumentNode, isRemoved: (name: string) => boolean): DocumentNode {
  const rest = visit(document, { Directive: ({ name }) => (isRemoved(name.value) ? null : undefined) });
  // Nothing is left of `extend schema @link`.
  const isEmpty = (node: ASTNode): boolean =>
    node.kind === Kind.SCHEMA_EXTENSION &&
    [...(node.directives ?? []), ...(node.operationTypes ?? [])].length === 0;
  return { ...rest, definitions: rest.definitions.filter((node) => !isEmpty(node)) };
}
