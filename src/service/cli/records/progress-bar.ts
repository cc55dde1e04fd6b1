/** Shows the progress of a command on a terminal, and nothing elsewhere. */

import type { Terminal } from '@concordat/runtime/terminal';

export interface ProgressBar {
  /** @param label - the current activity @param done - the part of the total that is done */
  show(label: string, done: number): void;
  /** Clears the line. */
  end(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const NO_BAR: ProgressBar = { show: () => undefined, end: () => undefined };

/** @param total - the value of `done` at the end, such as a number of bytes */
export async function progressBar({ stderr }: Terminal, total: number): Promise<ProgressBar> {
  if (stderr.isTTY !== true) return NO_BAR;
  const { SingleBar, Presets } = (await import('cli-progress')).default;
  const bar = new SingleBar(
    {
      format: '{label} {bar} {percentage}%',
      stream: stderr,
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  const end = (): void => {
    bar.stop();
    for (const signal of SIGNALS) process.removeListener(signal, endBySignal);
  };
  // A signal ends the program as it would without a bar, after the terminal's cursor is restored.
  const endBySignal = (signal: NodeJS.Signals): void => {
    end();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, endBySignal);
  bar.start(total, 0, { label: '' });
  return { show: (label, done) => bar.update(Math.min(done, total), { label }), end };
}
