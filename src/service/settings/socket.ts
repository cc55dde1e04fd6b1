/** The listening socket that systemd gives to the process (sd_listen_fds(3)). */

/** The first descriptor after those of stdin, stdout and stderr. */
const FIRST = 3;

/**
 * @param variables - such as `process.env`
 * @returns the descriptor of the first socket; undefined when this process is given none
 */
export function givenSocket({
  LISTEN_FDS,
  LISTEN_PID,
}: Readonly<Record<string, string | undefined>>): number | undefined {
  return isGiven(LISTEN_FDS) && LISTEN_PID === String(process.pid) ? FIRST : undefined;
}

/** A socket that is given to another process, such as a wrapper of this one, is not used: the service would seem to run without it. */
export function socketWarnings({
  LISTEN_FDS,
  LISTEN_PID,
}: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (!isGiven(LISTEN_FDS) || LISTEN_PID === String(process.pid)) return [];
  return [
    `the socket of LISTEN_FDS is not used: it is for process ${LISTEN_PID ?? 'none'} (LISTEN_PID), and this is ${String(process.pid)}`,
  ];
}

function isGiven(count: string | undefined): boolean {
  return /^[1-9]\d*$/.test(count ?? '');
}
