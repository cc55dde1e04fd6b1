/** Plays documents in a process of its own, so that a command that does not end can be ended. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Contract } from './draw-contract.js';
import { type Failure, play } from './play.js';

interface Order {
  readonly document: Contract;
  readonly seed: number;
  readonly check?: string | undefined;
}

export class Player {
  #child: ChildProcess | undefined;

  /** @param mostMs - after so long a document is taken to play without an end */
  constructor(private readonly mostMs: number) {}

  async play(document: Contract, seed: number, check?: string): Promise<Failure | undefined> {
    const child = (this.#child ??= fork(fileURLToPath(import.meta.url), ['play']));
    child.send({ document: JSON.stringify(document), seed, check });
    return new Promise((resolve) => {
      let at = check ?? '';
      const end = (failure?: Failure): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(failure);
      };
      const fail = (message: string): void => {
        this.stop();
        end({ document, seed, check: at, message });
      };
      const timer = setTimeout(() => {
        fail('does not end');
      }, this.mostMs);
      child.on('message', (answer: { readonly check: string } | { readonly failure: Failure | null }) => {
        if ('check' in answer) at = answer.check;
        else end(answer.failure ?? undefined);
      });
      child.on('exit', (code) => {
        fail(`ends the process with ${String(code)}`);
      });
    });
  }

  stop(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

if (process.argv[2] === 'play') {
  process.on(
    'message',
    ({ document, seed, check }: Omit<Order, 'document'> & { readonly document: string }) => {
      const report = (at: string): boolean | undefined => process.send?.({ check: at });
      void play(JSON.parse(document) as Contract, seed, check, report).then((failure) =>
        process.send?.({ failure: failure ?? null }),
      );
    },
  );
}
