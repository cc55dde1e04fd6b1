/**
 * Generated checks beside Ajv's own code for the same schemas, on the examples that contracts give.
 * `npm run bench -- schema-checks [openapi file …]`; without a file, this service's contract.
 */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { loadContract } from '../../src/codegen/contract/load/load.js';
import { type OpenApiDocument, isObject } from '../../src/codegen/contract/schemas/document.js';
import {
  compileValidators,
  type ValidatorRequest,
} from '../../src/codegen/checks/schemas/compile-validators.js';
import { joinPointer, resolvePointer } from '../../src/codegen/text/pointer.js';
import { median } from './compare.js';

const ROUNDS = 5;
/** How long one measurement goes on. */
const MICROSECONDS = 3_000;
/** As many examples of a contract as are measured. */
const SAMPLES = 50;

interface Sample {
  readonly pointer: string;
  readonly direction: 'request' | 'response';
  readonly value: unknown;
}

type Check = (value: unknown) => boolean;

/** The bodies of a document that have both a schema and an example. */
function* samplesIn(
  value: unknown,
  document: OpenApiDocument,
  at = '#',
  direction: Sample['direction'] = 'response',
): Generator<Sample> {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value) && 'schema' in value) {
    for (const example of examplesOf(value, document))
      yield { pointer: joinPointer(at, 'schema'), direction, value: example };
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === 'parameters') continue;
    yield* samplesIn(member, document, joinPointer(at, key), key === 'requestBody' ? 'request' : direction);
  }
}

function examplesOf(media: Readonly<Record<string, unknown>>, document: OpenApiDocument): readonly unknown[] {
  if ('example' in media) return [media['example']];
  const named = isObject(media['examples']) ? Object.values(media['examples']) : [];
  return named.flatMap((each) => {
    const found =
      isObject(each) && typeof each['$ref'] === 'string' ? resolvePointer(document, each['$ref']) : each;
    return isObject(found) && 'value' in found ? [found['value']] : [];
  });
}

async function generatedChecks(
  document: OpenApiDocument,
  samples: readonly Sample[],
): Promise<readonly Check[]> {
  const wanted = samples.map(({ pointer, direction }, index): ValidatorRequest => ({
    name: `sample${String(index)}_`,
    schema: { pointer },
    direction,
  }));
  const { requests, responses } = compileValidators(document, wanted);
  const modules = await Promise.all([imported(requests.js), imported(responses.js)]);
  return wanted.map(({ name }) => modules[0][name] ?? modules[1][name] ?? (() => true));
}

async function imported(js: string): Promise<Readonly<Record<string, Check>>> {
  return (await import(`data:text/javascript,${encodeURIComponent(js)}`)) as Readonly<Record<string, Check>>;
}

function ajvChecks(document: OpenApiDocument, samples: readonly Sample[]): readonly Check[] {
  const Dialect = document.openapi.startsWith('3.0.') ? Ajv : Ajv2020;
  const ajv = new Dialect({ strict: false, strictNumbers: true, validateSchema: false, logger: false });
  for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format);
  ajv.addSchema({ $id: 'document', ...(withoutLoneNullable(document) as object) });
  return samples.map(({ pointer }) => {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/').replace(/^%23/, '#');
    const check = ajv.compile({ $ref: `document${fragment}` });
    return (value) => check(value);
  });
}

/** Ajv does not compile `nullable` beside no `type`, where it means nothing. */
function withoutLoneNullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLoneNullable);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'nullable' || 'type' in value);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutLoneNullable(member)]));
}

/** Nanoseconds of processor time that a check of a value takes: others on the machine do not count. */
function cost(check: Check, value: unknown): number {
  for (let calls = 64; ; calls *= 2) {
    const began = process.cpuUsage();
    for (let n = 0; n < calls; n += 1) check(value);
    const { user, system } = process.cpuUsage(began);
    if (user + system > MICROSECONDS) return (1000 * (user + system)) / calls;
  }
}

const files = process.argv.slice(2);
for (const file of files.length === 0 ? ['openapi.yaml'] : files) {
  // One JSON document needs no bundling, which takes longer than all the measuring.
  const document = file.endsWith('.json')
    ? (JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument)
    : (await loadContract(file)).document;
  const all = [...samplesIn(document.paths, document, '#/paths')].slice(0, SAMPLES);
  const [ours, ajv] = [await generatedChecks(document, all), ajvChecks(document, all)];
  const both = all.flatMap(({ value, pointer }, index) => {
    const [mine, theirs] = [ours[index], ajv[index]];
    const isValid = mine !== undefined && theirs !== undefined && mine(value) && theirs(value);
    return isValid ? [{ mine, theirs, value, pointer }] : [];
  });
  const ratios = both.map(({ mine, theirs, value, pointer }) => {
    const rounds = Array.from({ length: ROUNDS }, () => [cost(theirs, value), cost(mine, value)] as const);
    // What disturbs the machine only ever adds.
    const theirTime = Math.min(...rounds.map(([each]) => each));
    const myTime = Math.min(...rounds.map(([, each]) => each));
    return { ratio: theirTime / myTime, theirTime, myTime, pointer };
  });
  const sum = (key: 'theirTime' | 'myTime'): number => ratios.reduce((total, each) => total + each[key], 0);
  ratios.sort((a, b) => a.ratio - b.ratio);
  console.log(`${file}: ${String(both.length)} of ${String(all.length)} examples are valid for both`);
  console.log(`  all of them: ${(sum('theirTime') / sum('myTime')).toFixed(2)} times as fast as Ajv`);
  console.log(`  the median: ${median(ratios.map(({ ratio }) => ratio)).toFixed(2)} times`);
  for (const { ratio, pointer, theirTime, myTime } of ratios.slice(0, 5))
    console.log(
      `  ${ratio.toFixed(2)} (${myTime.toFixed(0)} ns, Ajv ${theirTime.toFixed(0)} ns): ${pointer}`,
    );
}
