/** Compiles the specifications to OpenAPI documents, one per version of each service. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { importInstalled, SPECIFICATIONS } from './packages.js';

/** The parts of a document that are read here. */
export interface Document {
  readonly info: { readonly version: string };
  readonly servers?: readonly {
    readonly url: string;
    readonly variables?: Readonly<
      Record<string, { readonly default: string; readonly enum?: readonly string[] }>
    >;
  }[];
}

export interface CompiledSpecification {
  /** Its folder under `specs`, and the version where it has several. */
  readonly name: string;
  readonly file: string;
  readonly document: Document;
}

type ServiceRecord =
  | { readonly versioned: false; readonly document: Document }
  | {
      readonly versioned: true;
      readonly versions: readonly { readonly document: Document; readonly version: string }[];
    };

interface Compiler {
  readonly NodeHost: object;
  readonly compile: (host: object, file: string, options: object) => Promise<object>;
}

interface Emitter {
  readonly getOpenAPI3: (program: object, options: object) => Promise<readonly ServiceRecord[]>;
}

/** Compiles all specifications into a directory. */
export async function compileSpecifications(directory: string): Promise<readonly CompiledSpecification[]> {
  const compiler = await importInstalled<Compiler>('@typespec/compiler/dist/src/index.js');
  const emitter = await importInstalled<Emitter>('@typespec/openapi3/dist/src/index.js');
  const compiled: CompiledSpecification[] = [];
  const arity = Object.length;
  try {
    // The emitter looks up the examples of the parameter `constructor` in a plain object, finds `Object`, and takes its
    // `length` for the number of examples.
    Object.defineProperty(Object, 'length', { value: 0, configurable: true });
    for (const folder of specificationFolders()) {
      const options = { additionalImports: ['@typespec/spector'], noEmit: true };
      const main = join(SPECIFICATIONS, folder, 'main.tsp');
      const program = await compiler.compile(compiler.NodeHost, main, options);
      // The emitter itself writes nothing for a specification of which a part does not fit OpenAPI; this leaves the part out.
      const records = await emitter.getOpenAPI3(program, { 'openapi-versions': ['3.1.0'] });
      for (const record of records) {
        const versions = record.versioned ? record.versions : [{ document: record.document, version: '' }];
        for (const { document, version } of versions) {
          const name = version === '' ? folder : `${folder} ${version}`;
          const file = join(directory, `${name.replaceAll('/', '.')}.json`);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, JSON.stringify(document));
          compiled.push({ name, file, document });
        }
      }
    }
  } finally {
    Object.defineProperty(Object, 'length', { value: arity, configurable: true });
  }
  return compiled;
}

function specificationFolders(): readonly string[] {
  return readdirSync(SPECIFICATIONS, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'main.tsp')
    .map(({ parentPath }) => relative(SPECIFICATIONS, parentPath))
    .sort();
}

/** The path at which a service is mounted, from its first server. */
export function prefixOf({ info, servers = [] }: Document): string {
  const [server] = servers;
  if (server === undefined) return '';
  const url = server.url.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const variable = server.variables?.[name];
    const values = variable?.enum ?? [];
    return values.includes(info.version) ? info.version : (values[0] ?? variable?.default ?? '');
  });
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '');
}
