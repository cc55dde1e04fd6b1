/** Which operations of others' contracts the sandbox of a mock keeps state for, and why not for the others. */

/** What a reader of the paths calls an action, a calculation or a report, and not the state of a resource. */
const ACTIONS: Readonly<Record<string, RegExp>> = {
  'third-party/resend.yaml':
    /\/(?:cancel|share|batch|verify|claim|duplicate|publish|send|stop|metrics|add|remove|recipients|clicked-links)\b/,
  'third-party/lago.yaml':
    /^GET \/analytics|_usage|_url|public_key|\/(?:evaluate_expression|download|estimate\w*|batch\w*|lose_dispute|refresh|retry\w*|preview|set_as_default|finalize|void|consumptions|fundings)\b/,
  'third-party/twilio-v2010.json': /AvailablePhoneNumbers|\/Usage\/Records|Balance|Data\.json|Tokens\.json/,
};

/** The rows of a contract: the operations without state, each with the reason, below their count and share. */
export function sandboxLines(name: string, lines: readonly string[]): readonly string[] {
  const isStateful = (line: string): boolean => !line.includes(': no state (');
  const actions = ACTIONS[name];
  const expected = actions && lines.filter((line) => !actions.test(line.split(': ')[0] ?? ''));
  const found = expected?.filter(isStateful).length ?? 0;
  const share =
    expected &&
    `; of ${expected.length} that a reader calls stateful ${found} (${Math.floor((100 * found) / expected.length)} %)`;
  const stateless = lines
    .filter((each) => !isStateful(each))
    .map((line) => {
      const kind = actions === undefined ? 'no' : expected?.includes(line) === true ? 'could be' : 'is not';
      return `  ${kind.padEnd(9)}${line.replace('no state ', '')}`;
    });
  return [`${lines.length - stateless.length} of ${lines.length} stateful${share ?? ''}`, ...stateless];
}
