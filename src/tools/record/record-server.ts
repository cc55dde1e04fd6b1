/** Records a running server: starts the proxy, and writes the document at the end. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type BodySample, ExchangeReader } from '@concordat/runtime/observe';
import { type Fields, type RequestHead, valuesOf } from '../traffic/heads.js';
import type { TappedExchange } from '../traffic/relay.js';
import type { ProxyOptions } from '../traffic/proxy.js';
import { startPassing } from '../traffic/passing-server.js';
import { documentText, extendedText, readExisting } from './document-file.js';
import { recordedDocument } from './recorded-document.js';
import { Recording } from './recording.js';

export interface RecordOptions extends Pick<ProxyOptions, 'target' | 'host' | 'port' | 'bodyLimit'> {
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

/** A recording that runs. */
export interface RunningRecording {
  /** The address of the proxy. */
  readonly url: string;
  /** Stops the proxy and writes the document. */
  readonly finish: () => Promise<RecordReport>;
}

/** The most bytes that a compressed body is expanded to. */
const MOST_EXPANDED = 4 * 1024 * 1024;

interface OpenExchange extends RequestHead {
  readonly request: BodySample;
  readonly response: BodySample;
}

interface ResponseHead {
  readonly status: number;
  readonly headers: Fields;
}

class Recorder extends ExchangeReader<OpenExchange, ResponseHead> {
  constructor(
    bodyLimit: number,
    private readonly recording: Recording,
  ) {
    super(bodyLimit, console.error);
  }

  open(head: RequestHead): TappedExchange {
    const exchange = { ...head, request: this.sample(), response: this.sample() };
    return {
      ...exchange,
      enforced: undefined,
      end: (status, headers) => this.end(exchange, { status, headers }),
      breakOff: () => this.breakOff(exchange),
    };
  }

  protected override async read(
    { request, response, headers: requestHeaders, ...exchange }: OpenExchange,
    { status, headers: responseHeaders }: ResponseHead,
  ): Promise<void> {
    const [requestBody, responseBody] = await Promise.all(
      [[request, requestHeaders] as const, [response, responseHeaders] as const].map(
        async ([body, headers]) => {
          const codings = valuesOf(headers, 'content-encoding').join();
          const whole = await body.whole(codings === '' ? undefined : codings, MOST_EXPANDED);
          return whole === 'unread' ? undefined : whole;
        },
      ),
    );
    this.recording.add({ ...exchange, requestHeaders, requestBody, status, responseHeaders, responseBody });
  }
}

/** @throws an Error if the document cannot be extended, or the port is taken */
export async function startRecording(options: RecordOptions): Promise<RunningRecording> {
  const { target, file, host, port, bodyLimit } = options;
  const existing = existsSync(file) ? await readExisting(file) : undefined;
  const basePath = target.pathname === '/' ? (existing?.basePath ?? '') : target.pathname.replace(/\/$/, '');
  const templates = [...(existing?.templates ?? []), ...options.templates];
  const recording = new Recording({ basePath, templates });
  const recorder = new Recorder(bodyLimit, recording);
  const { url, close } = await startPassing({ target, host, port, open: (head) => recorder.open(head) });
  return {
    url,
    async finish() {
      close();
      await recorder.settled();
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
