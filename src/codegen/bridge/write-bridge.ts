/** Writes a bridge between two versions of a document: their code, a module with the conversions to write, and a test. */

import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import type { CodegenOptions } from '../generator/config-keys.js';
import { type GenerateOptions, generateFrom } from '../generator/generate.js';
import { writeFiles } from '../generator/generated-files.js';
import { fromHere } from '../init/contracts.js';
import { Project } from '../init/project.js';
import { readModel } from '../init/rest-parts.js';
import type { OperationModel } from '../contract/model/model.js';
import { ContractError } from '../contract/problems/contract-problem.js';
import {
  type Code,
  NOTHING,
  code,
  joined,
  lineComment,
  operationKey,
  singleQuoted,
  stringLiteral,
} from '../text/code.js';
import { Verbatim } from '../text/literal.js';

/** A change that breaks the requests or the answers of an operation. */
export interface ContractBreak {
  readonly part: 'request' | 'response';
  readonly message: string;
  /** The message that proves it, and why the other version refuses it. */
  readonly proof: readonly string[];
}

export interface BridgeOptions extends Pick<CodegenOptions, 'accept' | 'lenient' | 'allowOrigins'> {
  readonly old: string;
  readonly new: string;
  readonly out: string;
  /** By operation of the old version, such as `GET /users`. */
  readonly breaks: ReadonlyMap<string, readonly ContractBreak[]>;
}

/**
 * @returns the files that were written, and a sentence for each that was there already
 * @throws ContractError with every problem of the documents; then nothing is written
 */
export async function writeBridge(
  options: BridgeOptions,
): Promise<{ readonly written: readonly string[]; readonly notes: readonly string[] }> {
  const { old, new: next, out, breaks, accept = [], ...loading } = options;
  const project = new Project(out);
  const files = [old, next];
  // A feature may be in one of the versions alone; an acceptance that neither needs is reported.
  const read = accept.length === 0 ? [] : files;
  const features = await Promise.all(read.map((openapi) => openFeatures({ ...loading, openapi })));
  const acceptances = features.map((own) =>
    accept.filter((key) => own.includes(key) || !features.flat().includes(key)),
  );
  const versions = files.map((openapi, index) => {
    return { ...loading, openapi, out: join(out, `v${index + 1}`), accept: acceptances[index] ?? [] };
  });
  const generated = await writeFiles(versions);
  const models = [readModel(old, loading), readModel(next, loading)] as const;
  const [{ contract: v1 }, { contract: v2 }] = await Promise.all(models);
  const placeOf = (operation: OperationModel): string => labelOf(operation).replaceAll(/\{[^}]*\}/g, '{}');
  // An operation without a namesake is the one with its method and path.
  const targets = new Map(v2.operations.map((each) => [placeOf(each), each.id]));
  for (const { id } of v2.operations) targets.set(id, id);
  const targetOf = (each: OperationModel): string =>
    targets.get(each.id) ?? targets.get(placeOf(each)) ?? each.id;
  const pairs = v1.operations.map((each) => [each, targetOf(each)] as const);
  const sentences = compilerSays(out, pairs);
  const conversions = pairs.map(([each, target]) =>
    conversionOf(each, target, sentences, breaks.get(labelOf(each)) ?? []),
  );
  const values = {
    OLD: fromHere(old),
    NEW: fromHere(next),
    CONVERT: new Verbatim(joined(conversions)),
    SCHEMES: Object.keys(v2.securitySchemes),
    CREDENTIALS: Object.keys(v1.securitySchemes).map((name) => `${name}=user:password`),
  };
  for (const name of ['bridge.ts', 'bridge.test.ts']) {
    const file = join(out, name);
    await project.create(file, { file: `bridge/${name}`, values });
    if (!project.written.includes(file)) project.notes.push(`${file} exists, and stays as it is`);
  }
  const { written, notes } = project;
  return { written: [...generated.flatMap((each) => each.written), ...written], notes };
}

/** The unsupported features of a document, by name, and by name and place. */
async function openFeatures(options: GenerateOptions): Promise<readonly string[]> {
  const error: unknown = await generateFrom(options).catch((thrown: unknown) => thrown);
  const problems = error instanceof ContractError ? error.problems : [];
  return problems.flatMap(({ feature = '', pointer = '' }) => [feature, `${feature} at ${pointer}`]);
}

function labelOf({ method, path }: OperationModel): string {
  return `${method} ${path}`;
}

const PARTS = [
  ['request', code`request`],
  ['response', code`response`],
  ['handler', code`handler`],
] as const;

/** If more statuses than this need a conversion, as those of `default` do, the skeleton does not list them. */
const MOST_STATUSES = 3;

/**
 * The conversions of an operation, which throw until they are written: those that the compiler requires, and those of a break that the types
 * do not show. Answers that need none are passed on.
 */
function conversionOf(
  operation: OperationModel,
  target: string,
  sentences: readonly string[],
  breaks: readonly ContractBreak[],
): Code {
  const { id } = operation;
  const about = (start: string): readonly string[] =>
    sentences
      .filter((each) => each.startsWith(`convert.${id}${start}`))
      .map((each) => each.slice(`convert.${id}${start}`.length));
  const isServed = about(' needs `to`').length === 0;
  const isRequired = (part: string): boolean =>
    isServed ? about(`.${part} is missing`).length > 0 : part === 'handler';
  const hidden = breaks.filter(({ part }) => isServed && !isRequired(part));
  const lines = [
    ...(isServed && target !== id ? [code`to: ${singleQuoted(target)},`] : []),
    ...(hidden.length > 0
      ? [code`because: ${singleQuoted(hidden.map(({ message }) => message).join('; '))},`]
      : []),
  ];
  for (const [part, member] of PARTS) {
    const proved = isServed ? breaks.filter((each) => each.part === part) : [];
    if (!isRequired(part) && proved.length === 0) continue;
    const differing = part === 'response' ? about(' differs at ') : [];
    const isPart = differing.length > 0 && differing.length <= MOST_STATUSES && about(' fits at ').length > 0;
    const tests = differing.map((each) => code`answer.status !== ${Number(each)}`);
    lines.push(
      ...proved.flatMap(({ message, proof }) => [message, ...proof]).map(lineComment),
      code`${member}: (${isPart ? code`answer` : NOTHING}) => {`,
      ...(isPart ? [code`  if (${joined(tests, code` && `)}) return answer;`] : []),
      code`  throw new Error(${singleQuoted(`Write the ${part} of ${id}`)});`,
      code`},`,
    );
  }
  if (lines.length === 0) return NOTHING;
  const key = operationKey(id).startsWith('"') ? singleQuoted(id) : operationKey(id);
  const members = joined(lines.map((line) => code`        ${line}\n`));
  return code`      ${lineComment(labelOf(operation))}\n      ${key}: {\n${members}      },\n`;
}

/**
 * Asks the compiler which conversions the types of the runtime require, so that what is written compiles.
 *
 * @param folder - it has the code of the old version in `v1`, and of the new one in `v2`
 * @param pairs - the operations of the old version, with the names of those of the new one that serve them
 * @returns its sentences: the faults of a bridge without conversions, and whether answers of a status fit
 */
function compilerSays(
  folder: string,
  pairs: readonly (readonly [OperationModel, string])[],
): readonly string[] {
  const file = join(resolve(folder), 'question.ts');
  const found = ts.findConfigFile(folder, (path) => ts.sys.fileExists(path));
  const read =
    found && (ts.readConfigFile(found, (path) => ts.sys.readFile(path)).config as object | undefined);
  const { options } = ts.parseJsonConfigFileContent(read ?? SETTINGS, ts.sys, dirname(found ?? folder));
  // The runtime of this program fits the code that it has written; the folder may be in no project that has one.
  const runtime = createRequire(import.meta.url)
    .resolve('@concordat/runtime/bridge')
    .replace(/\.js$/, '.d.ts');
  const settings = { ...options, paths: { '@concordat/runtime/bridge': [runtime] }, noEmit: true, types: [] };
  const host = ts.createCompilerHost(settings);
  const readSource = host.getSourceFile.bind(host);
  const to = pairs.map(
    ([{ id }, target]) => code`  ${stringLiteral(id)}: { to: ${stringLiteral(target)} };\n`,
  );
  const question = ts.createSourceFile(file, code`${QUESTION}${joined(to)}}\n`, ts.ScriptTarget.ESNext);
  host.getSourceFile = (name, version) => (name === file ? question : readSource(name, version));
  const program = ts.createProgram([file], settings, host);
  const checker = program.getTypeChecker();
  const [problem] = program.getSemanticDiagnostics(question);
  if (problem !== undefined) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
  const module = checker.getSymbolAtLocation(question);
  return (module ? checker.getExportsOfModule(module) : [])
    .map((symbol) => checker.getDeclaredTypeOfSymbol(symbol))
    .flatMap((type) => (type.isUnion() ? type.types : [type]))
    .flatMap((type) => (type.isStringLiteral() ? type.value : []));
}

/** The settings of `concordat init` that decide, for a folder without a `tsconfig.json`. */
const SETTINGS = { compilerOptions: { module: 'nodenext', strict: true, exactOptionalPropertyTypes: true } };

const FIT = code`\`convert.\${Id} \${Answer extends Awaited<ReturnType<V1[Id]>> ? 'fits' : 'differs'} at \${Status}\``;
const QUESTION = code`import type { ReceivedAnswer, Verdict } from '@concordat/runtime/bridge';
import type { Operations as V1 } from './v1/operations.js';
import type { Operations as V2 } from './v2/operations.js';

type Fit<Id extends keyof V1 & string, Answer> = Answer extends { status: infer Status extends number } ? ${FIT} : never;
type Answers<Id extends keyof V1 & keyof To> = ReceivedAnswer<V1, V2, Id, To[Id]['to'] & keyof V2>;
export type Faults = Verdict<V1, V2, To>;
export type Fits = { [Id in keyof V1 & keyof To]: Fit<Id, Answers<Id>> }[keyof V1 & keyof To];
interface To {
`;
