/** Which operations of others' contracts the sandbox of a mock keeps state for, and why not for the others. */

import { sandboxOf } from '../../../src/tools/mock/mock-handlers.js';
import { runContract } from '../../../src/tools/running/running-contract.js';
import { absenceOf, contractsFolder } from '../../support/outside-files.js';

const CONTRACTS = [
  ...[
    'resend.yaml',
    'lago.yaml',
    'twilio-v2010.json',
    'asana.yaml',
    'figma.yaml',
    'iceberg.yaml',
    'lob.yaml',
  ],
  ...['meilisearch.json', 'notion.json', 'paypal-orders2.json', 'spotify.yaml'],
].map((name) => `third-party/${name}`);

/** What a reader of the paths calls an action, a calculation or a report, and not the state of a resource. */
const ACTIONS: Readonly<Record<string, RegExp>> = {
  'third-party/resend.yaml':
    /\/(?:cancel|share|batch|verify|claim|duplicate|publish|send|stop|metrics|add|remove|recipients|clicked-links)\b/,
  'third-party/lago.yaml':
    /^GET \/analytics|_usage|_url|public_key|\/(?:evaluate_expression|download|estimate\w*|batch\w*|lose_dispute|refresh|retry\w*|preview|set_as_default|finalize|void|consumptions|fundings)\b/,
  'third-party/twilio-v2010.json': /AvailablePhoneNumbers|\/Usage\/Records|Balance|Data\.json|Tokens\.json/,
};

/** Prints the table. @param isLong - whether the operations without state are listed */
export async function printSandbox(isLong = true): Promise<void> {
  for (const name of CONTRACTS) {
    const absence = absenceOf(contractsFolder + name);
    if (absence !== undefined) {
      console.log(`sandbox ${name}: ${absence}`);
      continue;
    }
    const lines = sandboxOf(await runContract(contractsFolder + name)).explained();
    const isStateful = (line: string): boolean => !line.includes(': no state (');
    const actions = ACTIONS[name];
    const expected = actions && lines.filter((line) => !actions.test(line.split(': ')[0] ?? ''));
    const found = expected?.filter(isStateful).length ?? 0;
    const share =
      expected &&
      `; of ${expected.length} that a reader calls stateful ${found} (${Math.floor((100 * found) / expected.length)} %)`;
    console.log(
      `sandbox ${name}: ${lines.filter(isStateful).length} of ${lines.length} stateful${share ?? ''}`,
    );
    for (const line of isLong ? lines.filter((each) => !isStateful(each)) : []) {
      const kind = expected?.includes(line) === true ? 'could be' : 'is not';
      console.log(`  ${kind.padEnd(9)}${line.replace('no state ', '')}`);
    }
  }
}
