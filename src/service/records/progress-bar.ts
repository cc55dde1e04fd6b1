/** Shows how far a command has come to a person who waits for it, and nothing to anybody else. */

import type { Terminal } from 'concordat/terminal';

export interface ProgressBar {
  /** @param label what is being done; @param done how much of the total */
  show(label: string, done: number): void;
  /** Clears the line. */
  end(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const NO_BAR: ProgressBar = { show: () => undefined, end: () => undefined };

/** @param total what stands for all of it, such as bytes */
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
  // A signal ends the program as it would without a bar, but first the terminal gets its cursor back.
  const endBySignal = (signal: NodeJS.Signals): void => {
    end();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, endBySignal);
  bar.start(total, 0, { label: '' });
  return { show: (label, done) => bar.update(Math.min(done, total), { label }), end };
}
