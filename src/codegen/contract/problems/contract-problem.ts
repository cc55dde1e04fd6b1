/** The problems and notices of contracts, each with its place in a file. */

import type { FaultKind } from './fault.js';
import { type FeatureName, isHarmless } from './features.js';

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

  constructor(problems: readonly ContractProblem[]) {
    const lines = new Map(problems.map((problem) => [describeProblem(problem), problem]));
    const features = [...new Set([...lines.values()].flatMap(({ feature }) => feature ?? []))];
    const advice = `Change the contract, or accept unsupported features by name: ${features.join(', ')}`;
    super([...lines.keys(), ...(features.length > 0 ? [advice] : [])].join('\n'));
    this.problems = [...lines.values()];
  }
}

/** `openapi.yaml:12:7 unsupported feature servers at #/paths/~1a/post/servers: …` */
function describeProblem({ file, line, column, pointer, feature, fault, message }: ContractProblem): string {
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
  /** JSON Pointer. */
  readonly at: string;
  /** One sentence. */
  readonly message: string;
}

/** A notice with its place in the files. */
export interface ContractNotice extends Position {
  /** JSON Pointer into the contract as one document. */
  readonly pointer: string;
  readonly message: string;
}

/** `openapi.yaml:12:7 note at #/components/responses/BadRequest: …` */
export function describeNotice({ file, line, column, pointer, message }: ContractNotice): string {
  return `${file}:${String(line)}:${String(column)} note at ${pointer}: ${message}`;
}
