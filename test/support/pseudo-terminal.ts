/** A pseudo-terminal for tests, made with Python's `pty` where Python is installed. */
import { spawnSync } from 'node:child_process';

const installed = spawnSync('python3', ['-c', 'import pty']).status === 0;

/** Why pseudo-terminals are not available; undefined when they are. */
export const terminalAbsence = installed ? undefined : 'python3 is not installed';

/** Copies between its own pipes and the terminal, and exits with the code that a shell would report. */
const script = `
import fcntl, os, pty, select, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
sources = [terminal, 0]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b''
        if not data:
            sources.remove(source)
        else:
            os.write(1 if source == terminal else terminal, data)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
`;

/** The command that runs another at a terminal of 80 columns: its stdin is the keyboard, its stdout the screen. */
export function atTerminal(command: readonly string[]): readonly string[] {
  return ['python3', '-c', script, ...command];
}
