/** Writes a bridge between two versions of a document: their code, a module with the conversions to write, and a test. */

import { join, relative, resolve } from 'node:path';
import type { CodegenOptions } from '../generator/config-keys.js';
import { writeFiles } from '../generator/generated-files.js';
import { slashed } from '../init/package-sources.js';
import { Project } from '../init/project.js';
import { engineTemplate, readModel } from '../init/rest-parts.js';
import type { OperationModel } from '../contract/model/model.js';
import { type Code, code, joined, lineComment, NOTHING, operationKey, singleQuoted } from '../text/code.js';
import { Verbatim } from '../text/literal.js';
import { type Needs, neededConversions } from './needed-conversions.js';

/** A change that breaks the requests or the answers of an operation. */
export interface ContractBreak {
  readonly part: 'request' | 'response';
  readonly message: string;
  /** The message that proves it, and why the other version refuses it. */
  readonly proof: readonly string[];
}

export interface BridgeOptions extends Pick<CodegenOptions, 'accept' | 'allowOrigins' | 'lenient'> {
  readonly old: string;
  readonly new: string;
  readonly out: string;
  /** By operation of the old version, such as `GET /users`. */
  readonly breaks: ReadonlyMap<string, readonly ContractBreak[]>;
}

/** The files that were written, and a sentence for each that was there already. */
export interface WrittenBridge {
  readonly written: readonly string[];
  readonly notes: readonly string[];
}

/** @throws ContractError with every problem of the documents; then nothing is written */
export async function writeBridge({
  old,
  new: next,
  out,
  breaks,
  ...options
}: BridgeOptions): Promise<WrittenBridge> {
  const versions = [
    { ...options, openapi: old, out: join(out, 'v1') },
    { ...options, openapi: next, out: join(out, 'v2') },
  ];
  const generated = await writeFiles(versions);
  const [v1, v2] = await Promise.all(
    versions.map(async (each) => (await readModel(each.openapi, each)).contract),
  );
  const renamed = renamedOperations(v1?.operations ?? [], v2?.operations ?? []);
  const needsOf = neededConversions(out, renamed);
  const shown = new Map<string, string>();
  const entries = (v1?.operations ?? []).map((operation) => {
    const { id } = operation;
    return entryOf(operation, renamed.get(id), needsOf(id), breaks.get(labelOf(operation)) ?? [], shown);
  });
  const fromHere = (file: string): string => slashed(relative('.', resolve(file)));
  const own = Object.keys(v1?.securitySchemes ?? {});
  const isKept = (name: string): boolean =>
    JSON.stringify(v1?.securitySchemes[name]) === JSON.stringify(v2?.securitySchemes[name]);
  const values = {
    ...(v2 && engineTemplate(v2).values),
    OLD: fromHere(old),
    NEW: fromHere(next),
    CONVERT: new Verbatim(joined(entries) === '' ? code`{}` : code`{\n${joined(entries)}    }`),
    HANDLERS: entries.some((entry) => entry.includes('new Problem(')),
    OWN: own.filter((name) => !isKept(name)),
    SCHEMES: Object.keys(v2?.securitySchemes ?? {}),
    CREDENTIALS: own.map((name) => `${name}=user:password`),
  };
  const project = new Project(out);
  const notes: string[] = [];
  for (const name of ['bridge.ts', 'bridge.test.ts']) {
    const file = join(out, name);
    if ((await project.read(file)) !== undefined) notes.push(`${file} exists, and stays as it is`);
    await project.create(file, { file: `bridge/${name}`, values });
  }
  return { written: [...generated.flatMap(({ written }) => written), ...project.written], notes };
}

/** The operations without a namesake that have the method and the path of an operation of the new version. */
function renamedOperations(
  old: readonly OperationModel[],
  next: readonly OperationModel[],
): ReadonlyMap<string, string> {
  const placeOf = (operation: OperationModel): string => labelOf(operation).replaceAll(/\{[^}]*\}/g, '{}');
  const byPlace = new Map(next.map((each) => [placeOf(each), each.id]));
  const names = new Set(next.map(({ id }) => id));
  return new Map(
    old.flatMap((each) => {
      const to = byPlace.get(placeOf(each));
      return names.has(each.id) || to === undefined ? [] : [[each.id, to]];
    }),
  );
}

function labelOf({ method, path }: OperationModel): string {
  return `${method} ${path}`;
}

/**
 * The conversions of an operation: those that the compiler requires, and those of a break that the types do not show.
 *
 * @param shown - the operation whose comment has a proof, by the proof; it gains those of this one
 */
function entryOf(
  operation: OperationModel,
  to: string | undefined,
  { parts, statuses }: Needs,
  breaks: readonly ContractBreak[],
  shown: Map<string, string>,
): Code {
  const { id } = operation;
  const label = labelOf(operation);
  const hidden = parts.has('handler') ? [] : breaks.filter(({ part }) => !parts.has(part));
  const wanted = PARTS.filter((each) => parts.has(each) || hidden.some(({ part }) => part === each));
  const functions = wanted.map((part) => {
    const lines = breaks
      .filter((each) => each.part === part)
      .flatMap(({ message, proof }) => {
        const text = proof.join('\n');
        const earlier = shown.get(text);
        if (earlier !== undefined)
          return [`${message}: proved ${earlier === label ? 'above' : `at ${earlier}`}`];
        if (text !== '') shown.set(text, label);
        return [message, ...proof];
      });
    const comment = lines.length > 0 ? lines : [UNPROVED[part]];
    return joined([...comment.map(lineComment), ...functionOf(part, id, statuses)].map(member));
  });
  const because = hidden.map(({ message }) => message).join('; ');
  if (to === undefined && functions.length === 0) return NOTHING;
  const quoted = operationKey(id);
  return joined([
    code`      ${lineComment(label)}\n      ${quoted.startsWith('"') ? singleQuoted(id) : quoted}: {\n`,
    to === undefined ? NOTHING : member(code`to: ${singleQuoted(to)},`),
    because === '' ? NOTHING : member(code`because: ${singleQuoted(because)},`),
    ...functions,
    code`      },\n`,
  ]);
}

const PARTS = ['request', 'response', 'handler'] as const;

/** The comments of functions that the compiler requires and diff does not. */
const UNPROVED = {
  request: 'The types of the requests differ.',
  response: 'The types of the answers differ.',
  handler: 'The new version has no such operation.',
};

/** The lines of a function that throws until it is written, and passes on the answers that need no conversion. */
function functionOf(part: (typeof PARTS)[number], id: string, statuses: readonly string[]): readonly Code[] {
  if (part === 'handler') {
    return [
      code`handler: () => {`,
      code`  throw new Problem(501, ${singleQuoted(`${id} is not implemented`)});`,
      code`},`,
    ];
  }
  const isOther = joined(
    statuses.map((status) => code`answer.status !== ${Number(status)}`),
    code` && `,
  );
  const passes = part === 'response' && statuses.length > 0;
  return [
    code`${part === 'request' ? code`request` : code`response`}: (${passes ? code`answer` : NOTHING}) => {`,
    ...(passes ? [code`  if (${isOther}) return answer;`] : []),
    code`  throw new Error(${singleQuoted(`Convert the ${part} of ${id}`)});`,
    code`},`,
  ];
}

/** A line of the conversions of an operation. */
function member(line: Code): Code {
  return code`        ${line}\n`;
}
