/** Records a running server: starts the proxy, and writes the document at the end. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { BodySample, SampleMemory } from '@concordat/runtime/observe';
import { urlOf } from '@concordat/runtime/terminal';
import { documentText, extendedText, readExisting } from './document-file.js';
import { recordedDocument } from './recorded-document.js';
import { Recording } from './recording.js';
import { createTap } from './traffic/tap.js';

export interface RecordOptions {
  /** The running server. The paths of the document follow the path of this address. */
  readonly target: URL;
  /** The document, which is made, or gets the parts that it lacks. */
  readonly file: string;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly title: string;
  /** Paths that are known, such as `/users/{name}`. */
  readonly templates: readonly string[];
  /** The most bytes of a body that are read. */
  readonly bodyLimit: number;
  readonly enums: boolean;
  readonly examples: boolean;
}

export interface RecordReport {
  readonly exchanges: number;
  /** Exchanges that belong to no path: those with other methods, below another path, or without memory for them. */
  readonly ignored: number;
  readonly operations: number;
  readonly paths: number;
  /** Bodies that were too large or could not be understood. */
  readonly unread: number;
  /** The parts that were added to a document that existed; undefined for a new document. */
  readonly added: readonly string[] | undefined;
}

/** A recording that runs. */
export interface RunningRecording {
  /** The address of the proxy. */
  readonly url: string;
  /** Stops the proxy and writes the document. */
  readonly finish: () => Promise<RecordReport>;
}

/** So many bodies of the largest size may be in memory at once. */
const BODIES_AT_ONCE = 64;

/** @throws an Error if the document that exists cannot be extended, or the port is taken */
export async function startRecording(options: RecordOptions): Promise<RunningRecording> {
  const { target, file, host, port, bodyLimit } = options;
  const existing = existsSync(file) ? await readExisting(file) : undefined;
  const basePath = target.pathname === '/' ? (existing?.basePath ?? '') : target.pathname.replace(/\/$/, '');
  const templates = [...(existing?.templates ?? []), ...options.templates];
  const recording = new Recording({ basePath, templates });
  const memory = new SampleMemory(bodyLimit * BODIES_AT_ONCE);
  const tap = createTap({
    target,
    newBody: () => new BodySample(bodyLimit, memory),
    record: (exchange) => recording.add(exchange),
  });
  const connections = new Set<{ destroy: () => void }>();
  tap.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await once(tap.listen(port, host), 'listening');
  return {
    url: urlOf(tap),
    async finish() {
      tap.close();
      for (const connection of connections) connection.destroy();
      const document = recordedDocument(recording, {
        ...options,
        basePath,
        templates,
        taken: existing?.operationIds ?? [],
        isKnown: (text) => existing?.enums.has(text) === true,
      });
      const extended = existing && extendedText(existing, document);
      await writeFile(file, extended?.text ?? documentText(document, file));
      const items = Object.values(document.paths);
      return {
        exchanges: recording.exchanges,
        ignored: recording.ignored,
        operations: items.reduce((sum, item) => sum + Object.keys(item).length, 0),
        paths: items.length,
        unread: recording.unread,
        added: extended?.added,
      };
    },
  };
}
