/** Records a running server: starts the proxy, and writes the document at the end. */

import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { BodySample, type Deviation, SampleMemory, observe } from '@concordat/runtime/observe';
import { basePathOf } from 'concordat/contract';
import { urlOf } from '@concordat/runtime/terminal';
import { documentText, extendedText, readExisting } from './document-file.js';
import { recordedDocument } from './recorded-document.js';
import { Recording } from './recording.js';
import { runContract } from '../running/running-contract.js';
import type { Place } from '../running/wire-request.js';
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
  /** The folder in which the use of the document is counted; then the document stays as it is. */
  readonly usage?: string | undefined;
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
  /** The file that has the use of the document. */
  readonly usage?: string;
  /** The ways in which the traffic differs from a document that stays as it is. */
  readonly deviations?: readonly Deviation[];
}

/** A recording that runs. */
export interface RunningRecording {
  /** The address of the proxy. */
  readonly url: string;
  /** The operations of a document that stays as it is, with the place of each. */
  readonly observed: ReadonlyMap<string, Place>;
  /** Stops the proxy and writes the document. */
  readonly finish: () => Promise<RecordReport>;
}

/** So many bodies of the largest size may be in memory at once. */
const BODIES_AT_ONCE = 64;

/** @throws an Error if the document cannot be extended or its use not be counted, or the port is taken */
export async function startRecording(options: RecordOptions): Promise<RunningRecording> {
  const { target, file, host, port, bodyLimit, usage } = options;
  if (usage !== undefined && existsSync(usage) && !statSync(usage).isDirectory())
    throw new Error(`${usage} is no folder`);
  const counted = usage === undefined ? undefined : await runContract(file);
  const existing = counted === undefined && existsSync(file) ? await readExisting(file) : undefined;
  const ownPath = existing?.basePath ?? basePathOf(counted?.document.servers?.[0]) ?? '';
  const basePath = target.pathname === '/' ? ownPath : target.pathname.replace(/\/$/, '');
  const templates = [...(existing?.templates ?? []), ...options.templates];
  const recording = new Recording({ basePath, templates });
  const observer = counted && observe({ ...counted, prefix: basePath, bodyLimit, usage: {} });
  const memory = new SampleMemory(bodyLimit * BODIES_AT_ONCE);
  const tap = createTap({
    target,
    newBody: () => new BodySample(bodyLimit, memory),
    record: (exchange) => {
      recording.add(exchange);
      observer?.note(exchange);
    },
  });
  const connections = new Set<{ destroy: () => void }>();
  tap.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await once(tap.listen(port, host), 'listening');
  return {
    url: urlOf(tap),
    observed: new Map(counted?.model.operations.map(({ id, pointer }) => [id, counted.place(pointer)])),
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
      await observer?.settled();
      const counts = usage === undefined ? undefined : await observer?.writeUsage(usage);
      const extended = counts === undefined && existing ? extendedText(existing, document) : undefined;
      if (counts === undefined) await writeFile(file, extended?.text ?? documentText(document, file));
      const items = Object.values(document.paths);
      return {
        exchanges: recording.exchanges,
        ignored: recording.ignored,
        operations: items.reduce((sum, item) => sum + Object.keys(item).length, 0),
        paths: items.length,
        unread: recording.unread,
        added: extended?.added,
        ...(counts !== undefined && { usage: counts, deviations: observer?.deviations() ?? [] }),
      };
    },
  };
}
