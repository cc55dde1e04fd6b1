/** Records the exchanges of a server, and writes the document at the end. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { documentText, extendedText, readExisting } from './document-file.js';
import type { Exchange } from './observed/observed-body.js';
import { recordedDocument } from './recorded-document.js';
import { Recording } from './recording.js';

export interface RecordOptions {
  /** The server. The paths of the document follow the path of this address. */
  readonly target: URL;
  /** The document, which is made, or gets the parts that it lacks. */
  readonly file: string;
  readonly title: string;
  /** Paths that are known, such as `/users/{name}`. */
  readonly templates: readonly string[];
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

/** A consumer of exchanges. */
export interface Recorder {
  readonly consume: (exchange: Exchange) => void;
  /** Writes the document. */
  readonly finish: () => Promise<RecordReport>;
}

/** @throws an Error if the document cannot be extended */
export async function startRecorder({ target, file, ...options }: RecordOptions): Promise<Recorder> {
  const existing = existsSync(file) ? await readExisting(file) : undefined;
  const basePath = target.pathname === '/' ? (existing?.basePath ?? '') : target.pathname.replace(/\/$/, '');
  const templates = [...(existing?.templates ?? []), ...options.templates];
  const recording = new Recording({ basePath, templates });
  return {
    consume: (exchange) => recording.add(exchange),
    async finish() {
      const document = recordedDocument(recording, {
        ...options,
        basePath,
        templates,
        taken: existing?.operationIds ?? [],
        isKnown: (text) => existing?.enums.has(text) === true,
      });
      // It may have been edited, or made, in the meantime.
      const present = existsSync(file) ? await readExisting(file) : undefined;
      const extended = present && extendedText(present, document);
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
