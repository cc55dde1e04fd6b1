/** The stored fields of a deployer's own contract: what clients give them, and what answers must have. */

import { fileURLToPath } from 'node:url';
import { generate } from 'concordat';
import type { contract as coreContract } from '../../generated/routing.js';
import type * as coreChecks from '../../generated/response-validators.js';
import { loadModules } from '../codegen/generated-modules.js';
import { type Answer, type Call, Fault, isSentAgain, same } from './calls.js';
import type { Model } from './model.js';
import type { StoredValues } from './webhook-model.js';
import type { Random } from './random.js';

export interface FieldsContract {
  readonly contract: typeof coreContract;
  readonly checks: typeof coreChecks;
}

let compiled: Promise<FieldsContract> | undefined;

/** Compiles the contract, once per process. */
export const fieldsContract = (): Promise<FieldsContract> => (compiled ??= compile());

async function compile(): Promise<FieldsContract> {
  const files = await generate({ openapi: fileURLToPath(new URL('fields.yaml', import.meta.url)) });
  const { exports } = loadModules(files);
  const { contract } = exports['routing.ts'] as { readonly contract: typeof coreContract };
  return { contract, checks: exports['response-validators.ts'] as typeof coreChecks };
}

const collections = /^\/api\/(?:users|products|orders|comments)$/;

/** Gives the fields of a new or replaced record some values. */
export function withFields(random: Random, { keyed }: Model, call: Call): Call {
  // A repeat is the same as what it repeats.
  const key = call.headers?.['idempotency-key'];
  if ([...keyed.values()].some((each) => each.key === key)) return call;
  const isWrite =
    (call.method === 'POST' && collections.test(call.path)) ||
    (call.method === 'PUT' && /^\/api\/(?:users|products|orders)\/\d+$/.test(call.path));
  if (!isWrite || typeof call.body !== 'object' || call.body === null || random.chance(0.3)) return call;
  const fields = {
    ...(random.chance(0.5) && { shelf: random.pick(['A', "b'7", '__proto__', '400']) }),
    ...(random.chance(0.5) && { level: random.pick(['low', 'high']) }),
    ...(random.chance(0.5) && { note: random.pick([null, random.text(20)]) }),
    ...(random.chance(0.5) && { internalNote: 'not to be seen' }),
  };
  return { ...call, body: { ...call.body, ...fields } };
}

/** The collection of the records of an answer; undefined if it has none with fields. */
function kindOf(path: string): string | undefined {
  if (/^\/api\/v\d|categories|\/items\//.test(path)) return undefined;
  if (path.startsWith('/api/profile')) return 'users';
  const names = path.split('?')[0]?.match(/(?<=\/)(?:users|products|orders|comments)(?=\/|$)/g);
  return names?.at(-1);
}

/** @throws {@link Fault} unless the records of an answer have the values that were stored last */
export function judgeFields(model: Model, call: Call, answer: Answer): void {
  const kind = kindOf(call.path);
  const query = new URL(call.path, 'http://localhost').searchParams;
  const asked = call.headers?.['x-api-version'] || call.headers?.['accept'];
  const isVersion = query.has('version') || /vnd|\d/.test(asked ?? '');
  if (kind === undefined || isVersion || answer.status > 299 || typeof answer.body !== 'object') return;
  const body = answer.body as { readonly id?: string; readonly data?: unknown };
  const isNew = call.method === 'POST' && collections.test(call.path);
  const isReplay = answer.headers.get('idempotency-replayed') === 'true';
  if ((isNew && (!isReplay || isSentAgain(call))) || call.method === 'PUT') {
    const { shelf, level, note } = call.body as StoredValues;
    model.stored.set(`${kind} ${String(body.id)}`, { shelf, level, note });
  }
  const records = Array.isArray(answer.body) ? (answer.body as unknown[]) : [body.data ?? body].flat();
  for (const record of records as readonly (StoredValues & { readonly id: string })[]) {
    const { shelf, level = 'low', note } = model.stored.get(`${kind} ${record.id}`) ?? {};
    const answered = { shelf: record.shelf, level: record.level, note: record.note };
    same(`the fields of ${kind} ${record.id}`, answered, { shelf, level, note });
    if ('internalNote' in record || 'score' in record) throw new Fault(`${kind} ${record.id} shows too much`);
  }
}
