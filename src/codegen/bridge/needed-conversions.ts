/** Asks the compiler which conversions a bridge needs. The types of the runtime decide it, so that what is written compiles. */

import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type Code, code, joined, stringLiteral } from '../text/code.js';

/** What the compiler says about an operation of the old version. */
export interface Needs {
  /** The parts that need a conversion; of an operation that the new version lacks, the handler. */
  readonly parts: ReadonlySet<string>;
  /** The statuses with an answer of the new version that is none of the old one; empty if there are no others, or too many to name. */
  readonly statuses: readonly string[];
}

/** The settings of the compiler where there is no `tsconfig.json`: those that decide for `concordat init`. */
const SETTINGS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
};

/** Statuses are not told apart if more than this need a conversion, such as those of `default`. */
const MOST_STATUSES = 3;

/** Stands for the statuses whose answers need no conversion. */
const OTHERS = 'others';

/**
 * @param folder - it has the code of the old version in `v1`, and of the new one in `v2`
 * @param renamed - the names that operations of the old version have in the new one
 * @returns what operations need, by their ids
 */
export function neededConversions(
  folder: string,
  renamed: ReadonlyMap<string, string>,
): (id: string) => Needs {
  const file = join(resolve(folder), 'needed.ts');
  const options = { ...settingsOf(folder), noEmit: true, skipLibCheck: true, types: [] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, question(renamed), version) : read(name, version);
  // The runtime of this program fits the code that it has written; the folder may be in no project that has one.
  host.resolveModuleNameLiterals = (literals, containing) =>
    literals.map(({ text }) => {
      const name = text.startsWith('@concordat/') ? fileURLToPath(import.meta.resolve(text)) : text;
      return ts.resolveModuleName(name, containing, options, host);
    });
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const sentences = (module ? checker.getExportsOfModule(module) : [])
    .map((symbol) => checker.getDeclaredTypeOfSymbol(symbol))
    .flatMap((type) => (type.isUnion() ? type.types : [type]))
    .flatMap((type) => (type.isStringLiteral() ? type.value : []));
  return (id) => {
    const isSaid = (what: string): boolean =>
      sentences.some((each) => each.startsWith(`convert.${id}${what}`));
    if (isSaid(' needs `to`')) return { parts: new Set(['handler']), statuses: [] };
    const parts = new Set(['request', 'response'].filter((part) => isSaid(`.${part} is missing:`)));
    const answers = sentences
      .filter((each) => each.endsWith(` of ${id}`))
      .map((each) => each.split(' ')[0] ?? '');
    const statuses = answers.filter((each) => each !== OTHERS);
    const isFew = statuses.length < answers.length && statuses.length <= MOST_STATUSES;
    return { parts, statuses: isFew ? statuses : [] };
  };
}

/** A module of two types whose members are sentences: the faults of a bridge without conversions, and the statuses that need one. */
function question(renamed: ReadonlyMap<string, string>): Code {
  const names = [...renamed].map(
    ([id, to]) => code`  readonly ${stringLiteral(id)}: { readonly to: ${stringLiteral(to)} };\n`,
  );
  return code`import type { ReceivedAnswer, Verdict } from '@concordat/runtime/bridge';
import type { Operations as V1 } from './v1/operations.js';
import type { Operations as V2 } from './v2/operations.js';

interface Renamed {
${joined(names)}}
type To<Id> = (Id extends keyof Renamed ? Renamed[Id]['to'] : Id) & keyof V2;
type Kind<Answer, Id extends keyof V1 & string> = Answer extends { readonly status: infer Status extends number }
  ? Answer extends Awaited<ReturnType<V1[Id]>>
    ? ${`\`${OTHERS} of \${Id}\`` as Code}
    : ${'`${Status} of ${Id}`' as Code}
  : never;

export type Needed = Verdict<V1, V2, Renamed>;
export type Statuses = {
  [Id in keyof V1 & string]: Kind<ReceivedAnswer<V1, V2, Id, To<Id>>, Id>;
}[keyof V1 & string];
`;
}

function settingsOf(folder: string): ts.CompilerOptions {
  const found = ts.findConfigFile(folder, (file) => ts.sys.fileExists(file));
  if (found === undefined) return SETTINGS;
  const { config = {} } = ts.readConfigFile(found, (file) => ts.sys.readFile(file)) as {
    readonly config?: object;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(found)).options;
}
