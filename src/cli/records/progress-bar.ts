/** Shows how far a command has come to a person who waits for it, and nothing to anybody else. */

import type { Terminal } from '../terminal.js';

export interface ProgressBar {
  /** @param label what is being done; @param done how much of the total */
  show(label: string, done: number): void;
  /** Clears the line. */
  end(): void;
}

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
      // A signal ends the program as it would without a bar.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0, { label: '' });
  return {
    show: (label, done) => bar.update(Math.min(done, total), { label }),
    end: () => bar.stop(),
  };
}
