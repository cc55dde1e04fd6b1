/** The start of a server on GitHub's description of its API; the figure is compared with that of an earlier state of the project. */

import { median } from '../../compare.js';
import { sharedContracts } from '../../../codegen/contract-list.js';
import { firstAnswer } from '../../first-answer.js';
import { generateServer } from '../generate-server.js';
import type { Task } from '../rate-task.js';
import { type Plan, milliseconds, rowOf } from '../row.js';

const NAME = 'github-rest.openapi-3.0.json';

const plan: Plan = {
  work: "first answer on GitHub's description, from node",
  ours: 'engine on Koa',
  peer: undefined,
};

/** @param file - where the description is; beside the project unless given */
export function largeContractTask(file: string | undefined): Task {
  return {
    plans: [plan],
    async run(_, { count }) {
      const listed = sharedContracts.find(({ name }) => name === NAME);
      const openapi = file ?? listed?.file;
      if (openapi === undefined) throw new Error(`${NAME} is not listed`);
      const server = await generateServer(openapi, listed?.accept ?? []);
      try {
        const starts = [];
        for (let round = 0; round <= count; round += 1) starts.push(await firstAnswer([server.file], '/'));
        // The first one reads the files into memory.
        const rest = starts.slice(1);
        const figure = {
          median: median(rest.map((each) => each.milliseconds)),
          cpu: median(rest.map((each) => each.cpu)),
        };
        return [rowOf(plan, milliseconds, figure)];
      } finally {
        await server.remove();
      }
    },
  };
}
