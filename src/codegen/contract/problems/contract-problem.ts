/** The problems and notices of contracts: faults, and valid parts that the generator does not support, each with its place. */

import { type FeatureName, isHarmless, type NoteKind } from './features.js';

interface Place {
  /** Path of the file relative to the working directory, or its URL. */
  readonly file: string;
  /** From 1; absent if the place is not known. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
  /**
   * JSON Pointer. For a feature, it points into the contract as one document, as the places in `accept` do. For a fault that the
   * parser or linter found, it points into the file. Absent for GraphQL schemas.
   */
  readonly pointer?: string;
  /** One sentence. */
  readonly message: string;
}

/** A fault of a contract, or a feature that the generator does not support. */
export type ContractProblem = Place &
  (
    | {
        /** The name of the unsupported feature or the harmless fault, as `accept` spells it. */
        readonly feature: FeatureName;
        readonly fault?: never;
      }
    | {
        /** The kind of fault. */
        readonly fault: FaultKind;
        readonly feature?: never;
      }
  );

/**
 * Thrown when nothing can be generated from the contracts; `message` has one line per problem.
 *
 * @example
 * ```ts
 * import { ContractError, generate } from 'concordat';
 *
 * try {
 *   await generate({ openapi: 'openapi.yaml' });
 * } catch (error) {
 *   if (!(error instanceof ContractError)) throw error;
 *   for (const { feature, fault, file, line } of error.problems) console.error(feature ?? fault, file, line);
 * }
 * ```
 */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  /** At least one, without duplicates: those of the OpenAPI document, then those of the GraphQL schema. */
  readonly problems: readonly ContractProblem[];
  /** The exit code of a program: 2 if not the contract is wrong, but the choice of its operations. */
  readonly exitCode: 1 | 2;

  constructor(problems: readonly ContractProblem[]) {
    const lines = new Map(problems.map((problem) => [describeProblem(problem), problem]));
    const features = [...new Set([...lines.values()].flatMap(({ feature }) => feature ?? []))];
    const advice = `Change the contract, or accept unsupported features by name: ${features.join(', ')}`;
    super([...lines.keys(), ...(features.length > 0 ? [advice] : [])].join('\n'));
    this.problems = [...lines.values()];
    this.exitCode = this.problems.every(({ fault }) => fault === 'unknown-choice') ? 2 : 1;
  }
}

/** `openapi.yaml:12:7 unsupported feature servers at #/paths/~1a/post/servers: …` */
export function describeProblem(problem: ContractProblem): string {
  const { file, line, column, pointer, feature, fault, message } = problem;
  const position = line === undefined ? '' : `:${line}:${column ?? 1}`;
  const what = feature === undefined ? fault : `${kindOf(feature)} ${feature}`;
  return `${file}${position} ${what}${pointer === undefined ? '' : ` at ${pointer}`}: ${message}`;
}

function kindOf(feature: FeatureName): string {
  return isHarmless(feature) ? 'harmless fault' : 'unsupported feature';
}

/**
 * Finds the unsupported features that are not accepted, and the acceptances that match no feature, as faults.
 *
 * @param accepted - names of features (`unknown-format`), or a feature at one place
 *   (`unknown-format at #/components/schemas/A/format`)
 */
export function applyAcceptances<Found extends Pick<ContractProblem, 'feature' | 'pointer'>>(
  file: string,
  found: readonly Found[],
  accepted: readonly string[],
): { readonly open: readonly Found[]; readonly unused: readonly ContractProblem[] } {
  const keysOf = ({ feature, pointer = '' }: Found): readonly string[] =>
    feature === undefined ? [] : [feature, `${feature} at ${pointer}`];
  const met = new Set(found.flatMap(keysOf));
  return {
    open: found.filter((each) => !keysOf(each).some((key) => accepted.includes(key))),
    unused: accepted
      .filter((key) => !met.has(key))
      .map((key) => ({
        fault: 'unused-acceptance',
        file,
        message: `"${key}" is accepted, and the contract has no such unsupported feature`,
      })),
  };
}

export interface Position {
  /** Path of the file relative to the working directory, or its URL. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** A notice at a place of one document. */
export interface Notice {
  readonly kind: NoteKind;
  /** JSON Pointer. */
  readonly at: string;
  /** One sentence. */
  readonly message: string;
}

/** A notice with its place in the files. */
export interface ContractNotice extends Position {
  readonly kind: NoteKind;
  /** JSON Pointer into the contract as one document. */
  readonly pointer: string;
  readonly message: string;
}

/** `openapi.yaml:12:7 note unfit-refusal at #/components/responses/BadRequest: …` */
function describeNotice({ kind, file, line, column, pointer, message }: ContractNotice): string {
  return `${file}:${line}:${column} note ${kind} at ${pointer}: ${message}`;
}

/**
 * A line for each notice, or for each kind: the first of it, and the number of others.
 *
 * @param isVerbose - whether every notice has its line
 */
export function describeNotices(notices: readonly ContractNotice[], isVerbose = false): readonly string[] {
  if (isVerbose) return notices.map(describeNotice);
  return [...new Set(notices.map(({ kind }) => kind))].flatMap((kind) => {
    const [first, ...others] = notices.filter((each) => each.kind === kind);
    if (first === undefined) return [];
    const more =
      others.length === 0 ? '' : ` (and ${others.length} more: concordat check --verbose lists them)`;
    return `${describeNotice(first)}${more}`;
  });
}

/** The kinds of faults, each with its meaning. */
export const FAULTS = {
  'missing-file': 'a file is missing or cannot be read',
  'too-deep': 'references of a document lead on and on, too far to be followed',
  'invalid-syntax': 'the text is not YAML, JSON or SDL',
  'unsupported-version': 'the document is not OpenAPI 3.0, 3.1 or 3.2',
  'invalid-structure': 'a part of an OpenAPI document breaks the specification',
  'invalid-schema': 'the GraphQL schema is not valid',
  'unresolved-reference': 'a `$ref` or the name of a security scheme has no target, or a `$ref` is circular',
  duplicate: 'two parts of a document have the same name or meaning',
  'invalid-leniency': 'an `x-lenient` cannot be honoured',
  'invalid-extension':
    'an `x-stream`, `x-body-limit`, `x-deprecation`, `x-stored` or `x-filter` cannot be honoured',
  'unused-acceptance': '`accept` names a feature that the contract does not use',
  'unknown-choice': '`only` or `except` has a selector that selects no operation',
  'generator-failure': 'the generator itself failed',
} as const;

export type FaultKind = keyof typeof FAULTS;

/** A fault at a place of one document. */
export interface Fault {
  readonly fault: FaultKind;
  /** JSON Pointer. */
  readonly at: string;
  readonly message: string;
}

/** Thrown when reading cannot continue after a fault. A reader of several parts catches it and reads the next part. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(fault: FaultKind, at: string, message: string) {
    super(`${at}: ${message}`);
    this.fault = { fault, at, message };
  }
}

/** Runs a step of the generator for a part of the document. The message of an error of the generator begins with the place of the part. */
export function atPlace<T>(at: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const isPlaced = error instanceof FaultError || error instanceof RangeError;
    if (isPlaced || !(error instanceof Error) || error.message.startsWith('#')) throw error;
    throw new Error(`${at}: ${error.message}`, { cause: error });
  }
}

/** A valid part of a contract that the generator does not support; it stops generation unless the team accepts it, or it is a notice. */
export interface UnsupportedFeature {
  readonly feature: FeatureName;
  /** JSON Pointer to the place in the contract: `#/components/schemas/Pet/format`. */
  readonly at: string;
  /** One sentence that describes the unsupported part. */
  readonly message: string;
  /** True at a place where this feature changes nothing that a user relies on. */
  readonly isNotice?: boolean;
}
