/** A proxy that compares the traffic of a running server with its contract, counts its use, and serves metrics. */

import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import {
  type Deviation,
  type ObserveCounters,
  type PassedExchange,
  type ReadExchange,
  observe,
} from '@concordat/runtime/observe';
import { urlOf } from '@concordat/runtime/terminal';
import { basePathOf } from 'concordat/contract';
import { runContract } from '../running/running-contract.js';
import type { Place } from '../running/wire-request.js';
import { readExchanges } from './exchange-file.js';
import type { RequestHead } from './heads.js';
import { startPassing } from './passing-server.js';

export interface ProxyOptions {
  /** The running server. The paths of the document follow the path of this address. */
  readonly target: URL;
  /** The document; undefined if nothing is compared. */
  readonly file: string | undefined;
  readonly allowOrigins?: readonly string[] | undefined;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The most bytes of a body that are read. */
  readonly bodyLimit: number;
  /** The share of exchanges that are compared, from 0 to 1. */
  readonly sample?: number | undefined;
  /** Whether requests that break the contract are answered with 400, and not passed on. */
  readonly enforces?: boolean | undefined;
  /** The folder of the file that counts the use of the document. */
  readonly usage?: string | undefined;
  /** The request header that has the name of the client, for the counts of use. */
  readonly client?: string | undefined;
  /** The port of `/metrics`, which is not that of the server's paths. */
  readonly metrics?: number | undefined;
  /** A file of exchanges, which are read in place of traffic. */
  readonly from?: string | undefined;
  /** Gets each exchange that is read, such as for a recording. */
  readonly consume?: ((exchange: ReadExchange & { readonly address: string }) => void) | undefined;
}

export interface ProxyReport extends Omit<ObserveCounters, 'deviations' | 'undeclared'> {
  /** All that have passed or were rejected, compared or not. */
  readonly exchanges: number;
  readonly deviations: readonly Deviation[];
  /** The requests whose path or method the document does not have, also those that the server refused. */
  readonly undeclared: readonly Deviation[];
  /** The file of the counts. */
  readonly usage?: string;
}

interface RunningProxy {
  /** Undefined where the exchanges are those of a file, which have been read. */
  readonly url: string | undefined;
  /** The address of the metrics. */
  readonly metrics: string | undefined;
  /** The operations of the document, with the place and the tags of each. */
  readonly operations: ReadonlyMap<string, Place & { readonly tags: readonly string[] }>;
  /** Stops the proxy, and writes the counts. */
  readonly finish: () => Promise<ProxyReport>;
}

/** The milliseconds between two writings of the counts, which a process that is killed then keeps. */
const WRITING_MS = 60_000;

/** Compares nothing. */
const NO_CONTRACT = { contract: { operations: {}, paths: {} }, responseChecks: {} };

/** @throws an Error if the document cannot be read, or its use not be counted, or a port is taken */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { target, file, usage, metrics, from, consume } = options;
  if (usage !== undefined && existsSync(usage) && !statSync(usage).isDirectory())
    throw new Error(`${usage} is no folder`);
  const { client, sample, enforces = false, bodyLimit, host, port, allowOrigins } = options;
  const running = file === undefined ? undefined : await runContract(file, { allowOrigins });
  const { contract, responseChecks } = running ?? NO_CONTRACT;
  const path = target.pathname === '/' ? basePathOf(running?.document.servers?.[0]) : target.pathname;
  let exchanges = 0;
  const occurrences = new Map<string, number>();
  const observer = observe({
    ...{ contract, responseChecks },
    prefix: (path ?? '').replace(/\/$/, ''),
    mode: running === undefined ? 'off' : enforces ? 'enforce' : 'report',
    bodyLimit,
    ...(sample !== undefined && { rate: sample }),
    onDeviation: ({ operation, side, kind }) => {
      // The paths of routes that are not declared are the clients' choice.
      const about = kind === 'undeclared-route' ? 'none' : operation;
      const labels = `operation=${JSON.stringify(about)},side="${side}",kind="${kind}"`;
      occurrences.set(labels, (occurrences.get(labels) ?? 0) + 1);
    },
    ...(usage !== undefined && { usage: { ...(client !== undefined && { client }) } }),
  });
  const scrapes = createServer((request, response) => {
    const isKnown = request.url === '/metrics';
    response.writeHead(isKnown ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
    const counters = { exchanges, ...observer.counters };
    response.end(isKnown ? metricsText(counters, occurrences) : 'The metrics are at /metrics.\n');
  });
  if (metrics !== undefined) await once(scrapes.listen(metrics, host), 'listening');
  const stopScrapes = (): void => {
    scrapes.close();
    scrapes.closeAllConnections();
  };
  const open = ({ method, target, headers, address }: RequestHead): PassedExchange | undefined => {
    exchanges += 1;
    return observer.open(method, target, headers, consume && ((read) => consume({ ...read, address })));
  };
  const started =
    from === undefined
      ? startPassing({ target, host, port, open })
      : readExchanges(from, target, open, observer.settled);
  const passing = await started.catch((error: unknown) => {
    stopScrapes();
    throw error;
  });
  const write = async (): Promise<string | undefined> =>
    usage === undefined ? undefined : observer.writeUsage(usage);
  const writing = setInterval(() => void write().catch(console.error), WRITING_MS).unref();
  return {
    url: passing?.url,
    metrics: metrics === undefined ? undefined : `${urlOf(scrapes)}/metrics`,
    operations: new Map(
      running?.model.operations.map(({ id, pointer, tags }) => [id, { ...running.place(pointer), tags }]),
    ),
    async finish() {
      clearInterval(writing);
      stopScrapes();
      passing?.close();
      await observer.settled();
      const counts = await write();
      const found = { deviations: observer.deviations(), undeclared: observer.undeclared() };
      return { exchanges, ...observer.counters, ...found, ...(counts !== undefined && { usage: counts }) };
    },
  };
}

const HELP: Readonly<Record<'exchanges' | keyof ObserveCounters, string>> = {
  exchanges: 'Requests that were passed on or rejected',
  checked: 'Exchanges that were compared with the contract',
  unread: 'Bodies that could not be compared',
  skipped: 'Exchanges that were chosen, but not compared',
  rejected: 'Requests that were rejected',
  undeclared: 'Requests whose path or method the contract does not have',
  dropped: 'Deviations that made room for others in the report',
  deviations: 'Occurrences of deviations from the contract',
};

/** The text format of Prometheus. @param occurrences - by the labels of the deviations, which have no text of a client */
function metricsText(
  counters: Readonly<Record<keyof typeof HELP, number>>,
  occurrences: ReadonlyMap<string, number>,
): string {
  const lines = (Object.keys(HELP) as (keyof typeof HELP)[]).flatMap((name) => {
    const metric = `concordat_proxy_${name}_total`;
    const labelled = [...occurrences].map(([labels, count]) => `${metric}{${labels}} ${count}`);
    const series = name === 'deviations' ? labelled : [`${metric} ${counters[name]}`];
    return [`# HELP ${metric} ${HELP[name]}`, `# TYPE ${metric} counter`, ...series];
  });
  return `${lines.join('\n')}\n`;
}
