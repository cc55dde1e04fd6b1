/** Reads the lines around places of contracts, for reports that show them. */

import { readFile } from 'node:fs/promises';
import type { Finding, FindingPlace } from '@concordat/runtime/terminal';
import { showObject } from '../generator/git-revision.js';

/** The lines before and after a place, and the longest of them that is not cut. */
const AROUND = 4;
const WIDEST = 240;

/** @returns the findings, whose places have the lines around them, where their files can be read */
export async function withLines(findings: readonly Finding[]): Promise<readonly Finding[]> {
  const add = linesAdder();
  return await Promise.all(
    findings.map(async (finding) => {
      const { place, places = place === undefined ? [] : [place] } = finding;
      return { ...finding, places: await Promise.all(places.map(add)) };
    }),
  );
}

/** A file is read once, and may be one of a git revision, as `main:openapi.yaml`. */
export function linesAdder(): (place: FindingPlace) => Promise<FindingPlace> {
  const known = new Map<string, Promise<readonly string[] | undefined>>();
  return async (place) => {
    const { file, line } = place;
    if (line === undefined) return place;
    let reading = known.get(file);
    if (reading === undefined) known.set(file, (reading = linesOf(file)));
    const all = await reading;
    if (all === undefined || line > all.length) return place;
    const first = Math.max(1, line - AROUND);
    const lines = all.slice(first - 1, line + AROUND).map(cut);
    return { ...place, around: { first, lines } };
  };
}

/** Undefined for a file of the network, whose place is enough. */
async function linesOf(file: string): Promise<readonly string[] | undefined> {
  const shown = (): Promise<string | undefined> =>
    file.includes(':') ? showObject(file).catch(() => undefined) : Promise.resolve(undefined);
  const text = await readFile(file, 'utf8').catch(shown);
  return text?.replace(/\r?\n$/, '').split(/\r?\n/);
}

function cut(line: string): string {
  return line.length > WIDEST ? `${line.slice(0, WIDEST)}…` : line;
}
