/** Bundles code as a browser or a Worker gets it: without the modules of Node, which are not found. */

import { type BuildOptions, type Metafile, build } from 'esbuild';

export interface Bundle {
  readonly text: string;
  readonly metafile: Metafile;
}

/** @param code - a module @param directory - where it imports from @throws for an import that is not found */
export async function bundleOf(code: string, directory: string, options: BuildOptions = {}): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: directory, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    ...options,
    write: false,
    metafile: true,
  });
  return { text: outputFiles.map(({ text }) => text).join(''), metafile };
}

/** The largest parts of a bundle, for the message of a test. */
export function largestParts({ metafile }: Bundle): string {
  return Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
    .slice(0, 20)
    .map(([name, { bytesInOutput }]) => `${String(bytesInOutput)} ${name}`)
    .join('\n');
}
