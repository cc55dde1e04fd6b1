/** The listening socket that systemd gives to the process (sd_listen_fds(3)). */

/** The first descriptor after those of stdin, stdout and stderr. */
const FIRST = 3;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * @param variables - such as `process.env`
 * @returns the descriptor of the socket; undefined when this process is given none
 * @throws an error when it is given several: connections to the others would wait forever
 */
export function givenSocket({ LISTEN_FDS, LISTEN_PID }: Variables): number | undefined {
  if (!isGiven(LISTEN_FDS) || LISTEN_PID !== String(process.pid)) return undefined;
  if (LISTEN_FDS === '1') return FIRST;
  throw new Error(
    `LISTEN_FDS gives ${String(LISTEN_FDS)} sockets, and the service listens on one: leave one ListenStream= in the socket unit`,
  );
}

/** A socket that is given to another process, such as a wrapper of this one, is not used: the service would seem to run without it. */
export function socketWarnings({ LISTEN_FDS, LISTEN_PID }: Variables): readonly string[] {
  if (!isGiven(LISTEN_FDS) || LISTEN_PID === String(process.pid)) return [];
  return [
    `the socket of LISTEN_FDS is not used: it is for process ${LISTEN_PID ?? 'none'} (LISTEN_PID), and this is ${String(process.pid)}`,
  ];
}

function isGiven(count: string | undefined): boolean {
  return /^[1-9]\d*$/.test(count ?? '');
}
