/** The tables of the guides, made from the tables in the code. */

import { type Keyword, restrictedType } from '@concordat/runtime/parts';
import { FORMATS } from '../../src/codegen/checks/formats/format-table.js';
import { FAULTS } from '../../src/codegen/contract/problems/contract-problem.js';
import { HARMLESS_FAULTS, UNSUPPORTED_FEATURES } from '../../src/codegen/contract/problems/features.js';
import { API_KEYS, type Key, SECTION_KEYS } from '../../src/codegen/generator/config-keys.js';
import { dialectOf } from '../../src/codegen/contract/schemas/dialect.js';
import { CHANGE_KINDS } from '../../src/tools/diff/change/change.js';
import { RULES } from '../../src/tools/verify/run/verify-report.js';
import { auditActions } from '../../src/core/model/audit.js';
import { ERROR_CODES, type ErrorCode, ServiceError } from '../../src/core/model/error.js';
import { problemOf } from '../../src/core/operations/rest-engine.js';
import { type Action, openPolicy, protectedPolicy } from '../../src/core/services/rights/policy.js';
import { GRAPHQL_CODES } from '../../src/core/resolvers/graphql-engine.js';
import {
  SENTENCES,
  type ResponseProblem,
  sentenceOf,
} from '../../src/runtime/rest/responses/response-problem.js';
import type { Setting } from '../../src/service/settings/setting.js';
import { settingsTable } from '../../src/service/settings/settings.js';
import { type MetricRow, metricsTable } from '../../src/service/watch/metrics-table.js';

/** The Markdown of one list. */
export type Table = () => string;

const code = (text: string): string => `\`${text}\``;

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** A list of names with their meanings. */
function meanings(rows: Readonly<Record<string, string>>): string {
  return list(Object.entries(rows).map(([name, meaning]) => `${code(name)}: ${meaning}`));
}

/** A list of what names have in common, each with the names. */
function groups(rows: readonly (readonly [name: string, common: string])[]): string {
  const names = new Map<string, string[]>();
  for (const [name, common] of rows) names.set(common, [...(names.get(common) ?? []), code(name)]);
  return list([...names].map(([common, those]) => `${common}: ${those.join(', ')}`));
}

/** Details of problems of answers, as examples. */
const DETAILS = {
  ...{ method: 'PUT', expected: 405, given: 'GET', status: 418, name: 'X-Total', limit: 1_048_576 },
  ...{
    mediaType: 'text/html',
    contentType: 'text/html',
    keyword: 'type',
    detail: 'body/name must be string',
  },
  reason: 'the body is not application/json: …',
};

/** By the name that a guide uses. */
export const tables: Readonly<Record<string, Table>> = {
  settings: () =>
    list(
      Object.values<Setting<unknown>>(settingsTable).map(
        ({ name, byDefault, meaning }) => `${code(name)} (${byDefault}): ${meaning}`,
      ),
    ),
  metrics: () =>
    list(
      Object.values<MetricRow>(metricsTable).map(({ name, kind, labels, help }) => {
        const by = labels.length === 0 ? '' : ` by ${labels.map(code).join(', ')}`;
        return `${code(name)} (${kind}${by}): ${help}`;
      }),
    ),
  'audit-actions': () => meanings(auditActions),
  'unsupported-features': () => meanings(UNSUPPORTED_FEATURES),
  'config-keys': () => groups(Object.entries<Key>(API_KEYS).map(([name, { must }]) => [name, must])),
  'section-keys': () =>
    groups(
      Object.entries(SECTION_KEYS).flatMap(([section, { keys }]) =>
        Object.entries<Key>(keys).map(([name, { must }]) => [`${section}.${name}`, must] as const),
      ),
    ),
  'harmless-faults': () => meanings(HARMLESS_FAULTS),
  faults: () => meanings(FAULTS),
  changes: () => meanings(CHANGE_KINDS),
  'verify-rules': () => meanings(RULES),
  keywords: () => {
    const [in30, in31] = ['3.0.3', '3.1.0'].map((openapi) => dialectOf({ openapi }).keywords);
    const names = [...new Set([...(in31?.keys() ?? []), ...(in30?.keys() ?? [])])].sort();
    return groups(
      names.map((name) => {
        const type = restrictedType(name as Keyword);
        const versions = in30?.has(name)
          ? in31?.has(name)
            ? ''
            : ', in OpenAPI 3.0 only'
          : ', from OpenAPI 3.1 on';
        return [name, (type === undefined ? 'Of any value' : `Of each ${type}`) + versions];
      }),
    );
  },
  formats: () =>
    groups(
      Object.entries(FORMATS).map(([name, { tests }]) => {
        const types = Object.keys(tests).map((type) => `${type}s`);
        return [name, types.length === 0 ? 'Restricts nothing' : `Restricts ${types.join(' and ')}`];
      }),
    ),
  rights: () =>
    list(
      (Object.keys(openPolicy) as Action[]).map((action) => {
        const [open, guarded] = [openPolicy[action], protectedPolicy[action]].map((row) =>
          Array.isArray(row) ? row.join(', ') : 'a rule',
        );
        return `${code(action)}: ${open === guarded ? open : `${open} → ${guarded}`}`;
      }),
    ),
  'answer-problems': () =>
    list(
      (Object.keys(SENTENCES) as ResponseProblem['kind'][]).map((kind) => {
        const example = {
          kind,
          place: '',
          ...DETAILS,
          ...(kind === 'wrong-allow' && { expected: 'GET, HEAD, OPTIONS' }),
        } as ResponseProblem;
        return `${code(kind)}: ${sentenceOf(example)}`;
      }),
    ),
  'error-codes': () =>
    list(
      (Object.keys(ERROR_CODES) as ErrorCode[]).map((name) => {
        const { status } = problemOf(new ServiceError(name, ''));
        return `${code(name)} (${String(status)}, ${code(GRAPHQL_CODES[name])}): ${ERROR_CODES[name]}`;
      }),
    ),
};
