/** Decides how the number of ways through an automaton grows with the length of a text. */

import { groupsOf } from '../circles.js';
import { Automaton, START, TooLargeError } from './automaton.js';
import type { PlainPattern } from './pattern-tree.js';

/** The growth of the number of ways in which a text that is not matched is tried. */
export type Growth =
  | { readonly kind: 'exponential'; readonly pump: string }
  /** With this power of the length; `pump` is the sum of the lengths that are repeated. */
  | {
      readonly kind: 'polynomial';
      readonly degree: number;
      readonly pump: string;
      readonly pumped: number;
      /** How often a loop repeats at most; Infinity for `*`, `+` and `{n,}`. */
      readonly mostRepeats: number;
    }
  /** The automaton is too large. */
  | { readonly kind: 'undecided' };

/** The work for one automaton: so many steps from one combination of states to another. They take some 100 ms. */
const MOST_STEPS = 1_000_000;

/**
 * A state with two ways to itself for one text makes the number of ways exponential. A state with a way to itself, and one for the same
 * text to a state that has one to itself too, adds a power of the length (Weber and Seidl, "On the degree of ambiguity of finite
 * automata", 1991).
 */
export function growthOf(pattern: PlainPattern, flags: string): Growth {
  try {
    return new Ways(new Automaton(pattern, flags)).growth();
  } catch (error) {
    if (error instanceof TooLargeError) return { kind: 'undecided' };
    throw error;
  }
}

class Ways {
  #steps = 0;
  readonly #next: readonly (readonly number[])[];
  readonly #before: readonly (readonly number[])[];
  /** The states that lead to each other, by state; those without a way to themselves are alone. */
  readonly #groupOf: ReadonlyMap<number, number>;
  /** The groups with a way from each state to itself. A group comes before those that lead to it. */
  readonly #loops = new Map<number, number[]>();

  constructor(private readonly automaton: Automaton) {
    const { following, safe } = automaton;
    this.#next = following.map((states, from) =>
      safe.has(from) ? [] : states.filter((to) => !safe.has(to)),
    );
    const before: number[][] = following.map(() => []);
    for (const [from, states] of this.#next.entries()) for (const to of states) before[to]?.push(from);
    this.#before = before;
    const start = safe.has(START) ? [] : [START];
    this.#groupOf = this.#groups(start, (state) => this.#next[state] ?? []);
    for (const [state, group] of this.#groupOf) {
      const others = this.#loops.get(group);
      if (others !== undefined) others.push(state);
      else if (this.#isLooped(state)) this.#loops.set(group, [state]);
    }
  }

  growth(): Growth {
    for (const states of this.#loops.values()) {
      const pump = this.#twoWays(states);
      if (pump !== undefined) return { kind: 'exponential', pump };
    }
    return this.#degree();
  }

  /** Whether a state has a way to itself. */
  #isLooped(state: number): boolean {
    const group = this.#groupOf.get(state);
    return (this.#next[state] ?? []).some((to) => this.#groupOf.get(to) === group);
  }

  /** A text for which a state of the group has two ways to itself. */
  #twoWays(states: readonly number[]): string | undefined {
    const group = this.#groupOf.get(states[0] ?? START);
    const within = (state: number) =>
      (this.#next[state] ?? []).filter((to) => this.#groupOf.get(to) === group);
    const nexts = new Map(states.map((state) => [state, within(state)]));
    for (const [state, tos] of nexts) {
      const twice = tos.find((to, index) => tos.indexOf(to) !== index);
      if (twice !== undefined) return this.#wordOf(twice, (to) => to === state, twice);
    }
    const { size } = this.automaton;
    const pairsAfter = (pair: number): number[] => {
      const [a, b] = [Math.floor(pair / size), pair % size];
      const found: number[] = [];
      for (const to of nexts.get(a) ?? [])
        for (const other of nexts.get(b) ?? []) {
          this.#count();
          if (this.automaton.sets.meet(to, other)) found.push(to * size + other);
        }
      return found;
    };
    const isSame = (pair: number): boolean => Math.floor(pair / size) === pair % size;
    const seeds = states
      .filter((state) => pairsAfter(state * size + state).some((pair) => !isSame(pair)))
      .map((state) => state * size + state);
    if (seeds.length === 0) return undefined;
    const groups = this.#groups(seeds, pairsAfter);
    const ofSame = new Set([...groups].filter(([pair]) => isSame(pair)).map(([, own]) => own));
    for (const [pair, own] of groups) {
      if (isSame(pair) || !ofSame.has(own)) continue;
      const state = Math.floor(pair / size);
      return this.#wordOf(state, (to) => to === state, state, within);
    }
    return undefined;
  }

  #degree(): Growth {
    /** The degree at the end of each group with loops, and the texts that are repeated on the way to it. */
    const degrees = new Map<number, { readonly degree: number; readonly pumps: readonly string[] }>();
    let most: { readonly degree: number; readonly pumps: readonly string[] } = { degree: 0, pumps: [] };
    // Groups are numbered after those that they lead to.
    const ordered = [...this.#loops.keys()].sort((a, b) => b - a);
    for (const group of ordered) {
      let best: typeof most = { degree: 0, pumps: [] };
      for (const [from, before] of degrees) {
        const between = this.#between(from, group);
        if (between === undefined) continue;
        const pump = before.degree + 1 > best.degree ? this.#doubled(from, between, group) : undefined;
        const degree = before.degree + (pump === undefined ? 0 : 1);
        if (degree > best.degree || best.pumps.length === 0)
          best = { degree, pumps: pump === undefined ? before.pumps : [...before.pumps, pump] };
      }
      degrees.set(group, best);
      if (best.degree > most.degree) most = best;
    }
    const pumped = most.pumps.reduce((sum, { length }) => sum + length, 0);
    const { mostRepeats } = this.automaton;
    return { kind: 'polynomial', degree: most.degree, pump: most.pumps.at(-1) ?? '', pumped, mostRepeats };
  }

  /** The states on the ways from one group to another; undefined if there is no way. */
  #between(from: number, to: number): ReadonlySet<number> | undefined {
    const after = new Set(this.#loops.get(from));
    for (const state of after)
      for (const next of this.#next[state] ?? []) {
        this.#count();
        after.add(next);
      }
    const targets = this.#loops.get(to) ?? [];
    if (!targets.some((state) => after.has(state))) return undefined;
    const leading = new Set(targets);
    for (const state of leading)
      for (const earlier of this.#before[state] ?? []) {
        this.#count();
        if (after.has(earlier)) leading.add(earlier);
      }
    return leading;
  }

  /**
   * A text with which a state of one group leads to itself and to a state of another group, and that one to itself. In the graph of
   * triples, an edge back from such a text's end to its start makes both part of one group.
   */
  #doubled(from: number, between: ReadonlySet<number>, to: number): string | undefined {
    const { size, sets } = this.automaton;
    const [firsts, lasts] = [this.#loops.get(from) ?? [], this.#loops.get(to) ?? []];
    const only = (states: ReadonlySet<number>): ReadonlyMap<number, readonly number[]> => {
      const within = (state: number) => [...new Set(this.#next[state])].filter((next) => states.has(next));
      return new Map([...states].map((state) => [state, within(state)]));
    };
    const [first, middle, last] = [only(new Set(firsts)), only(between), only(new Set(lasts))];
    const key = (a: number, b: number, c: number): number => (a * size + b) * size + c;
    const after = (triple: number): number[] => {
      const c = triple % size;
      const rest = (triple - c) / size;
      const b = rest % size;
      const a = (rest - b) / size;
      const found: number[] = [];
      for (const x of first.get(a) ?? [])
        for (const y of middle.get(b) ?? []) {
          this.#count();
          if (!sets.meet(x, y)) continue;
          for (const z of last.get(c) ?? []) {
            this.#count();
            if (sets.meet(x, y, z)) found.push(key(x, y, z));
          }
        }
      if (b === c && first.has(a)) found.push(key(a, a, c));
      return found;
    };
    const seeds = firsts.flatMap((a) => lasts.map((c) => key(a, a, c)));
    const groups = this.#groups(seeds, after);
    for (const a of firsts)
      for (const c of lasts) {
        const [start, end] = [groups.get(key(a, a, c)), groups.get(key(a, c, c))];
        if (start !== undefined && start === end)
          return this.#pathOf(key(a, a, c), key(a, c, c), after, (triple) => triple % size);
      }
    return undefined;
  }

  /** The shortest text from a state to one that is wanted. */
  #wordOf(
    from: number,
    isWanted: (state: number) => boolean,
    first: number,
    next = (state: number): readonly number[] => this.#next[state] ?? [],
  ): string {
    const words = new Map<number, string>([[from, from === first ? '' : this.#character(first)]]);
    for (const [state, word] of words)
      for (const to of next(state)) {
        const longer = word + this.#character(to);
        if (isWanted(to)) return longer;
        if (!words.has(to)) words.set(to, longer);
      }
    return this.#character(first);
  }

  /** The shortest text from one combination of states to another. @param stateOf - the state that its last character leads into */
  #pathOf(
    from: number,
    to: number,
    next: (node: number) => readonly number[],
    stateOf: (node: number) => number,
  ): string {
    const words = new Map([[from, '']]);
    for (const [node, word] of words)
      for (const each of next(node)) {
        if (words.has(each)) continue;
        const longer = word + this.#character(stateOf(each));
        if (each === to) return longer;
        words.set(each, longer);
      }
    return '';
  }

  #character(state: number): string {
    return this.automaton.sets.common(state) ?? '';
  }

  #count(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new TooLargeError();
  }

  #groups(seeds: readonly number[], next: (node: number) => readonly number[]): ReadonlyMap<number, number> {
    return groupsOf(seeds, (node) => {
      this.#count();
      return next(node);
    });
  }
}
