/** Starts a proxy that only records, as `concordat record` does. */

import { type RecordOptions, type RecordReport, startRecorder } from '../../../src/tools/record/recorder.js';
import { startProxy } from '../../../src/tools/traffic/proxy.js';

export async function startRecording(
  options: Pick<RecordOptions, 'target' | 'file'> & Partial<RecordOptions>,
): Promise<{ readonly url: string; readonly finish: () => Promise<RecordReport> }> {
  const recorder = await startRecorder({
    ...{ title: 'Recorded', templates: [], enums: false, examples: true },
    ...options,
  });
  const { url = '', finish } = await startProxy({
    ...{ target: options.target, file: undefined, host: '127.0.0.1', port: 0, bodyLimit: 262_144 },
    consume: recorder.consume,
  });
  return {
    url,
    async finish() {
      await finish();
      return recorder.finish();
    },
  };
}
