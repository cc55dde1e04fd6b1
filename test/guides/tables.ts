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

/** One table: the cells of its head, and those of each row. */
export type Table = () => { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** A table of names with their meanings. */
function meanings(name: string, meaning: string, rows: Readonly<Record<string, string>>): ReturnType<Table> {
  return { head: [name, meaning], rows: Object.entries(rows).map(([key, text]) => [code(key), text]) };
}

/** The keys of `codegen.ts`, and what each must be. */
function keysTable(at: string, keys: Readonly<Record<string, Key>>): ReturnType<Table> {
  const rows = Object.entries(keys).map(([name, { must }]) => [code(at + name), must]);
  return { head: ['Key', 'Value'], rows };
}

const code = (text: string): string => `\`${text}\``;

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
  settings: () => ({
    head: ['Setting', 'Default', 'Meaning'],
    rows: Object.values<Setting<unknown>>(settingsTable).map(({ name, byDefault, meaning }) => [
      code(name),
      byDefault,
      meaning,
    ]),
  }),
  metrics: () => ({
    head: ['Metric', 'Type', 'Labels', 'Meaning'],
    rows: Object.values<MetricRow>(metricsTable).map(({ name, kind, labels, help }) => [
      code(name),
      kind,
      labels.map(code).join(', '),
      help,
    ]),
  }),
  'audit-actions': () => meanings('Action', 'Meaning', auditActions),
  'unsupported-features': () => meanings('Name', 'The unsupported part', UNSUPPORTED_FEATURES),
  'config-keys': () => keysTable('', API_KEYS),
  'section-keys': () => {
    const sections = Object.entries(SECTION_KEYS).map(([name, { keys }]) => keysTable(`${name}.`, keys));
    return { head: sections[0]?.head ?? [], rows: sections.flatMap(({ rows }) => rows) };
  },
  'harmless-faults': () => meanings('Name', 'The fault', HARMLESS_FAULTS),
  faults: () => meanings('Name', 'The fault', FAULTS),
  changes: () => meanings('Kind', 'The change', CHANGE_KINDS),
  'verify-rules': () => meanings('Rule', 'Broken if', RULES),
  keywords: () => {
    const [in30, in31] = ['3.0.3', '3.1.0'].map((openapi) => dialectOf({ openapi }).keywords);
    const names = [...new Set([...(in31?.keys() ?? []), ...(in30?.keys() ?? [])])].sort();
    return {
      head: ['Keyword', 'Value in OpenAPI 3.0', 'Value in 3.1 and 3.2', 'Restricts'],
      rows: names.map((name) => [
        code(name),
        in30?.get(name)?.expects ?? '',
        in31?.get(name)?.expects ?? '',
        restrictedType(name as Keyword) ?? '',
      ]),
    };
  },
  formats: () => ({
    head: ['Format', 'Restricts'],
    rows: Object.entries(FORMATS).map(([name, { tests }]) => [
      code(name),
      Object.keys(tests)
        .map((type) => `${type}s`)
        .join(' and ') || 'nothing',
    ]),
  }),
  rights: () => ({
    head: ['Action', '`openPolicy`', '`protectedPolicy`'],
    rows: (Object.keys(openPolicy) as Action[]).map((action) => [
      code(action),
      ...[openPolicy[action], protectedPolicy[action]].map((row) =>
        Array.isArray(row) ? row.join(', ') : 'a rule',
      ),
    ]),
  }),
  'answer-problems': () => ({
    head: ['Kind', 'Its sentence, for example'],
    rows: (Object.keys(SENTENCES) as ResponseProblem['kind'][]).map((kind) => [
      code(kind),
      sentenceOf({
        kind,
        place: '',
        ...DETAILS,
        ...(kind === 'wrong-allow' && { expected: 'GET, HEAD, OPTIONS' }),
      } as ResponseProblem),
    ]),
  }),
  'error-codes': () => ({
    head: ['Code', 'REST', 'GraphQL', 'Meaning'],
    rows: (Object.keys(ERROR_CODES) as ErrorCode[]).map((name) => [
      code(name),
      String(problemOf(new ServiceError(name, '')).status),
      code(GRAPHQL_CODES[name]),
      ERROR_CODES[name],
    ]),
  }),
};
