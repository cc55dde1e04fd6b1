/** Finds the declared error responses that do not accept the body that the engine writes when it refuses a request. */

import { type Json, findByMediaType, findByStatus } from '@concordat/runtime';
import type { OpenApiDocument } from '../contract/schemas/document.js';
import type { Notice } from '../contract/problems/contract-problem.js';
import type { ContractModel, MediaTypeModel, OperationModel } from '../contract/model/model.js';
import { type CompileOptions, checksAt } from '../checks/schemas/compile-validators.js';
import { byStatus, responsePlace } from '../contract/model/responses.js';

/** An example of a body that the service's `problems` writes, by media type. */
export type ProblemExamples = Readonly<Record<string, Json>>;

/**
 * One notice per declared response that does not accept a refusal of the engine, with the operations that declare it. Statuses that an
 * operation does not declare are skipped.
 *
 * @param examples - problem details (RFC 9457) unless given
 * @param isInstalled - whether a place was written in an installed package: its operations are counted, not named
 */
export async function refusalNotices(
  document: OpenApiDocument,
  contract: ContractModel,
  examples: ProblemExamples | undefined,
  options: CompileOptions,
  isInstalled: (pointer: string) => boolean,
): Promise<readonly Notice[]> {
  const refusals = contract.operations.flatMap((operation) =>
    statusesOf(operation).flatMap((status) => refusalOf(operation, status, examples)),
  );
  const schemas = new Set(refusals.flatMap(({ media }) => media?.node?.at ?? []));
  const checks = await checksAt(document, [...schemas], 'response', options);
  const faults = new Map<string, Unfit>();
  for (const { operation, status, at, mediaType, media, example } of refusals) {
    const check = media?.node === undefined ? undefined : checks.get(media.node.at);
    if (media !== undefined && check?.(structuredClone(example)) !== false) continue;
    const fault = faults.get(at) ?? new Unfit();
    faults.set(at, fault);
    fault.mediaTypes.add(mediaType);
    fault.statuses.add(status);
    (isInstalled(operation.pointer) ? fault.installed : fault.own).add(operation.id);
  }
  return [...faults].map(([at, { mediaTypes, statuses, own, installed }]) => {
    const what = `does not accept the ${shortList(mediaTypes)} that the engine sends with ${shortList(statuses)}`;
    const message = `${what}, of ${operationsText(own, installed.size)}: ${ADVICE}`;
    return { kind: 'unfit-refusal', at, message };
  });
}

/** The refusals that a response does not accept. */
class Unfit {
  readonly mediaTypes = new Set<string>();
  readonly statuses = new Set<string>();
  /** The operations of the author's own files. */
  readonly own = new Set<string>();
  /** Those of installed packages. */
  readonly installed = new Set<string>();
}

/** `a, b and 49 operations of installed packages`. */
function operationsText(own: ReadonlySet<string>, installed: number): string {
  const others = `${installed} ${installed === 1 ? 'operation' : 'operations'} of installed packages`;
  return [...(own.size === 0 ? [] : [shortList(own)]), ...(installed === 0 ? [] : [others])].join(' and ');
}

/** The first texts, and the number of the others. */
function shortList(texts: ReadonlySet<string>): string {
  const all = [...texts];
  return all.length > 4 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ');
}

const ADVICE = 'give the engine `problems` that fit, and the generator an example of their output';

/** One refusal of the engine, and the contract's declaration of its media type. */
interface Refusal {
  readonly operation: OperationModel;
  readonly status: string;
  /** The place of the response. */
  readonly at: string;
  readonly mediaType: string;
  readonly media: MediaTypeModel | undefined;
  readonly example: Json;
}

/** The statuses with which the engine itself may refuse a request of the operation. */
function statusesOf({ parameters, requestBody, security }: OperationModel): readonly string[] {
  const asksForCredential = security.length > 0 && security.every((each) => Object.keys(each).length > 0);
  return [
    ...(parameters.length > 0 || requestBody !== undefined ? ['400'] : []),
    ...(asksForCredential ? ['401'] : []),
    ...(requestBody === undefined ? [] : ['413', '415']),
  ];
}

function refusalOf(
  operation: OperationModel,
  status: string,
  examples: ProblemExamples = { 'application/problem+json': problemDetails(status) },
): readonly Refusal[] {
  const response = findByStatus(byStatus(operation.responses), status);
  if (response === undefined) return [];
  const content = new Map(response.content.map((media) => [media.mediaType, media]));
  const at = responsePlace(operation, response);
  return Object.entries(examples).map(([mediaType, example]) => {
    return { operation, status, at, mediaType, media: findByMediaType(content, mediaType), example };
  });
}

/** The problem details that the engine writes by default. */
function problemDetails(status: string): Json {
  const detail = 'query/limit must be integer';
  const errors = [{ pointer: '/query/limit', keyword: 'type', detail }];
  const head = { type: 'about:blank', title: 'Bad Request', status: Number(status), detail };
  return status === '400' ? { ...head, errors } : head;
}
