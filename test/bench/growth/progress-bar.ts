/** A progress bar on a terminal; elsewhere, one line at the end. */

const WIDTH = 40;

/** @returns a function that shows how much is done, of how much */
export function progressBar(label: string): (done: number, all: number) => void {
  const start = performance.now();
  return (done, all) => {
    const filled = Math.round((WIDTH * done) / all);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    const rows = done.toLocaleString('en');
    const line = `${label}  [${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}]  ${rows} rows, ${seconds} s`;
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line}${done === all ? '\n' : ''}`);
    else if (done === all) console.log(line);
  };
}
