/** The report of a comparison: counts by kind, and rows of changes of one kind in one schema, each in the section of its meaning. */

import { counted } from '@concordat/runtime/terminal';
import type { Change } from './change/change.js';

/** Changes of one kind in one schema. The proof of the first is the proof of the row. */
export interface Row {
  readonly first: Change;
  /** How many other changes there are, apart from the same change in other operations. */
  readonly others: number;
  /** The component that has them; absent for other places. */
  readonly component: string | undefined;
  /** All operations that they reach. */
  readonly operations: readonly string[];
}

export interface Section {
  readonly title: string;
  readonly about: 'breaks' | 'doubts' | 'duties';
  readonly rows: readonly Row[];
}

interface Report {
  /** `property-removed: 3 break clients, 1 may break them`. */
  readonly kinds: readonly string[];
  /** Those that have rows. */
  readonly sections: readonly Section[];
  /** Says how many changes are in no section. */
  readonly rest: string | undefined;
}

const TITLES = {
  breaks: 'Breaks clients of the old version',
  doubts: 'May break clients of the old version',
  duties: 'What a server of the new version must do',
} as const;

export function reportOf(changes: readonly Change[]): Report {
  const sorted = removalsFirst(changes);
  const those = (about: Section['about']): readonly Change[] =>
    sorted.filter((change) => sectionOf(change) === about);
  const sections = (['breaks', 'doubts', 'duties'] as const)
    .map((about): Section => ({ about, title: TITLES[about], rows: rowsOf(those(about)) }))
    .filter(({ rows }) => rows.length > 0);
  const rest = changes.filter((change) => sectionOf(change) === undefined).length;
  const are = counted(rest, 'other change breaks nothing', 'other changes break nothing');
  return { kinds: kindsOf(sorted), sections, rest: rest === 0 ? undefined : `${are}: --all lists them.` };
}

/** Removed operations, then other removals, then the rest; otherwise in the given order. */
export function removalsFirst(changes: readonly Change[]): readonly Change[] {
  const rank = ({ kind }: Change): number =>
    kind === 'operation-removed' ? 0 : kind.endsWith('-removed') ? 1 : 2;
  return changes.toSorted((a, b) => rank(a) - rank(b));
}

/** The section of a change; undefined if it needs no reader. */
export function sectionOf({ client, server }: Change): Section['about'] | undefined {
  if (client.severity === 'breaking') return 'breaks';
  if (client.severity === 'dangerous') return 'doubts';
  return server.severity === 'breaking' || server.severity === 'dangerous' ? 'duties' : undefined;
}

/** Groups changes by kind and component; outside of components, changes with the same message are one row. */
export function rowsOf(changes: readonly Change[]): readonly Row[] {
  const groups = new Map<string, [Change, ...Change[]]>();
  for (const change of changes) {
    // The use of each part is worth a row.
    const schema = change.usage === undefined ? componentOf(change) : undefined;
    const key = [change.kind, schema ?? change.message, change.accepted?.end].join(' ');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [change]);
    else known.push(change);
  }
  return [...groups.values()].map((group) => {
    // A change with a proof represents the others best.
    const first = group.find(({ client, server }) => client.witness ?? server.witness) ?? group[0];
    return {
      first,
      others: new Set(group.map(({ message }) => message)).size - 1,
      component: componentOf(first),
      operations: [...new Set([first, ...group].flatMap(({ operations }) => operations))],
    };
  });
}

/** The name of the component that has the changed place in the new version, or else in the old one. */
function componentOf({ old, new: next }: Change): string | undefined {
  const names = [next, old].map((place) => /^#\/components\/[^/]+\/([^/]+)/.exec(place?.pointer ?? '')?.[1]);
  return names.find((name) => name !== undefined);
}

function kindsOf(changes: readonly Change[]): readonly string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const change of changes) {
    const own = counts.get(change.kind) ?? new Map<string, number>();
    const what = EFFECTS[sectionOf(change) ?? 'none'];
    counts.set(change.kind, own.set(what, (own.get(what) ?? 0) + 1));
  }
  const order = Object.values(EFFECTS);
  return [...counts].map(([kind, own]) => {
    const parts = order.flatMap((what) => (own.has(what) ? `${String(own.get(what))} ${what}` : []));
    return `${kind}: ${parts.join(', ')}`;
  });
}

const EFFECTS = {
  breaks: 'breaking for clients',
  doubts: 'dangerous for clients',
  duties: 'for servers only',
  none: 'that matter to neither',
} as const;
