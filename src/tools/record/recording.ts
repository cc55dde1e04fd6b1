/** All that was seen of a server, by path and method, in bounded memory. */

import { Secrets, isSecretSegment, isSensitiveName } from '@concordat/runtime/observe';
import { RecordedOperation } from './observed/recorded-operation.js';
import { PlaceBudget } from './observed/observed-value.js';
import { percentDecoded } from 'concordat/contract';
import { isVariableSegment } from './observed/names.js';
import {
  type PathNode,
  type RecordedPath,
  fits,
  foldRefused,
  isAccepted,
  mergeSiblings,
  newNode,
  pathsOf,
  prune,
  sizeOf,
  takeAsValue,
} from './observed-paths.js';
import { Callers } from './observed/callers.js';
import { callerOf, credentialsOf } from './observed/credentials.js';
import type { Exchange } from './observed/observed-body.js';

interface RecordingOptions {
  /** The path that the paths of the document follow, such as `/v1`; empty if there is none. */
  readonly basePath?: string;
  /** Paths that are known, such as `/users/{name}`. */
  readonly templates?: readonly string[];
  /** The most places of parameters and JSON values that are kept. */
  readonly mostPlaces?: number;
  /** The most paths that are kept. */
  readonly mostPaths?: number;
}

const MOST_SEGMENTS = 30;
/** More words in one place are values, such as the names of users. */
const MOST_WORDS = 100;

/** The methods of a path item. OPTIONS and TRACE are those of servers and proxies. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

export class Recording {
  readonly #root = newNode();
  readonly #templates: readonly (readonly string[])[];
  readonly #budget: PlaceBudget;
  readonly secrets = new Secrets();
  /** The callers whose requests were accepted. */
  readonly callers = new Callers();
  readonly #most: number;
  #paths: number;
  /** Whether there is neither memory for a path nor one to give up. */
  #isFull = false;
  /** How many exchanges were seen. */
  exchanges = 0;
  /** How many of them belong to no path that could be kept. */
  ignored = 0;

  constructor(private readonly options: RecordingOptions = {}) {
    const { templates = [], mostPlaces = 100_000, mostPaths = 4000 } = options;
    this.#templates = templates.map((template) => template.split('/').slice(1));
    this.#budget = new PlaceBudget(mostPlaces);
    this.#most = mostPaths;
    this.#paths = mostPaths;
  }

  /** How many bodies were too large, or could not be understood. */
  get unread(): number {
    return this.#budget.unread;
  }

  add(exchange: Exchange): void {
    this.exchanges += 1;
    const { method, target, requestHeaders, responseHeaders, address } = exchange;
    const query = new URLSearchParams(target.split('?').slice(1).join('?'));
    const credentials = credentialsOf(requestHeaders, query);
    this.secrets.addHeads(requestHeaders, responseHeaders);
    for (const { value } of credentials) this.secrets.addCredential(value);
    const caller = callerOf(credentials, requestHeaders, address);
    const operation = METHODS.has(method) ? this.#operationOf(exchange, caller) : undefined;
    if (operation === undefined) this.ignored += 1;
    else operation.add(exchange, query, credentials, caller);
  }

  #operationOf({ method, target, status }: Exchange, caller: string): RecordedOperation | undefined {
    const segments = this.#segmentsOf(target);
    if (segments === undefined) return undefined;
    if (status < 400) this.callers.add(caller);
    const template = this.#templates.find((each) => fits(each, segments));
    let node = this.#root;
    for (const [index, segment] of segments.entries()) {
      const isValue =
        template === undefined ? isVariableSegment(segment) : template[index]?.includes('{') === true;
      const next = this.#nextOf(node, segment, isValue);
      if (next === undefined) return undefined;
      if (status < 400) next.callers.add(caller);
      // The values of `/tokens/{token}` are secrets.
      if (status < 400 && next === node.parameter) {
        const isSensitive = isSensitiveName(segments[index - 1] ?? '');
        next.values.add(percentDecoded(segment), { caller, isSensitive });
      }
      node = next;
    }
    const known = node.operations.get(method);
    if (known !== undefined) return known;
    const made = new RecordedOperation(this.#budget);
    node.operations.set(method, made);
    return made;
  }

  /** The segments after the base path; undefined for a target that is not below it, or that is no path. */
  #segmentsOf(target: string): readonly string[] | undefined {
    const { basePath = '' } = this.options;
    const path = target.replace(/[?#].*$/s, '');
    if (!path.startsWith(`${basePath}/`)) return undefined;
    const segments = path.slice(basePath.length + 1).split('/');
    return segments.length > MOST_SEGMENTS ? undefined : segments;
  }

  #nextOf(node: PathNode, segment: string, isValue: boolean): PathNode | undefined {
    const known = node.children.get(segment);
    if (!isValue && known === undefined && node.children.size % MOST_WORDS === MOST_WORDS - 1)
      this.#collapse(node);
    if (isValue || (known === undefined && node.isCollapsed)) {
      node.parameter ??= this.#newNode();
      return node.parameter;
    }
    if (known !== undefined) return known;
    const made = this.#newNode();
    if (made !== undefined) node.children.set(segment, made);
    return made;
  }

  #newNode(): PathNode | undefined {
    if (this.#paths <= 0 && !this.#isFull) {
      prune(this.#root);
      this.#paths = this.#most - sizeOf(this.#root) + 1;
      this.#isFull = this.#paths <= 0;
    }
    if (this.#paths <= 0) return undefined;
    this.#paths -= 1;
    return newNode();
  }

  /** Takes too many words in one place for values: those of requests that were accepted, so that no scan for files counts. */
  #collapse(node: PathNode): void {
    const words = [...node.children].filter(([, child]) => isAccepted(child));
    if (words.length < MOST_WORDS - 1) return;
    node.isCollapsed = true;
    for (const [word, child] of words) {
      node.children.delete(word);
      this.#paths += 1;
      takeAsValue(node, word, child);
    }
  }

  /** Whether a word of a path may be a secret of one caller, such as a name. */
  #isOfFew(word: string, node: PathNode): boolean {
    return word !== '' && !node.callers.areSeveralOf(this.callers) && isAccepted(node);
  }

  /**
   * The paths with a request that was accepted. Words that are values are recognised by their siblings: they differ in digits
   * only, or there are several with the same methods and the same results. Nothing may be added afterwards.
   */
  paths(): readonly RecordedPath[] {
    mergeSiblings(
      this.#root,
      this.#templates.map((template) => ({ template, depth: 0 })),
      (word, before, node) =>
        this.secrets.isCredential(word) || isSecretSegment(before, word) || this.#isOfFew(word, node),
    );
    foldRefused(this.#root);
    return [...pathsOf(this.#root, [], [])];
  }
}
