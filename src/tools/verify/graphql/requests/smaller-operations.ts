/** Makes smaller variants of a GraphQL request, each with one part left out. */

import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { smallerValues } from '../../run/shrink.js';
import type { OperationCase } from './case-maker.js';

/** Leaves out the largest parts first. */
export function* smallerOperations(whole: OperationCase): Generator<OperationCase> {
  if (!whole.isLiteral && whole.tamper === undefined) yield { ...whole, isLiteral: true };
  for (const document of smallerDocuments(whole.document)) {
    if (document !== whole.document) yield cleaned({ ...whole, document });
  }
  const [name] = whole.kept ?? [];
  const value = whole.variables[String(name)];
  if (value === undefined) return;
  for (const smaller of smallerValues(value)) {
    yield { ...whole, variables: { ...whole.variables, [String(name)]: smaller } };
  }
}

function* smallerDocuments(document: DocumentNode): Generator<DocumentNode> {
  yield withoutSpreads(document);
  const sets: SelectionSetNode[] = [];
  const others: ASTNode[] = [];
  visit(document, {
    SelectionSet: (node) => void sets.push(node),
    Argument: (node) => void others.push(node),
    Directive: (node) => void others.push(node),
    Field: ({ alias }) => {
      if (alias !== undefined) others.push(alias);
    },
  });
  for (const set of sets) {
    const { selections } = set;
    const { length } = selections;
    const half = Math.ceil(length / 2);
    const parts = length > 3 ? [selections.slice(0, half), selections.slice(half)] : [];
    const each = length > 1 ? selections.map((_, index) => selections.toSpliced(index, 1)) : [];
    for (const kept of [...parts, ...each]) yield replaced(document, set, { ...set, selections: kept });
  }
  for (const node of others) yield replaced(document, node, null);
}

/** The document with fragment spreads replaced by their selections. */
function withoutSpreads(document: DocumentNode): DocumentNode {
  const fragments = new Map<string, SelectionSetNode>();
  visit(document, {
    FragmentDefinition: ({ name, selectionSet }) => void fragments.set(name.value, selectionSet),
  });
  const isPlain = (node: SelectionNode): boolean =>
    node.kind !== Kind.FRAGMENT_SPREAD || !fragments.has(node.name.value);
  return visit(document, {
    SelectionSet: (set) => {
      if (set.selections.every(isPlain)) return undefined;
      const selections = set.selections.flatMap((node) =>
        node.kind === Kind.FRAGMENT_SPREAD ? (fragments.get(node.name.value)?.selections ?? [node]) : [node],
      );
      return { ...set, selections };
    },
  });
}

function replaced(document: DocumentNode, part: ASTNode, by: ASTNode | null): DocumentNode {
  return visit(document, { enter: (node) => (node === part ? by : undefined) });
}

/** The case without unused fragments and variables. */
function cleaned(given: OperationCase): OperationCase {
  const [spread, used] = [new Set<string>(), new Set<string>()];
  visit(given.document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void used.add(name.value),
    FragmentSpread: ({ name }) => void spread.add(name.value),
  });
  const isSpread = ({ name }: FragmentDefinitionNode): boolean => spread.has(name.value);
  const document: DocumentNode = visit(given.document, {
    FragmentDefinition: (node) => (isSpread(node) ? undefined : null),
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  });
  const isWhole = document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const variables = Object.fromEntries(Object.entries(given.variables).filter(([name]) => used.has(name)));
  return isWhole ? { ...given, document, variables } : given;
}
